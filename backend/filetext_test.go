package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/tool"
)

// The content of a change is there while the file holds it, or a kept version does.
func TestTextOfAChangeIsTheVeryContentOrNothing(t *testing.T) {
	s := newScene(t)
	old := strings.Repeat("line\n", 50) + "one\n"
	s.put(t, "a.go", old)
	ended(t, s.call(t, read("a.go")), tool.StatusSucceeded, "")
	done := s.call(t, edit("a.go", "one", "two"))
	q := s.asked(t)
	text := func(hashes ...string) (string, int, error) {
		t.Helper()
		content, which, err := s.FileText(t.Context(), q.SessionID, "a.go", hashes)
		return string(content), which, err
	}
	if got, _, err := text(q.Pins[0].SHA256); err != nil || got != old {
		t.Errorf("while it waits: %d bytes, %v", len(got), err)
	}
	answerCard(t, s.Engine, q.ID, approval.AllowOnce, "")
	o := ended(t, done, tool.StatusSucceeded, "")
	before, _ := o.Metadata.Extra[change.KeyBefore].(string)
	after, _ := o.Metadata.Extra[change.KeyAfter].(string)
	if before != q.Pins[0].SHA256 {
		t.Errorf("the result was made from %q, the card from %q", before, q.Pins[0].SHA256)
	}
	if got, which, err := text(before, after); err != nil || which != 1 || !strings.HasSuffix(got, "two\n") {
		t.Errorf("right after: %d, %d bytes, %v", which, len(got), err)
	}
	s.put(t, "a.go", "somebody else\n")
	if got, which, err := text(before, after); err != nil || which != 0 || got != old {
		t.Errorf("after another change, from the kept version: %d, %d bytes, %v", which, len(got), err)
	}
	if _, _, err := text(after); !errors.Is(err, ErrNotKept) {
		t.Errorf("content that nothing holds: %v", err)
	}
	if err := os.Remove(filepath.Join(s.workspace, "a.go")); err != nil {
		t.Fatal(err)
	}
	if got, _, err := text(before); err != nil || got != old {
		t.Errorf("without the file: %d bytes, %v", len(got), err)
	}
}

func TestTextIsReadOfASessionThatIsNotOpen(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", "one\ntwo\n")
	id := s.s.ID()
	s.s.Close()
	if _, lines, err := s.Excerpt(t.Context(), id, "a.txt", 2, 1); err != nil || len(lines.Lines) != 1 || lines.Lines[0].Text != "two" {
		t.Errorf("%+v, %v", lines, err)
	}
	if err := os.RemoveAll(s.workspace); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Excerpt(t.Context(), id, "a.txt", 1, 1); !errors.Is(err, ErrNoWorkspace) {
		t.Errorf("without its workspace: %v", err)
	}
}

// An excerpt shows what the session could read unasked, and nothing else.
func TestExcerptKeepsToWhatTheSessionMayRead(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", "one\ntwo\n")
	s.put(t, ".env", "TOKEN=1\n")
	outside := s.put(t, filepath.Join(t.TempDir(), "b.txt"), "theirs\n")
	if err := os.Symlink(outside, filepath.Join(s.workspace, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.workspace, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{".env": ErrProtected, outside: ErrProtected, "link": ErrProtected, "../" + filepath.Base(s.workspace) + "/a.txt": nil} {
		if _, lines, err := s.Excerpt(t.Context(), s.s.ID(), path, 1, 9); !errors.Is(err, want) || err != nil && len(lines.Lines) > 0 {
			t.Errorf("%s: %d lines, %v", path, len(lines.Lines), err)
		}
	}
	for path, want := range map[string]tool.Code{"dir": tool.CodeIsDirectory, "gone": tool.CodeFileNotFound} {
		_, _, err := s.Excerpt(t.Context(), s.s.ID(), path, 1, 9)
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Code != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
