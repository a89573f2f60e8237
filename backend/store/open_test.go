package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/event"
	"countersign/backend/registry/registrytest"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// raw opens the database of a home past the store.
func raw(t *testing.T, home string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(home, "countersign.db"))
	must(t, err)
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

// contents reads every file of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	}))
	return out
}

func refusal(t *testing.T, home string, want error) {
	t.Helper()
	_, err := store.Open(t.Context(), options(home))
	var coded *tool.Error
	if !errors.Is(err, want) || !errors.As(err, &coded) || coded.Code != tool.CodeStorageUnavailable || store.Words(err) == "" {
		t.Fatalf("got %v with words %q", err, store.Words(err))
	}
}

func TestDatabaseOfANewerProgramIsRefusedUntouched(t *testing.T) {
	for name, journal := range map[string]string{"closed": "DELETE", "log mode": "WAL"} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			must(t, at(t, home).Close())
			expectFiles(t, home, "countersign.db", "locks")
			raw(t, home, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`, `PRAGMA journal_mode = `+journal)
			before := contents(t, home)
			refusal(t, home, store.ErrNewer)
			if d := cmp.Diff(before, contents(t, home)); d != "" {
				t.Errorf("the home was touched\n%s", d)
			}
		})
	}
}

func TestDatabaseOfAnotherProductIsRefusedUntouched(t *testing.T) {
	home := t.TempDir()
	raw(t, home, `CREATE TABLE notes (text TEXT)`)
	before := contents(t, home)
	refusal(t, home, store.ErrForeign)
	if d := cmp.Diff(before, contents(t, home)); d != "" {
		t.Errorf("the home was touched\n%s", d)
	}
}

func TestMigrationWaitsForOlderPrograms(t *testing.T) {
	for _, row := range []struct {
		have   int64
		others bool
		want   error
	}{
		{0, false, nil}, {0, true, nil}, {1, false, nil}, {1, true, store.ErrInUse},
	} {
		if err := store.MayMigrate(row.have, row.others); !errors.Is(err, row.want) {
			t.Errorf("version %d with others %v: %v", row.have, row.others, err)
		}
	}
}

func TestMigrationsOnlyGoForward(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	must(t, err)
	if int64(len(files)) != store.Known() {
		t.Errorf("%d files for version %d", len(files), store.Known())
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		must(t, err)
		if bytes.Contains(b, []byte("+goose Down")) {
			t.Errorf("%s has a way back", f)
		}
	}
}

// spec: RS-13
func TestDatabaseIsSetUpAsPromised(t *testing.T) {
	s := fresh(t)
	for pragma, want := range map[string]string{"journal_mode": "wal", "foreign_keys": "1", "synchronous": "2", "busy_timeout": "5000"} {
		if got := s.WriterPragma(pragma); got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
	if got := s.ReaderPragma("query_only"); got != "1" {
		t.Errorf("readers can write: query_only is %s", got)
	}
}

func TestHomeIsPrivateAndMayLieDeep(t *testing.T) {
	for name, part := range map[string]string{
		"deep":     strings.Repeat("/a-rather-long-name-of-a-folder-0123456789", 8),
		"peculiar": "/with space/100%25?&#ü;x=y",
	} {
		t.Run(name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), part)
			must(t, os.MkdirAll(filepath.Dir(home), 0o700))
			must(t, os.MkdirAll(home, 0o755))
			must(t, os.Chmod(home, 0o755))
			s := at(t, home)
			make1(t, s, "s1")
			must(t, s.Propose(t.Context(), registrytest.Proposed("i1")))
			info, err := os.Stat(home)
			must(t, err)
			if info.Mode().Perm() != 0o700 {
				t.Errorf("the home has mode %o", info.Mode().Perm())
			}
			if _, err := os.Stat(filepath.Join(home, "countersign.db")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestHomeThatLiesTooDeepIsRefusedWithASentence(t *testing.T) {
	home := filepath.Join(t.TempDir(), strings.Repeat("/a-rather-long-name-of-a-folder-0123456789", 12))
	refusal(t, home, store.ErrTooDeep)
	if _, err := os.Stat(filepath.Dir(home)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was made: %v", err)
	}
	// A link does not make it shorter.
	must(t, os.MkdirAll(home, 0o700))
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(home, link))
	refusal(t, link, store.ErrTooDeep)
	// At the limit it works.
	parent := t.TempDir()
	at(t, filepath.Join(parent, strings.Repeat("x", 200), strings.Repeat("y", 480-len(parent)-202)))
}

func TestDamagedDatabaseIsSaidAndStaysSaid(t *testing.T) {
	const words = "The history in countersign.db is damaged."
	home := t.TempDir()
	s := at(t, home)
	make1(t, s, "s1")
	for n := range 200 {
		must(t, s.SetTitle(t.Context(), "s1", title(strings.Repeat("x", n))))
	}
	must(t, s.Close())
	path := filepath.Join(home, "countersign.db")
	whole, err := os.ReadFile(path)
	must(t, err)

	// The first page still reads well, the rest does not.
	must(t, os.WriteFile(path, append(whole[:4096:4096], bytes.Repeat([]byte{0xA5}, len(whole)-4096)...), 0o600))
	_, err = store.Open(t.Context(), options(home))
	if got := store.Words(err); !strings.HasPrefix(got, words) {
		t.Errorf("opening says %q for %v", got, err)
	}
	must(t, os.WriteFile(path, bytes.Repeat([]byte{0xA5}, len(whole)), 0o600))
	_, err = store.Open(t.Context(), options(home))
	if got := store.Words(err); !strings.HasPrefix(got, words) {
		t.Errorf("opening says %q for %v", got, err)
	}

	// Damage that shows only while the store is open.
	must(t, os.WriteFile(path, whole, 0o600))
	s = at(t, home)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	_, err = f.WriteAt(bytes.Repeat([]byte{0xA5}, len(whole)-4096), 4096)
	must(t, err)
	_, err = s.Events(t.Context(), "s1", 0, 100)
	if got := store.Words(err); !strings.HasPrefix(got, words) {
		t.Errorf("reading says %q for %v", got, err)
	}
	if h := s.Health(); h.OK || !strings.HasPrefix(h.Words, words) {
		t.Errorf("health is %+v", h)
	}
}

func TestFullDatabaseFailsOnlyTheWriteThatIsTooLarge(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	limit := s.LimitPages(20)
	release := s.Hold()
	small := queue(t, s, propose(t, s, t.Context(), "i1"))
	large := queue(t, s, func() error {
		inv := registrytest.Proposed("i2")
		inv.Raw = bytes.Repeat([]byte("x"), 1<<20)
		return s.Propose(t.Context(), inv)
	})
	after := queue(t, s, propose(t, s, t.Context(), "i3"))
	release()
	must(t, <-small)
	must(t, <-after)
	err := <-large
	if !strings.HasPrefix(store.Words(err), "The disk is full") {
		t.Errorf("got %v", err)
	}
	limit(0)
	must(t, s.Propose(t.Context(), registrytest.Proposed("i4")))
	if h := s.Health(); !h.OK {
		t.Errorf("health is %+v", h)
	}
	calls, err := s.Invocations(t.Context(), "s1", 0, 10)
	must(t, err)
	if len(calls) != 3 {
		t.Errorf("%d calls are stored", len(calls))
	}
}

func TestStoreFindsOutByItselfThatItCanWriteAgain(t *testing.T) {
	home := t.TempDir()
	o := options(home)
	var ear heard
	o.Sink = &ear
	s := with(t, o)
	raw(t, home, `ALTER TABLE trust RENAME TO away`)
	if err := s.SetTrust(t.Context(), "/root", true); err == nil {
		t.Fatal("a write worked")
	}
	if h := s.Health(); h.OK || h.Words == "" {
		t.Fatalf("health is %+v", h)
	}
	raw(t, home, `ALTER TABLE away RENAME TO trust`)
	// Nobody writes now.
	until(t, func() bool { return s.Health().OK })
	// Who shows it hears of both.
	changes := func() (n int) {
		for _, e := range ear.all() {
			if e.Type == event.StoreChanged {
				n++
			}
		}
		return n
	}
	until(t, func() bool { return changes() == 2 })
}

func TestStoredFilesAreForTheirOwnerAlone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	at(t, home)
	files, err := filepath.Glob(filepath.Join(home, "countersign.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", filepath.Base(f), info.Mode().Perm(), err)
		}
	}
}
