package bridge_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/app/bridge"
	"countersign/backend"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// printed ends a call that printed a text of which the model was given so much.
func printed(t *testing.T, e *backend.Engine, id, text string, seen *tool.Truncation) bridge.OutputRef {
	t.Helper()
	name := "bash-" + id + ".txt"
	path := filepath.Join(e.Paths().OutputDir(), "s1", name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
	propose(t, e, "s1", id, `{"command":"go test"}`)
	inv := registrytest.Proposed(id)
	inv.SessionID, inv.CallID = "s1", id
	inv = registrytest.Finished(inv, tool.StatusSucceeded)
	if seen != nil {
		seen.SpillPath = path
	}
	inv.Metadata.Truncation = seen
	must(t, e.Store().Finish(t.Context(), inv, nil, []session.Output{
		{SessionID: "s1", InvocationID: id, Path: path, Bytes: int64(len(text)), Lost: 5, CreatedAt: time.Now().UTC()},
	}))
	return bridge.OutputRef{SessionID: "s1", Name: name}
}

// spec: KH-20
func TestARealOutputIsReadSearchedAndKept(t *testing.T) {
	e, api := open(t)
	begin(t, e, "s1")
	var text strings.Builder
	for n := 1; n <= 3000; n++ {
		text.WriteString("line " + strconv.Itoa(n) + "\n")
	}
	text.WriteString(strings.Repeat("long ", 10_000) + "\x00\xffend")
	ref := printed(t, e, "i1", text.String(), &tool.Truncation{OriginalLines: 3001, ShownHeadLines: 250, ShownTailLines: 150, OmittedLines: 2601})

	detail, err := api.Call("i1")
	must(t, err)
	if d := cmp.Diff([]bridge.OutputRow{{SessionID: "s1", Name: ref.Name, Bytes: text.Len()}}, detail.Outputs); d != "" {
		t.Error(d)
	}
	page, err := api.OutputLines(bridge.OutputLinesRequest{SessionID: "s1", Name: ref.Name, From: 2999, Count: 50})
	must(t, err)
	if len(page.Lines) != 3 || page.Lines[0].Text != "line 2999" || page.Lines[2].Bytes != 50_005 || page.Lines[2].Shown > 4096 {
		t.Errorf("%+v", page.State)
	}
	view, err := api.Output(ref)
	must(t, err)
	if !view.Seen.Known || view.Seen.Head != 250 || view.Lost != 5 || view.Gone || view.Call.ID != "i1" || view.State.Bytes != text.Len() {
		t.Errorf("%+v", view)
	}
	want := strings.Index(text.String(), "line 2852") - strings.Index(text.String(), "line 251")
	if view.Seen.OmittedBytes != want {
		t.Errorf("%d bytes left out, want %d", view.Seen.OmittedBytes, want)
	}

	// The end of a long line is found piece by piece.
	at, tail := page.Lines[2].Shown, bridge.OutputPiece{}
	for more := true; more; more = tail.More {
		tail, err = api.OutputPiece(bridge.OutputPieceRequest{SessionID: "s1", Name: ref.Name, Line: 3001, From: at})
		must(t, err)
		at += tail.Shown
	}
	if at != 50_005 || !strings.HasSuffix(tail.Text, "long \uFFFDend") || len(tail.Hidden) != 1 || tail.Hidden[0].Hex != "00 ff" {
		t.Errorf("%d bytes, %+v", at, tail.Hidden)
	}

	found, err := api.OutputFind(bridge.OutputFindRequest{SessionID: "s1", Name: ref.Name, Words: "LINE 299"})
	must(t, err)
	if d := cmp.Diff([]int{299, 2990, 2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999}, found.Lines); d != "" || !found.Done {
		t.Error(found.Done, d)
	}
	if found, err = api.OutputFind(bridge.OutputFindRequest{SessionID: "s1", Name: ref.Name, Words: "LINE 299", Exact: true}); err != nil || len(found.Lines) != 0 {
		t.Errorf("%v, %v", found.Lines, err)
	}
	part, err := api.OutputRange(bridge.OutputRangeRequest{SessionID: "s1", Name: ref.Name, From: 2, To: 3})
	if err != nil || part.Text != "line 2\nline 3\n" || part.Cut {
		t.Errorf("%+v, %v", part, err)
	}

	kept, err := api.KeepOutput(ref)
	if err != nil || kept.KeptUntil == "" {
		t.Errorf("%+v, %v", kept, err)
	}
	must(t, bridge.FilesOf(api).Copy(ref, func(all io.Reader, size int64) error {
		b, err := io.ReadAll(all)
		if string(b) != text.String() || int64(len(b)) != size {
			t.Errorf("%d bytes saved", len(b))
		}
		return err
	}))
	if folder, err := bridge.FilesOf(api).Folder(ref); err != nil || folder != filepath.Join(e.Paths().OutputDir(), "s1") {
		t.Errorf("%s, %v", folder, err)
	}
}

func TestOnlyWhatACallLeftIsRead(t *testing.T) {
	e, api := open(t)
	begin(t, e, "s1")
	ref := printed(t, e, "i1", "text", nil)
	must(t, os.WriteFile(filepath.Join(e.Paths().OutputDir(), "s1", "other.txt"), []byte("x"), 0o600))
	for _, r := range []bridge.OutputRef{
		{SessionID: "s1", Name: "other.txt"}, {SessionID: "s1", Name: "../../config.json"}, {SessionID: "", Name: ref.Name},
		{SessionID: "s1", Name: filepath.Join(e.Paths().OutputDir(), "s1", ref.Name)}, {SessionID: "s1", Name: ""},
	} {
		_, err := api.Output(r)
		if fault, ok := errors.AsType[*bridge.Error](err); !ok || fault.Code != bridge.CodeNotFound {
			t.Errorf("%+v: %v", r, err)
		}
	}
	must(t, os.Remove(filepath.Join(e.Paths().OutputDir(), "s1", ref.Name)))
	if v, err := api.Output(ref); err != nil || !v.Gone {
		t.Errorf("%+v, %v", v, err)
	}
}
