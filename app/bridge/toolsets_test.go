package bridge

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"countersign/backend"
	"countersign/backend/shelf"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

func TestASetOfAFolderIsNamedByWhoseItIs(t *testing.T) {
	for _, source := range []string{"", "builtin", "Home", "elsewhere"} {
		_, err := newAPI(t, &fakeEngine{}).SetDrift(SetRef{Source: source, Name: "acme"})
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != CodeInvalid {
			t.Errorf("%q: %v", source, err)
		}
	}
	for _, name := range []string{"", strings.Repeat("a", maxSetName+1)} {
		if err := newAPI(t, &fakeEngine{}).AcceptSet(SetAcceptance{Source: "home", Name: name, Fingerprint: "f"}); err == nil {
			t.Errorf("%d characters were taken for a name", len(name))
		}
	}
	if err := newAPI(t, &fakeEngine{}).AcceptSet(SetAcceptance{Source: "home", Name: "acme"}); err == nil {
		t.Error("a set was accepted without the fingerprint that was shown")
	}
}

func TestWhatKeepsASetAsItIsIsSaidInWords(t *testing.T) {
	refusal := &manifest.Refusal{Note: manifest.Note{Text: "tools.json: The file is not JSON."}}
	for err, words := range map[error]string{
		toolset.ErrNoSet: "not there any more", toolset.ErrUntrusted: "Trust it first", shelf.ErrMoved: "Look at the change again",
		refusal: "The file is not JSON", fs.ErrPermission: "rights of its folder",
	} {
		_, got := newAPI(t, &fakeEngine{err: fmt.Errorf("switch: %w", err)}).SwitchSet(SetChange{Source: "home", Set: "acme", On: true})
		var fault *Error
		if !errors.As(got, &fault) || !strings.Contains(fault.Message, words) {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestSetsAreListedWithWhatHidesThem(t *testing.T) {
	tree := func(origin toolset.Origin, folder string) toolset.Tree {
		return toolset.Tree{Origin: origin, Folder: folder}
	}
	project, home, crystal := tree("project", ".countersign"), tree("home", ".countersign"), tree("home", ".crystal")
	entry := func(at toolset.Tree, status toolset.Status, path string, by *toolset.Tree) shelf.Set {
		return shelf.Set{Entry: toolset.Entry{Tree: at, Directory: "acme", Path: path, Status: status, HiddenBy: by}}
	}
	f := &fakeEngine{sets: backend.ToolSets{Loaded: shelf.Loaded{
		Stale: true,
		Sets: []shelf.Set{
			entry(project, toolset.StatusSkipped, "/w/.countersign/tools/acme", nil),
			entry(home, toolset.StatusHidden, "/home/me/.countersign/tools/acme", &project),
			entry(crystal, toolset.StatusHidden, "/elsewhere/tools/acme", &project),
		},
		Notes: []toolset.Note{
			{NoteKey: toolset.NoteKey{Set: "acme", Tree: project}, Field: "runner", Text: "Write exec."},
			{NoteKey: toolset.NoteKey{Set: "acme", Tree: home}, Text: "other"},
		},
	}}}
	api := New(t.Context(), Config{Engine: f, UserHome: "/home/me", Workspace: "/w"})
	view, err := api.Tools()
	if err != nil || len(view.Sets) != 3 || !view.Stale {
		t.Fatalf("got %+v, %v", view, err)
	}
	top, low, last := view.Sets[0], view.Sets[1], view.Sets[2]
	if top.Hides != "home" || top.Folder != ".countersign/tools/acme" || top.Switchable || len(top.Notes) != 1 || top.Notes[0].Text != "Write exec." {
		t.Errorf("got %+v", top)
	}
	if low.HiddenBy != "project" || low.Folder != "~/.countersign/tools/acme" || low.Status != "hidden" || low.Switchable {
		t.Errorf("got %+v", low)
	}
	if last.Folder != "/elsewhere/tools/acme" || last.Key == low.Key {
		t.Errorf("got %+v", last)
	}
}
