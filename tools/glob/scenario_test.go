package glob_test

import (
	"flag"
	"path/filepath"
	"testing"

	"countersign/backend/host/search"
	"countersign/backend/host/workspace"
	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/spill"
	"countersign/backend/tool"
	"countersign/tools/glob"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, root, home string, clock tool.Clock) tool.Host {
	t.Helper()
	w, err := workspace.Open(root, workspace.Options{Home: home, OutputDir: filepath.Join(home, "output"), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	kept, err := spill.Open(filepath.Join(home, "output"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	program, err := search.Find("")
	if err != nil {
		t.Fatal("these tests need ripgrep: build/dev/setup.sh test")
	}
	place := pathclass.Place{Workspace: w.Root(), OwnHome: home}
	return tool.Host{
		Files: w, Clock: clock, Output: kept.For("s-1", "i-1"),
		Search: &search.Searcher{Program: program.Path, Workspace: w.Root(), Held: func(root tool.Path, real string) bool {
			p, err := w.Resolve(real)
			return err != nil || policy.ReadHold(p, place) > policy.ReadHold(root, place)
		}},
	}
}

// spec: KH-3, KH-41
func TestGlobAnswersAsItsContractSays(t *testing.T) {
	scenariotest.RunOn(t, *update, open, glob.Spec())
}
