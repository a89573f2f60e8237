package bridge

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/session"
	"countersign/backend/tool"
)

const (
	sumOld = "1111111111111111111111111111111111111111111111111111111111111111"
	sumNew = "2222222222222222222222222222222222222222222222222222222222222222"
)

// textEngine holds a waiting card, and a finished call with a change of the same file.
func textEngine() *fakeEngine {
	q := writeRequest()
	q.Pins = []tool.Pin{{Path: tool.Path{Arg: "notes.md", Rel: "notes.md"}, SHA256: sumOld}}
	unified := "@@ -2,1 +2,2 @@\n b\n+new\n"
	return &fakeEngine{
		sessions: []session.Session{writeSession()}, pending: []approval.Request{q},
		calls: map[string]session.Invocation{"done": {
			ID: "done", SessionID: "s1", ToolID: "edit", State: session.StateSucceeded, Canonical: []byte(`{"file_path":"notes.md"}`),
			Metadata: tool.Metadata{Diff: &unified, Extra: map[string]any{change.KeyBefore: sumOld, change.KeyAfter: sumNew, change.KeyNotes: []any{"A note."}}},
		}},
		texts: map[string]string{},
	}
}

func linesOf(d DiffLines) []string {
	out := []string{}
	for _, l := range d.Lines {
		out = append(out, l.Text)
	}
	return out
}

func TestLinesAroundAChangeComeFromWhatItWasMadeFrom(t *testing.T) {
	for _, row := range []struct {
		name  string
		texts map[string]string
		r     DiffLinesRequest
		want  DiffLines
		asked string
	}{
		{
			"a card", map[string]string{sumOld: "a\nb\nc\nd\n"}, DiffLinesRequest{Of: "approval", ID: "a1", Old: 3, New: 4, Count: 1},
			DiffLines{Lines: []TextLine{{Text: "c"}}, More: true}, "s1 notes.md",
		},
		{
			"a card whose file changed", nil, DiffLinesRequest{Of: "approval", ID: "a1", Old: 3, New: 4, Count: 1},
			DiffLines{Lines: []TextLine{}, Missing: missingChanged}, "s1 notes.md",
		},
		{
			"a call, by the new content", map[string]string{sumNew: "a\nb\nnew\nc\nd\n"}, DiffLinesRequest{Of: "call", ID: "done", Old: 3, New: 4, Count: 9},
			DiffLines{Lines: []TextLine{{Text: "c"}, {Text: "d"}}}, "s1 notes.md",
		},
		{
			"a call, by the old content", map[string]string{sumOld: "a\nb\nc\nd\n"}, DiffLinesRequest{Of: "call", ID: "done", Old: 3, New: 4, Count: 9},
			DiffLines{Lines: []TextLine{{Text: "c"}, {Text: "d"}}}, "s1 notes.md",
		},
		{
			"line ends that the diff leaves out", map[string]string{sumOld: "a\r\nb\r\nc\r\n"}, DiffLinesRequest{Of: "call", ID: "done", Old: 3, New: 4, Count: 9},
			DiffLines{Lines: []TextLine{{Text: "c"}}}, "s1 notes.md",
		},
		{
			"a call whose file changed", nil, DiffLinesRequest{Of: "call", ID: "done", Old: 3, New: 4, Count: 9},
			DiffLines{Lines: []TextLine{}, Missing: missingGone}, "s1 notes.md",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := textEngine()
			f.texts = row.texts
			got, err := newAPI(t, f).DiffLines(row.r)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(row.want, got); d != "" || f.asked != row.asked {
				t.Errorf("asked %q: %s", f.asked, d)
			}
		})
	}
}

func TestLinesOfADiffThatShowsItsReturnsKeepThem(t *testing.T) {
	f := textEngine()
	f.pending[0].Diffs = []tool.FileDiff{{Path: "notes.md", Unified: "@@ -1,2 +1,2 @@\n a\r\n-b\n+c\n"}}
	f.texts[sumOld] = "a\r\nb\nd\r\n"
	got, err := newAPI(t, f).DiffLines(DiffLinesRequest{Of: "approval", ID: "a1", Old: 3, New: 3, Count: 9})
	if d := cmp.Diff([]string{"d\r"}, linesOf(got)); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}

func TestLinesOfACallThatKeptNoHashesAreNotGuessed(t *testing.T) {
	f := textEngine()
	inv := f.calls["done"]
	inv.Metadata.Extra = map[string]any{change.KeyAfter: 7}
	f.calls["done"] = inv
	got, err := newAPI(t, f).DiffLines(DiffLinesRequest{Of: "call", ID: "done", Old: 1, New: 1, Count: 1})
	if err != nil || got.Missing != missingUnknown || f.asked != "" {
		t.Errorf("%+v, %v, asked %q", got, err, f.asked)
	}
}

func TestOddQuestionsAboutTextAreRefused(t *testing.T) {
	api := newAPI(t, textEngine())
	for _, r := range []DiffLinesRequest{
		{Of: "file", ID: "a1", Old: 1, New: 1, Count: 1},
		{Of: "call", ID: strings.Repeat("x", maxID+1), Old: 1, New: 1, Count: 1},
		{Of: "approval", ID: "a1", New: 1, Count: 1},
		{Of: "approval", ID: "a1", Old: 1, New: -1, Count: 1},
		{Of: "approval", ID: "a1", Old: 1, New: 1},
		{Of: "approval", ID: "a1", Old: 1, New: 1, Count: maxLines + 1},
		{Of: "approval", ID: "a1", File: 1, Old: 1, New: 1, Count: 1},
		{Of: "approval", ID: "a1", File: -1, Old: 1, New: 1, Count: 1},
		{Of: "call", ID: "done", File: 1, Old: 1, New: 1, Count: 1},
		{Of: "call", ID: "nowhere", Old: 1, New: 1, Count: 1},
	} {
		if got, err := api.DiffLines(r); err == nil {
			t.Errorf("%+v: %+v", r, got)
		}
	}
	for _, r := range []ExcerptRequest{
		{SessionID: "s1", First: 1, Count: 1},
		{SessionID: "s1", Path: strings.Repeat("x", maxPath+1), First: 1, Count: 1},
		{SessionID: "s1", Path: "a", Count: 1},
		{SessionID: "s1", Path: "a", First: 1, Count: maxLines + 1},
		{SessionID: strings.Repeat("x", maxID+1), Path: "a", First: 1, Count: 1},
	} {
		if got, err := api.Excerpt(r); err == nil {
			t.Errorf("%+v: %+v", r, got)
		}
	}
}

func TestAnExcerptIsTheFileOrWordsWhyNot(t *testing.T) {
	f := textEngine()
	f.lines = change.Excerpt{First: 3, Lines: []change.Line{{Text: "c", Left: 4}}, More: true}
	got, err := newAPI(t, f).Excerpt(ExcerptRequest{SessionID: "s1", Path: "a", First: 3, Count: 1})
	want := Excerpt{Path: "a", Absolute: "/w/a", First: 3, Lines: []TextLine{{Text: "c", Left: 4}}, More: true}
	if d := cmp.Diff(want, got); err != nil || d != "" || f.asked != "s1 a" {
		t.Errorf("%v, asked %q: %s", err, f.asked, d)
	}
	for cause, want := range map[error]string{
		backend.ErrProtected:                           "protected",
		backend.ErrNoWorkspace:                         CodeUnavailable,
		change.ErrBinary:                               "not_text",
		context.DeadlineExceeded:                       CodeUnavailable,
		ErrNotFound:                                    CodeNotFound,
		tool.Errorf(tool.CodeFileNotFound, "x"):        CodeNotFound,
		tool.Errorf(tool.CodeIsDirectory, "x"):         "not_text",
		tool.Errorf(tool.CodePolicyPathMoved, "x"):     "moved",
		tool.Errorf(tool.CodeIO, "secret /path/of/it"): "unreadable",
		errors.New("secret /path/of/it"):               CodeInternal,
	} {
		f.err = cause
		_, err := newAPI(t, f).Excerpt(ExcerptRequest{SessionID: "s1", Path: "a", First: 3, Count: 1})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != want || strings.Contains(e.Message, "secret") {
			t.Errorf("%v: %v", cause, err)
		}
	}
}

func TestAFinishedChangeKeepsItsNotes(t *testing.T) {
	got, err := newAPI(t, textEngine()).Call("done")
	if err != nil || len(got.Diffs) != 1 {
		t.Fatalf("%+v, %v", got.Diffs, err)
	}
	if d := cmp.Diff([]string{"A note."}, got.Diffs[0].Notes); d != "" {
		t.Error(d)
	}
}

// spec: KH-39, KH-44
func TestWhatASearchFoundIsTold(t *testing.T) {
	facts := map[string]any{"pattern": "x", "path": ".", "groups": []any{
		map[string]any{"path": "a.go", "lines": []any{map[string]any{"line": 3.0, "text": "x y x", "spans": []any{[]any{0.0, 1.0}, []any{4.0, 5.0}}}}},
		map[string]any{"path": `b\n.go`, "file": "b\n.go", "lines": []any{}},
	}}
	got := foundOf(tool.Metadata{Extra: facts, Truncation: &tool.Truncation{OmittedLines: 7}})
	want := Found{Kind: "lines", Left: 7, Groups: []MatchGroup{
		{Path: "a.go", Lines: []MatchLine{{Line: 3, Text: "x y x", Spans: []MatchSpan{{0, 1}, {4, 5}}}}},
		{Path: "b\n.go"},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = foundOf(tool.Metadata{Extra: map[string]any{"pattern": "*", "paths": []any{map[string]any{"path": "a", "mtime": "2026-07-25T12:00:00Z"}}}})
	if d := cmp.Diff(Found{Kind: "files", Files: []FoundFile{{Path: "a", ModifiedAt: "2026-07-25T12:00:00Z"}}}, got); d != "" {
		t.Error(d)
	}
	for _, none := range []map[string]any{nil, {"lines": 3.0}, {"groups": "odd"}} {
		if d := cmp.Diff(Found{}, foundOf(tool.Metadata{Extra: none})); d != "" {
			t.Errorf("%v: %s", none, d)
		}
	}
}
