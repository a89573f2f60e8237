package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"

	"countersign/backend/event"
	"countersign/backend/record"
)

const (
	// maxGroup is how many writes are committed together at most.
	maxGroup = 256
	// probeEvery is how often a store that could not write tries again by itself.
	probeEvery = 2 * time.Second
)

// unit is one write that a caller waits for. It may run more than once, so run
// must set results only from what it reads in its last run.
type unit struct {
	ctx  context.Context
	run  func(*tx) error
	done chan error
	// claimed is set by the writer when it takes the unit up, or by the caller when
	// it gives up: whoever comes first.
	claimed atomic.Bool

	err    error
	events []event.Event
}

// writer is the one place of a program that writes.
type writer struct {
	db     *sql.DB
	sink   event.Sink
	health *health
	copier *copier

	mu     sync.Mutex
	queue  []*unit
	closed bool
	// news wakes the loop; it holds one token.
	news chan struct{}
	gone chan struct{}

	// The rest belongs to the loop.
	conn       *sql.Conn
	statements *statements
	// heads are the last event numbers of sessions. They hold as long as version does:
	// SQLite changes it when another program commits.
	heads map[int64]int64
	// chains are the ends of the decision records of sessions, and hold as long.
	chains  map[int64]record.Head
	version int64
	// room reports why there is none for more on the disk.
	room func() error
	// changed says that the last transaction wrote something: only then it shows that
	// writing works.
	changed bool
}

func newWriter(db *sql.DB, sink event.Sink, h *health, c *copier, room func() error) *writer {
	w := &writer{db: db, room: room, sink: sink, health: h, copier: c, news: make(chan struct{}, 1), gone: make(chan struct{}), heads: map[int64]int64{}, chains: map[int64]record.Head{}}
	go w.loop()
	return w
}

// do runs one write and returns when it is on disk or failed. A caller that gives
// up is let go only while its write has not been taken up; after that it learns how
// the write ended.
func (w *writer) do(ctx context.Context, run func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u := &unit{ctx: ctx, run: run, done: make(chan error, 1)}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return fault("write", ErrClosed)
	}
	w.queue = append(w.queue, u)
	w.mu.Unlock()
	w.wake()
	select {
	case err := <-u.done:
		return err
	case <-ctx.Done():
		if u.claimed.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-u.done
	}
}

func (w *writer) wake() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// close ends the loop once everything that waits was written.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.wake()
	<-w.gone
}

func (w *writer) loop() {
	defer close(w.gone)
	defer w.disconnect()
	for {
		group, closed := w.take()
		if len(group) == 0 {
			if closed {
				return
			}
			w.copier.finish(w)
			w.rest()
			continue
		}
		w.commit(group)
		for _, u := range group {
			for _, e := range u.events {
				w.sink.Emit(e)
			}
			u.done <- u.err
		}
		w.copier.wrote(w)
		if len(group) > 1 {
			w.gather(len(group))
		}
	}
}

// gather lets those who were just served come back before the next group is taken,
// as long as more keep coming. It never waits for anybody, and after a write that
// came alone it is not called.
func (w *writer) gather(most int) {
	for waiting, before := 0, -1; waiting > before && waiting < most; {
		runtime.Gosched()
		w.mu.Lock()
		before, waiting = waiting, len(w.queue)
		w.mu.Unlock()
	}
}

// rest waits for a write. While writing does not work it looks now and then whether
// it does again.
func (w *writer) rest() {
	if w.health.get() == nil {
		<-w.news
		return
	}
	again := time.NewTimer(probeEvery)
	defer again.Stop()
	select {
	case <-w.news:
	case <-again.C:
		w.probe()
	}
}

// take claims the writes that wait.
func (w *writer) take() (group []*unit, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.queue), maxGroup)
	for _, u := range w.queue[:n] {
		if u.claimed.CompareAndSwap(false, true) {
			group = append(group, u)
		}
	}
	w.queue = append(w.queue[:0:0], w.queue[n:]...)
	return group, w.closed && len(w.queue) == 0
}

// commit writes a group in one transaction. When the transaction as a whole is lost,
// each write gets one of its own, so that one that is too large for the disk does
// not take others with it.
func (w *writer) commit(group []*unit) {
	err := w.transaction(group)
	if err == nil {
		return
	}
	for _, u := range group {
		again := err
		if len(group) > 1 && !errors.Is(err, errNotBegun) {
			again = w.transaction([]*unit{u})
		}
		if again != nil {
			u.fail(again)
		}
	}
}

func (u *unit) fail(err error) { u.err, u.events = fault("write", err), nil }

// transaction runs the units of a group and commits. An error means that nothing of
// the group is stored; an error of one unit alone is in that unit.
//
// A savepoint makes SQLite copy every page that a unit touches, which costs more than
// the unit. Units that fail after they wrote something are rare, so a group runs
// without savepoints first, and once more with them when it has such a unit.
func (w *writer) transaction(group []*unit) error {
	err := w.attempt(group, false)
	if errors.Is(err, errHalfDone) {
		err = w.attempt(group, true)
	}
	if err != nil || w.changed {
		w.health.set(err)
	}
	return err
}

// errNotBegun says that there was no transaction at all, so that a smaller group
// would fare no better.
var errNotBegun = errors.New("no transaction could be begun")

// errHalfDone says that a unit failed after it had written something that only a
// savepoint could take back.
var errHalfDone = errors.New("a unit failed half done")

func (w *writer) attempt(group []*unit, guarded bool) (err error) {
	if err := w.connect(); err != nil {
		return errors.Join(errNotBegun, err)
	}
	defer func() {
		if err != nil {
			w.abandon(err)
		}
	}()
	w.changed = false
	if err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return errors.Join(errNotBegun, err)
	}
	if err := w.forget(); err != nil {
		return err
	}
	for _, u := range group {
		if err := w.unit(u, guarded); err != nil {
			return err
		}
	}
	return w.exec("COMMIT")
}

// unit runs one write. An error means that the transaction is lost.
func (w *writer) unit(u *unit, guarded bool) error {
	t := &tx{writer: w}
	if guarded {
		if err := w.exec("SAVEPOINT unit"); err != nil {
			return err
		}
	}
	u.err, u.events = u.run(t), t.events
	w.changed = w.changed || t.wrote
	switch {
	case u.err != nil && storage(u.err):
		return u.err
	case u.err != nil:
		u.fail(u.err)
		if t.wrote && !guarded {
			return errHalfDone
		}
		if t.wrote {
			w.unlearn()
			if err := w.exec("ROLLBACK TO unit"); err != nil {
				return err
			}
		}
	}
	if guarded {
		return w.exec("RELEASE unit")
	}
	return nil
}

// storage reports whether an error is about the database and not about what was
// asked. A broken constraint is about what was asked.
func storage(err error) bool {
	var lite sqlite3.Error
	if errors.As(err, &lite) {
		return lite.Code != sqlite3.ErrConstraint
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

func (w *writer) exec(text string) error {
	stmt, err := w.statements.get(text)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(context.Background())
	return err
}

// probe finds out whether writing works again. It stores nothing of its own, but
// takes the way of every write to the disk.
func (w *writer) probe() {
	if Words(w.health.get()) == wordsFull && w.room() != nil {
		return
	}
	u := &unit{ctx: context.Background(), run: func(t *tx) error {
		_, err := t.exec(`UPDATE programs SET started_at = started_at`)
		return err
	}}
	_ = w.transaction([]*unit{u}) // it notes what it finds
}
