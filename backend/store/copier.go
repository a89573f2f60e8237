package store

import (
	"context"
	"database/sql"
	"sync/atomic"
)

const (
	// copyAfter is how much may be written, in bytes, before the log is copied back.
	copyAfter = 16 << 20
	// logLimit is the length of the log, in pages, at which writers wait until it has
	// been copied back: without it a store that never rests would fill the disk.
	logLimit = 16 << 10
)

// copier copies the write-ahead log back into the database on a connection of its
// own. Only when a copy was complete can the log start anew, so the writer copies
// the few pages that were added meanwhile itself, when it has nothing to do, or at
// the latest after the next group.
type copier struct {
	db      *sql.DB
	written int64
	start   chan struct{}
	stop    chan struct{}
	gone    chan struct{}
	// rest says that a copy has just been made and only a rest is left.
	rest atomic.Bool
	long atomic.Bool
}

func newCopier(db *sql.DB) *copier {
	c := &copier{db: db, start: make(chan struct{}, 1), stop: make(chan struct{}), gone: make(chan struct{})}
	go c.loop()
	return c
}

// count adds what a statement may put into the log: its page and its values.
func (c *copier) count(args []any) {
	c.written += pageBytes
	for _, a := range args {
		switch v := a.(type) {
		case string:
			c.written += int64(len(v))
		case []byte:
			c.written += int64(len(v))
		}
	}
}

// wrote starts a copy when enough was written. Only the writer calls it.
func (c *copier) wrote(w *writer) {
	c.finish(w)
	if c.written < copyAfter {
		return
	}
	c.written = 0
	select {
	case c.start <- struct{}{}:
	default:
	}
}

// finish copies the rest after a copy. Only the writer calls it.
func (c *copier) finish(w *writer) {
	if !c.rest.CompareAndSwap(true, false) || w.conn == nil {
		return
	}
	text := "PRAGMA wal_checkpoint(PASSIVE)"
	if c.long.Load() {
		text = "PRAGMA wal_checkpoint(RESTART)"
	}
	// It is tried again after the next copyAfter bytes; the log loses nothing by it.
	_, _ = checkpoint(w.conn, text)
}

func (c *copier) loop() {
	defer close(c.gone)
	for {
		select {
		case <-c.stop:
			return
		case <-c.start:
		}
		conn, err := c.db.Conn(context.Background())
		if err != nil {
			continue
		}
		pages, err := checkpoint(conn, "PRAGMA wal_checkpoint(PASSIVE)")
		_ = conn.Close()
		c.long.Store(pages > logLimit)
		c.rest.Store(err == nil)
	}
}

func (c *copier) close() {
	close(c.stop)
	<-c.gone
}

// checkpoint runs one and returns how many pages the log holds.
func checkpoint(conn *sql.Conn, text string) (pages int, err error) {
	var busy, done int
	err = conn.QueryRowContext(context.Background(), text).Scan(&busy, &pages, &done)
	return pages, err
}
