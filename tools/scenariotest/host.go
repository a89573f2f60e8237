package scenariotest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"countersign/backend/host/process"
	"countersign/backend/host/search"
	"countersign/backend/host/workspace"
	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/spill"
	"countersign/backend/tool"
)

// Opener opens the machine over the workspace at root for a product whose home is home.
// It closes what it opened when the test ends.
type Opener func(t *testing.T, root, home string, clock tool.Clock) tool.Host

// Files is a machine with files alone.
func Files(t *testing.T, root, home string, clock tool.Clock) tool.Host {
	t.Helper()
	return tool.Host{Files: opened(t, root, home, clock), Clock: clock}
}

func opened(t *testing.T, root, home string, clock tool.Clock) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(root, workspace.Options{Home: home, OutputDir: filepath.Join(home, "output"), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// machine is what all tests of a program run commands with.
var machine = sync.OnceValues(process.NewMachine)

// Running is a machine with files, an output store and a shell.
func Running(t *testing.T, root, home string, clock tool.Clock) tool.Host {
	t.Helper()
	m, err := machine()
	if err != nil {
		t.Fatal(err)
	}
	host := keeping(t, root, home, clock)
	s := m.Session(process.Options{Session: "s-1", Environ: os.Environ(), Clock: clock})
	// Before what it writes to is closed.
	t.Cleanup(func() {
		if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	host.Processes = s
	return host
}

// keeping is a machine with files and a store for output.
func keeping(t *testing.T, root, home string, clock tool.Clock) tool.Host {
	t.Helper()
	w := opened(t, root, home, clock)
	kept, err := spill.Open(filepath.Join(home, "output"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	return tool.Host{Files: w, Clock: clock, Output: kept.For("s-1", "i-1")}
}

// Searching is a machine with files, ripgrep and an output store.
func Searching(t *testing.T, root, home string, clock tool.Clock) tool.Host {
	t.Helper()
	host := keeping(t, root, home, clock)
	w := host.Files
	program, err := search.Find("")
	if err != nil {
		t.Fatal("these tests need ripgrep: build/dev/setup.sh test")
	}
	place := pathclass.Place{Workspace: w.Root(), OwnHome: home}
	host.Search = &search.Searcher{Program: program.Path, Workspace: w.Root(), Held: func(root tool.Path, real string) bool {
		p, err := w.Resolve(real)
		return err != nil || policy.ReadHold(p, place) > policy.ReadHold(root, place)
	}}
	return host
}
