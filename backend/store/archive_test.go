package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/store"
)

func archive(t *testing.T, home string) *store.Archive {
	t.Helper()
	a, err := store.OpenArchive(t.Context(), home)
	must(t, err)
	t.Cleanup(func() { must(t, a.Close()) })
	return a
}

func TestAnArchiveReadsWhatAnotherProgramWritesAndRegistersNothing(t *testing.T) {
	home := t.TempDir()
	s := at(t, home)
	made, err := s.CreateSession(t.Context(), session.Session{Workspace: "/work"})
	must(t, err)
	locks, err := os.ReadDir(filepath.Join(home, "locks"))
	must(t, err)
	a := archive(t, home)
	got, err := a.Session(t.Context(), made.ID)
	must(t, err)
	if got.Owner != s.Program() || got.Workspace != "/work" {
		t.Errorf("got %+v", got)
	}
	if now, err := os.ReadDir(filepath.Join(home, "locks")); err != nil || len(now) != len(locks) {
		t.Errorf("there are %d locks instead of %d, %v", len(now), len(locks), err)
	}
	if list, err := a.Sessions(t.Context(), 10, ""); err != nil || len(list) != 1 {
		t.Errorf("got %+v, %v", list, err)
	}
	if ids, err := a.SessionIDs(t.Context(), made.ID[:3], 2); err != nil || !cmp.Equal(ids, []string{made.ID}) {
		t.Errorf("got %q, %v", ids, err)
	}
	if ids, err := a.SessionIDs(t.Context(), "%", 2); err != nil || len(ids) != 0 {
		t.Errorf("got %q, %v", ids, err)
	}
}

func TestAnArchiveLeavesAHomeAsItIs(t *testing.T) {
	home := t.TempDir()
	must(t, at(t, home).Close())
	// What a program leaves that could not open the database on a full disk.
	must(t, os.WriteFile(filepath.Join(home, "countersign.db-wal"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(home, "countersign.db-shm"), nil, 0o600))
	before := contents(t, home)
	a, err := store.OpenArchive(t.Context(), home)
	must(t, err)
	_, err = a.Sessions(t.Context(), 10, "")
	must(t, err)
	must(t, a.Close())
	if d := cmp.Diff(before, contents(t, home)); d != "" {
		t.Errorf("the home was touched\n%s", d)
	}
}

func TestAnArchiveIsOfThisProgramsVersionOnly(t *testing.T) {
	home := t.TempDir()
	if _, err := store.OpenArchive(t.Context(), home); err == nil {
		t.Error("a home without a history was opened")
	}
	expectFiles(t, home)
	must(t, at(t, home).Close())
	raw(t, home, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
	if _, err := store.OpenArchive(t.Context(), home); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
}
