package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
)

// gallery are images by their handles.
type gallery map[string]string

func (g gallery) ImageBytes(_ context.Context, handle string) ([]byte, string, error) {
	text, ok := g[handle]
	if !ok {
		return nil, "", errors.New("gone")
	}
	return []byte(text), "image/gif", nil
}

func imagePart(handle string) tool.Part {
	return tool.Part{Type: tool.PartImage, Mime: "image/gif", Handle: handle}
}

// wire is a result as a client reads it.
func wire(t *testing.T, images Images, o tool.Outcome) (texts, data []string, all string) {
	t.Helper()
	d := &door{options: Options{Images: images}}
	line := encode(resultOf(o, false, "2025-11-25", d.imagesOf(t.Context(), o)))
	var r struct {
		Content []struct{ Type, Text, Data, MimeType string }
	}
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	for _, b := range r.Content {
		if b.Type == "text" {
			texts = append(texts, b.Text)
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(b.Data)
		if err != nil || b.Type != "image" || b.MimeType != "image/gif" {
			t.Errorf("%s %s: %v", b.Type, b.MimeType, err)
		}
		data = append(data, string(raw))
	}
	return texts, data, string(line)
}

func TestImagesFollowTheTextThatNamesThem(t *testing.T) {
	o := done("said")
	o.Content = append(o.Content, imagePart("a"), imagePart("b"), imagePart("a"), imagePart("gone"))
	texts, data, _ := wire(t, gallery{"a": "GIF one", "b": "GIF two"}, o)
	want := []string{"said\n[image image/gif: a]\n[image image/gif: b]\n[image image/gif: a]\n[image image/gif: gone, not sent because it cannot be read]"}
	if d := cmp.Diff(want, texts); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"GIF one", "GIF two"}, data); d != "" {
		t.Error(d)
	}
	// Without a store of images, and for a call that failed, images are named alone.
	if _, data, _ := wire(t, nil, o); data != nil {
		t.Errorf("%q", data)
	}
	failed := ended(tool.StatusFailed, tool.CodeExecutionFailed, imagePart("a"))
	if texts, data, _ := wire(t, gallery{"a": "GIF one"}, failed); data != nil || !strings.Contains(texts[0], "[image image/gif: a]") {
		t.Errorf("%q, %q", texts, data)
	}
}

func TestImagesTakeNoMoreThanALine(t *testing.T) {
	half := strings.Repeat("x", maxImageBytes/2)
	o := done(strings.Repeat("t", 64<<10))
	o.Content = append(o.Content, imagePart("a"), imagePart("b"), imagePart("c"), imagePart("d"))
	texts, data, line := wire(t, gallery{"a": half, "b": half + "x", "c": half[1:] + "y", "d": "x"}, o)
	if len(data) != 2 || data[0] != half || data[1] != half[1:]+"y" {
		t.Errorf("%d images", len(data))
	}
	if !strings.Contains(texts[0], "[image image/gif: b"+noteTooLarge+"]") || !strings.Contains(texts[0], "[image image/gif: d"+noteTooLarge+"]") ||
		strings.Count(texts[0], noteTooLarge) != 2 {
		t.Errorf("%q", texts[0][64<<10:])
	}
	if len(line) > MaxLineBytes {
		t.Errorf("%d bytes", len(line))
	}
}

// An opening says that a client takes no images, and one that does not know the word refuses it.
func TestAnOpeningSaysThatItsClientTakesNoImages(t *testing.T) {
	for _, textOnly := range []bool{false, true} {
		want := Opening{Session: sessionID, Workspace: "/work", TextOnly: textOnly}
		line := want.line()
		_, got, err := readOpening(line)
		if d := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Peer" }, cmp.Ignore())); d != "" || err != nil {
			t.Error(err, d)
		}
		if strings.Contains(string(line), "text_only") != textOnly {
			t.Errorf("%s", line)
		}
	}
}
