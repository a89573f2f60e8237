package store

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

const (
	fileName = "countersign.db"
	// busyTimeout is how long a write waits for another program's write.
	busyTimeout = 5 * time.Second
	// maxPath is how long the path of the database may be, in bytes. SQLite is built for
	// 512, and it adds endings of its own.
	maxPath = 480 + 1 + len(fileName)
	// readers is how many reads run side by side.
	readers = 4
)

// address is the name under which SQLite opens the database. Everything special in
// a path is escaped, since SQLite reads the name as a URI.
func address(path string, options url.Values) string {
	options.Set("_busy_timeout", strconv.FormatInt(busyTimeout.Milliseconds(), 10))
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: options.Encode()}
	return u.String()
}

// openWriter opens the connection that writes. It makes the file if there is none.
func openWriter(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", address(path, url.Values{
		"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"}, "_cache_size": {"-16384"},
	}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// openReaders opens the pool that reads.
func openReaders(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", address(path, url.Values{"mode": {"ro"}, "_query_only": {"1"}}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	return db, nil
}

// statements prepares each text once on whatever it is given.
type statements struct {
	mu       sync.Mutex
	prepare  func(ctx context.Context, text string) (*sql.Stmt, error)
	prepared map[string]*sql.Stmt
}

func (s *statements) get(text string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt, ok := s.prepared[text]; ok {
		return stmt, nil
	}
	stmt, err := s.prepare(context.Background(), text)
	if err != nil {
		return nil, err
	}
	s.prepared[text] = stmt
	return stmt, nil
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	s.prepared = map[string]*sql.Stmt{}
}

// ms is an instant as it is stored, null for none.
func ms(t time.Time) int64 { return t.UnixMilli() }

func msOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMilli()
}

func instant(n int64) time.Time { return time.UnixMilli(n).UTC() }

func instantOrNil(n sql.NullInt64) *time.Time {
	if !n.Valid {
		return nil
	}
	t := instant(n.Int64)
	return &t
}
