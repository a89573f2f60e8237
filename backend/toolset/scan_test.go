package toolset_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/toolset"
)

func places(t *testing.T) toolset.Places {
	t.Helper()
	return toolset.Places{Home: t.TempDir(), UserHome: t.TempDir(), Workspace: t.TempDir(), Crystal: true}
}

// folders are the four trees of places, in their order.
func folders(p toolset.Places) []string {
	return []string{
		filepath.Join(p.Workspace, ".countersign", "tools"), filepath.Join(p.Workspace, ".crystal", "tools"),
		filepath.Join(p.Home, "tools"), filepath.Join(p.UserHome, ".crystal", "tools"),
	}
}

func named(tool string) []byte {
	return []byte(`{"runner":"exec","command":["run"],"tools":[{"name":"` + tool + `","description":"d","schema":{}}]}`)
}

// statuses are the sets by their trees, in order, with what became of each.
func statuses(inventory toolset.Inventory) []string {
	var out []string
	for _, e := range inventory.Entries {
		words := string(e.Tree.Origin) + " " + e.Tree.Folder + " " + e.Directory + " " + string(e.Status)
		for _, t := range e.Tools {
			words += " " + t.Name
		}
		out = append(out, words)
	}
	return out
}

// spec: CT-5, CT-11
func TestTheFirstTreeHidesTheRestWhole(t *testing.T) {
	p := places(t)
	for i, folder := range folders(p) {
		put(t, filepath.Join(folder, "x", "tools.json"), named("of"+string(rune('a'+i))))
	}
	for i := range 4 {
		got := statuses(scan(t, p))
		want := []string{}
		for j, tree := range []string{"project .countersign", "project .crystal", "home .countersign", "home .crystal"}[i:] {
			status := "hidden"
			if j == 0 {
				status = "loaded of" + string(rune('a'+i))
			}
			want = append(want, tree+" x "+status)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("without the first %d (-want +got):\n%s", i, diff)
		}
		if err := os.RemoveAll(folders(p)[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// spec: CT-5, CT-14
func TestWhatIsSwitchedOffOrBrokenHidesToo(t *testing.T) {
	for _, text := range []string{`{"runner":"exec","enabled":false,"description":"d","schema":{},"command":["a"]}`, "{", ""} {
		p := places(t)
		put(t, filepath.Join(folders(p)[0], "x", "tools.json"), []byte(text))
		put(t, filepath.Join(folders(p)[2], "x", "tools.json"), named("deploy"))
		got := scan(t, p)
		if len(loaded(got)) > 0 || got.Entries[1].Status != toolset.StatusHidden || got.Entries[1].HiddenBy.Origin != toolset.OriginProject {
			t.Errorf("%q: %v", text, statuses(got))
		}
		if off := strings.Contains(text, "false"); off == (len(got.Notes) > 0) {
			t.Errorf("%q has the notes %v", text, got.Notes)
		}
	}
}

func TestTheTreesOfCrystalCanBeLeftOut(t *testing.T) {
	p := places(t)
	for _, folder := range folders(p) {
		put(t, filepath.Join(folder, "x", "tools.json"), named("deploy"))
	}
	p.Crystal = false
	if diff := cmp.Diff([]string{"project .countersign x loaded deploy", "home .countersign x hidden"}, statuses(scan(t, p))); diff != "" {
		t.Error(diff)
	}
	p.Workspace = ""
	if diff := cmp.Diff([]string{"home .countersign x loaded deploy"}, statuses(scan(t, p))); diff != "" {
		t.Error(diff)
	}
}

func TestNothingOfAnUntrustedWorkspaceIsRead(t *testing.T) {
	p := places(t)
	put(t, filepath.Join(folders(p)[0], "x", "tools.json"), named("deploy"))
	put(t, filepath.Join(folders(p)[1], "broken", "tools.json"), []byte("{"))
	put(t, filepath.Join(folders(p)[2], "x", "tools.json"), named("ship"))
	got, err := toolset.Scan(t.Context(), toolset.Options{Trees: p.Trees(), Reserved: func(string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"project .countersign x untrusted", "project .crystal broken untrusted", "home .countersign x loaded ship"}
	if diff := cmp.Diff(want, statuses(got)); diff != "" || len(got.Notes) > 0 {
		t.Errorf("notes %v (-want +got):\n%s", got.Notes, diff)
	}
}

// spec: CT-10
func TestTheFirstSetKeepsAName(t *testing.T) {
	p := places(t)
	put(t, filepath.Join(folders(p)[0], "zeta", "tools.json"), named("deploy"))
	put(t, filepath.Join(folders(p)[0], "Zeta", "tools.json"), named("other"))
	put(t, filepath.Join(folders(p)[1], "beta", "tools.json"), named("deploy"))
	put(t, filepath.Join(folders(p)[2], "alpha", "tools.json"), []byte(`{"runner":"exec","command":["run"],"tools":[
		{"name":"deploy","description":"d","schema":{}},{"name":"bash","description":"d","schema":{}},{"name":"Deploy","description":"d","schema":{}}]}`))
	got := scan(t, p)
	want := []string{
		"project .countersign Zeta loaded other", "project .countersign zeta loaded deploy", "project .crystal beta skipped",
		"home .countersign alpha loaded Deploy",
	}
	if diff := cmp.Diff(want, statuses(got)); diff != "" {
		t.Error(diff)
	}
	var fields []string
	for _, n := range got.Notes {
		fields = append(fields, n.Set+" "+n.Field)
	}
	if diff := cmp.Diff([]string{"beta tools.0.name", "beta ", "alpha tools.0.name", "alpha tools.1.name"}, fields); diff != "" {
		t.Errorf("%+v\n%s", got.Notes, diff)
	}
	// A set that is left out, hidden or off takes no name.
	put(t, filepath.Join(folders(p)[0], "zeta", "tools.json"), []byte(`{"runner":"exec"}`))
	if got := loaded(scan(t, p)); !maps.EqualFunc(got, map[string][]string{"Zeta": {"other"}, "beta": {"deploy"}, "alpha": {"Deploy"}}, slices.Equal[[]string]) {
		t.Errorf("with a broken first: %v", got)
	}
}

// spec: CT-6
func TestNamesThatDifferInCaseAreOneSetWhereFilesAre(t *testing.T) {
	p := places(t)
	put(t, filepath.Join(folders(p)[0], "Acme", "tools.json"), named("a"))
	put(t, filepath.Join(folders(p)[2], "acme", "tools.json"), named("b"))
	got, err := toolset.Scan(t.Context(), toolset.Options{Trees: p.Trees(), Trusted: true, Reserved: func(string) bool { return false }, FoldCase: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"project .countersign Acme loaded a", "home .countersign acme hidden"}, statuses(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLinks(t *testing.T) {
	p := places(t)
	elsewhere := t.TempDir()
	put(t, filepath.Join(elsewhere, "set", "tools.json"), named("linked"))
	put(t, filepath.Join(p.Workspace, "sets", "inside", "tools.json"), named("inside"))
	link := func(to, path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(elsewhere, "set"), filepath.Join(folders(p)[2], "home"))
	link(filepath.Join(elsewhere, "set"), filepath.Join(folders(p)[0], "outside"))
	link("../../sets/inside", filepath.Join(folders(p)[0], "within"))
	link("nowhere", filepath.Join(folders(p)[0], "dangling"))
	link("/dev", filepath.Join(folders(p)[0], "devices"))
	want := []string{"project .countersign outside skipped", "project .countersign within loaded inside", "home .countersign home loaded linked"}
	if diff := cmp.Diff(want, statuses(scan(t, p))); diff != "" {
		t.Error(diff)
	}
}

func TestADotnetSetNeedsARuntime(t *testing.T) {
	p := places(t)
	put(t, filepath.Join(folders(p)[2], "Acme.Tools", "tools.json"), []byte(`{"runner":"dotnet","assembly":"Acme.Tools.dll"}`))
	got, err := toolset.Scan(t.Context(), toolset.Options{Trees: p.Trees(), Reserved: func(string) bool { return false }, NoDotnet: toolset.ErrNoRuntime})
	if err != nil {
		t.Fatal(err)
	}
	if got.Entries[0].Status != toolset.StatusUnavailable || len(got.Notes) != 1 || got.Notes[0].Field != "runner" || !strings.Contains(got.Notes[0].Text, "Install mono-runtime") {
		t.Errorf("%v %v", statuses(got), got.Notes)
	}
}

func TestATreeThatIsNoDirectoryIsTold(t *testing.T) {
	p := places(t)
	put(t, folders(p)[2], []byte("a file"))
	got := scan(t, p)
	if len(got.Entries) != 0 || len(got.Notes) != 1 || got.Notes[0].Tree.Origin != toolset.OriginHome {
		t.Errorf("%+v", got)
	}
}

func TestAScanEndsWithItsContext(t *testing.T) {
	p := places(t)
	put(t, filepath.Join(folders(p)[2], "x", "tools.json"), named("deploy"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := toolset.Scan(ctx, toolset.Options{Trees: p.Trees(), Reserved: func(string) bool { return false }}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
