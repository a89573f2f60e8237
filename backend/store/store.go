package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/registry"
	"countersign/backend/tool"
)

// IDs makes new ids. They sort by the time at which they were made.
type IDs interface {
	NewID() string
}

// Options are what a store needs. Home, Clock and IDs are required.
type Options struct {
	// Home is the folder of the database and the lock files. It is made, with mode
	// 0700, if it is not there.
	Home  string
	Clock tool.Clock
	IDs   IDs
	// Sink gets every event of this program once it is on disk, in order. It must not
	// block. Nil drops them.
	Sink event.Sink
}

// Store is the database of a home. It is safe for concurrent use.
type Store struct {
	home  string
	clock tool.Clock
	ids   IDs

	program *program
	health  *health
	writer  *writer
	copier  *copier
	write   *sql.DB
	copy    *sql.DB
	read    *sql.DB
	reads   *statements
	// desk is the lock of the desk's place. It is kept here since a lock that nothing
	// refers to any more is closed with its file.
	desk atomic.Pointer[flock.Flock]

	closing sync.Once
	closed  error
}

var (
	_ registry.Journal = (*Store)(nil)
	_ approval.Ledger  = (*Store)(nil)
)

// deaf is the sink of a store that was given none.
type deaf struct{}

func (deaf) Emit(event.Event) {}

// Open opens the store of a home, brings its database up to date, registers this
// program and recovers what dead programs left unfinished. Its errors carry
// tool.CodeStorageUnavailable, and Words says what to do about them: ErrNewer and
// ErrForeign leave everything as it is, ErrInUse means that an older program must
// be closed first. The caller closes the store.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := open(ctx, o)
	if err != nil {
		return nil, fault("open the store", err)
	}
	if err := s.Sweep(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

func open(ctx context.Context, o Options) (_ *Store, err error) {
	if o.Sink == nil {
		o.Sink = deaf{}
	}
	s := &Store{home: o.Home, clock: o.Clock, ids: o.IDs}
	s.health = &health{changed: func() { o.Sink.Emit(event.Event{Type: event.StoreChanged, At: o.Clock.Now()}) }}
	path, err := databasePath(o.Home)
	if err != nil {
		return nil, err
	}
	// First of all, so that nothing in the home of a newer program is touched.
	if _, err := inspect(ctx, path); err != nil {
		return nil, err
	}
	if err := makePrivate(o.Home); err != nil {
		return nil, err
	}
	if err := makePrivateFile(path); err != nil {
		return nil, err
	}
	entry, err := enter(ctx, o.Home)
	if err != nil {
		return nil, err
	}
	defer entry.leave()
	defer func() {
		if err != nil {
			s.shut()
		}
	}()
	if s.write, err = openWriter(path); err != nil {
		return nil, err
	}
	if err := s.bringUpToDate(ctx, path); err != nil {
		return nil, err
	}
	if s.program, err = entry.register(o.IDs.NewID()); err != nil {
		return nil, err
	}
	if s.copy, err = openWriter(path); err != nil {
		return nil, err
	}
	if s.read, err = openReaders(path); err != nil {
		return nil, err
	}
	s.reads = &statements{prepare: s.read.PrepareContext, prepared: map[string]*sql.Stmt{}}
	s.copier = newCopier(s.copy)
	s.writer = newWriter(s.write, o.Sink, s.health, s.copier, func() error { return roomBeside(path) })
	return s, s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO programs (id, pid, started_at) VALUES (?, ?, ?)`, s.program.id, os.Getpid(), ms(s.clock.Now()))
		return err
	})
}

// databasePath is where the database of a home lies, with links followed as far as
// the home is there: that is the path that SQLite opens.
func databasePath(home string) (string, error) {
	path, err := filepath.Abs(home)
	if err != nil {
		return "", fmt.Errorf("find the home folder: %w", err)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if path = filepath.Join(path, fileName); len(path) > maxPath {
		return "", ErrTooDeep
	}
	return path, nil
}

// bringUpToDate migrates under the entry lock, and only while no other program
// works on the database as it is.
func (s *Store) bringUpToDate(ctx context.Context, path string) error {
	v, err := inspect(ctx, path)
	if err != nil || v.have == v.known {
		return err
	}
	if err := v.mayMigrate(anyAlive(s.home)); err != nil {
		return err
	}
	if err := migrate(ctx, s.write); err != nil {
		return fmt.Errorf("bring the database up to date: %w", err)
	}
	return nil
}

// Program returns the id of this program, as sessions name their owner.
func (s *Store) Program() string { return s.program.id }

// Close ends this program's part in the home: what it had unfinished is settled as
// after a crash, its sessions are released and its lock is given up. Writes that
// wait are done first; later ones fail. A second Close does nothing.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.closed = s.writer.do(context.Background(), func(t *tx) error { return s.bury(t, s.program.id) })
		s.shut()
	})
	return s.closed
}

// shut closes whatever was opened. The connection that writes goes last: the last one
// copies the log back and removes it, and a reader could not.
func (s *Store) shut() {
	if s.reads != nil {
		s.reads.close()
		_ = s.read.Close()
	}
	if s.copier != nil {
		s.copier.close()
	}
	if s.copy != nil {
		_ = s.copy.Close()
	}
	if s.writer != nil {
		s.writer.close()
	}
	if s.write != nil {
		_ = s.write.Close()
	}
	if s.program != nil {
		s.program.leave()
	}
}

// query reads rows on the read pool. Reads are short and bounded, so a caller that
// gives up in the middle is not worth the goroutine per row that watching it costs.
func (s *Store) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stmt, err := s.reads.get(text)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(context.WithoutCancel(ctx), args...)
}

// each reads rows and calls f for each of them.
func (s *Store) each(ctx context.Context, text string, args []any, f func(*sql.Rows) error) error {
	rows, err := s.query(ctx, text, args...)
	if err == nil {
		err = walk(rows, f)
	}
	s.health.saw(err)
	return fault("read", err)
}

// walk calls f for each row and closes the rows.
func walk(rows *sql.Rows, f func(*sql.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// one reads a single row; found is false without one.
func (s *Store) one(ctx context.Context, text string, args []any, into ...any) (found bool, err error) {
	err = s.each(ctx, text, args, func(rows *sql.Rows) error {
		found = true
		return rows.Scan(into...)
	})
	return found, err
}
