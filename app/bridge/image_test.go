package bridge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestAnImageOfAResultIsDrawnFromOurOwnStoreOrSaysWhyNot(t *testing.T) {
	sum := strings.Repeat("1", 64)
	image := func(width, height int) backend.Image {
		return backend.Image{Image: session.Image{SHA256: sum, Mime: "image/png", Bytes: 90, Width: width, Height: height}}
	}
	a := newAPI(t, &fakeEngine{images: map[string]backend.Image{"fine": image(20_000, 10), "unread": image(0, 0), "bomb": image(65_535, 65_535)}})
	parts := []Part{{Type: "text", Text: "said"}}
	for _, handle := range []string{"fine", "unread", "bomb", "gone"} {
		parts = append(parts, Part{Type: string(tool.PartImage), Mime: "image/png", Handle: handle})
	}
	if err := a.imageRows(t.Context(), "s1", parts); err != nil {
		t.Fatal(err)
	}
	part := func(handle, source, trouble string, bytes, width, height int) Part {
		return Part{Type: "image", Mime: "image/png", Handle: handle, Source: source, Trouble: trouble, Bytes: bytes, Width: width, Height: height}
	}
	want := []Part{
		{Type: "text", Text: "said"},
		part("fine", "/media/sha256-"+sum, "", 90, 20_000, 10),
		part("unread", "", "This image cannot be shown: its size in pixels cannot be read, so it may be broken.", 90, 0, 0),
		part("bomb", "", "This image is not shown: drawn, it would take more memory than the 40,000,000 pixels that are allowed.", 90, 65_535, 65_535),
		part("gone", "", "This image is no longer kept. What the tool said beside it is still here.", 0, 0, 0),
	}
	if d := cmp.Diff(want, parts); d != "" {
		t.Error(d)
	}
	if _, err := ImagesOf(a).Read(want[1].Source); err == nil || err.(*Error).Code != CodeNotFound {
		t.Error(err)
	}
}
