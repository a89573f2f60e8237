package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"countersign/backend/session"
	"countersign/backend/store"
)

// spec: VS-6, VS-11d
func TestKilledProgramIsSettledByTheNext(t *testing.T) {
	home := t.TempDir()
	c := start(t, "live", home)
	c.expect(t, "ready")
	s := at(t, home)
	if err := s.AdoptSession(t.Context(), "s1"); !errors.Is(err, session.ErrNotOwned) {
		t.Fatalf("the session of a living process was adopted: %v", err)
	}
	if _, err := s.TakeDesk(); !errors.Is(err, store.ErrDeskTaken) {
		t.Fatalf("the desk of a living process was taken: %v", err)
	}
	v, err := s.Session(t.Context(), "s1")
	must(t, err)
	seq := v.LastSeq
	must(t, s.Sweep(t.Context()))
	if v, err = s.Session(t.Context(), "s1"); err != nil || v.LastSeq != seq {
		t.Fatalf("the session of a living process was swept: %v", err)
	}
	c.kill(t)
	must(t, s.Sweep(t.Context()))
	expectSettled(t, s, "s1")
	expectFiles(t, filepath.Join(home, "locks"), "entry", s.Program()+".lock")
	release, err := s.TakeDesk()
	must(t, err)
	release()
}

func TestAdoptionOfADeadProgramsSessionSettlesIt(t *testing.T) {
	home := t.TempDir()
	c := start(t, "live", home)
	c.expect(t, "ready")
	s := at(t, home)
	c.kill(t)
	must(t, s.AdoptSession(t.Context(), "s1"))
	must(t, s.ReleaseSession(t.Context(), "s1"))
	expectSettled(t, s, "s1")
}

func TestOpeningSettlesWhatAKilledProgramLeft(t *testing.T) {
	home := t.TempDir()
	c := start(t, "live", home)
	c.expect(t, "ready")
	c.kill(t)
	s := at(t, home)
	expectSettled(t, s, "s1")
	abandoned := func(s *store.Store) []string {
		t.Helper()
		got, err := s.Abandoned(t.Context())
		must(t, err)
		return got
	}
	// Whoever looked for what was left may have died over it.
	for _, s := range []*store.Store{s, at(t, home)} {
		if got := abandoned(s); !slices.Equal(got, []string{"s1"}) {
			t.Errorf("abandoned: %q", got)
		}
	}
	must(t, s.Searched(t.Context(), "s1"))
	if got := abandoned(at(t, home)); got != nil {
		t.Errorf("abandoned once more: %q", got)
	}
}

func TestFullDiskLosesNothingAndPasses(t *testing.T) {
	c := start(t, "limited", t.TempDir())
	c.expect(t, "tool.storage_unavailable: The disk is full, so no call can be recorded and none runs. Free some space; Countersign goes on by itself.")
	c.expect(t, "false true")
	c.expect(t, "ok")
	c.expect(t, "true")
	// Everything that was stored before, and the message after.
	c.expect(t, "1")
}

func TestHomeThatCannotBeWrittenIsSaid(t *testing.T) {
	const said = "tool.storage_unavailable: The home folder cannot be written, so no call can be recorded and none runs. Check who owns it and whether its disk is read-only."
	mode := os.FileMode(0o500)
	if os.Getuid() == 0 {
		mode = 0o755 // the child is somebody else
	}
	for name, prepare := range map[string]func(t *testing.T, home string){
		"empty": func(*testing.T, string) {},
		"used":  func(t *testing.T, home string) { must(t, at(t, home).Close()) },
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			must(t, os.Chmod(filepath.Dir(parent), 0o755))
			home := filepath.Join(parent, "home")
			must(t, os.Mkdir(home, 0o700))
			prepare(t, home)
			must(t, os.Chmod(home, mode))
			t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
			start(t, "powerless", home).expect(t, said)
		})
	}
}
