package storebench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/store"
)

// Goals, as ratios to what was measured in the same run.
const (
	// GoalSingle is how much longer one durable append may take than one sync of the same
	// bytes, written in the same way.
	GoalSingle = 1.35
	// GoalWriters is how many times the rate of such syncs the writers must reach.
	GoalWriters = 8.0
	// GoalPage is how much longer a page may take than the bare query.
	GoalPage = 1.5
)

// Appends is the measurement of durable writes. Times are medians.
type Appends struct {
	// Sync is one write of WriteBytes over old ones in a plain file, with fsync: what SQLite
	// does for an append, since its log is written from its start again and again and
	// seldom grows.
	Sync time.Duration
	// Growing is one append of 4 KiB to a plain file that grows, with fsync. It costs more:
	// the file system records the new size too.
	Growing time.Duration
	// Single is one event appended through the store, alone.
	Single time.Duration
	// SingleRatio is Single over Sync, GrowingRatio Single over Growing.
	SingleRatio, GrowingRatio float64
	// Writers is how many writers appended at once, over Sessions sessions.
	Writers, Sessions int
	// Rate is how many events a second they appended together, SyncRate how many syncs
	// as in Sync a second went through. Rates count the slow ones too.
	Rate, SyncRate float64
	// RateRatio is Rate over SyncRate.
	RateRatio float64
}

// Pages is the measurement of a page of 100 events. Times are medians.
type Pages struct {
	// Events is how long the log is.
	Events int
	// Bare is the query through the same driver, Page the method of the store.
	Bare, Page time.Duration
	Ratio      float64
}

// WriteBytes is what an append writes to the log: two pages, each with its head.
const WriteBytes = 2 * (4096 + 24)

// pageSize is how many events a page has.
const pageSize = 100

// Load says how much is measured. The zero value of a field means its default.
type Load struct {
	// Writers append at once, spread over Sessions; 64 over 8.
	Writers, Sessions int
	// Rounds of Each appends are made by each writer; 15 of 100.
	Rounds, Each int
	// Events is the length of the log that pages are read from, Pages how many are
	// read; 1,000,000 and 400.
	Events, Pages int
}

func (l Load) filled() Load {
	for field, value := range map[*int]int{
		&l.Writers: 64, &l.Sessions: 8, &l.Rounds: 15, &l.Each: 100, &l.Events: 1_000_000, &l.Pages: 400,
	} {
		if *field == 0 {
			*field = value
		}
	}
	return l
}

// clock stands still: the measurements are of the store, not of the clock.
type clock struct{}

func (clock) Now() time.Time { return time.Unix(1_800_000_000, 0).UTC() }

type ids struct {
	mu sync.Mutex
	n  int
}

func (i *ids) NewID() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	return fmt.Sprintf("bench-%08d", i.n)
}

func open(ctx context.Context, dir string) (*store.Store, error) {
	return store.Open(ctx, store.Options{Home: filepath.Join(dir, "home"), Clock: clock{}, IDs: &ids{}})
}

func sessions(ctx context.Context, s *store.Store, n int) ([]string, error) {
	var out []string
	for range n {
		made, err := s.CreateSession(ctx, session.Session{Workspace: "/bench"})
		if err != nil {
			return nil, err
		}
		out = append(out, made.ID)
	}
	return out, nil
}

// MeasureAppends measures durable writes on the file system of dir, which must be an
// empty folder. Syncs and appends alternate in short rounds, so that a disk that
// slows down or speeds up does so for both.
func MeasureAppends(ctx context.Context, dir string, load Load) (Appends, error) {
	load = load.filled()
	a := Appends{Writers: load.Writers, Sessions: load.Sessions}
	s, err := open(ctx, dir)
	if err != nil {
		return a, err
	}
	defer s.Close()
	logs, err := sessions(ctx, s, load.Sessions)
	if err != nil {
		return a, err
	}
	plain, err := os.Create(filepath.Join(dir, "plain"))
	if err != nil {
		return a, err
	}
	defer plain.Close()

	again, err := newOver(filepath.Join(dir, "again"), load.Each)
	if err != nil {
		return a, err
	}
	defer again.file.Close()

	var growing, syncs, singles, together, alone []time.Duration
	for range load.Rounds {
		grow, err := times(load.Each, func() error { return appendPlain(plain) })
		if err != nil {
			return a, err
		}
		sync, err := times(load.Each, again.write)
		if err != nil {
			return a, err
		}
		single, err := times(load.Each, func() error { return appendOne(ctx, s, logs[0]) })
		if err != nil {
			return a, err
		}
		all, err := times(1, func() error { return crowd(ctx, s, logs, load) })
		if err != nil {
			return a, err
		}
		syncs, singles, together = append(syncs, sync...), append(singles, single...), append(together, all...)
		growing, alone = append(growing, grow...), append(alone, sum(sync))
	}
	a.Sync, a.Growing, a.Single = median(syncs), median(growing), median(singles)
	a.SingleRatio, a.GrowingRatio = float64(a.Single)/float64(a.Sync), float64(a.Single)/float64(a.Growing)
	a.Rate = float64(load.Writers*load.Each) / median(together).Seconds()
	a.SyncRate = float64(load.Each) / median(alone).Seconds()
	a.RateRatio = a.Rate / a.SyncRate
	return a, nil
}

var block = make([]byte, 4096)

func appendPlain(f *os.File) error {
	if _, err := f.Write(block); err != nil {
		return err
	}
	return f.Sync()
}

// over is a file that is written over from its start when its end is reached.
type over struct {
	file *os.File
	// slots is how many writes it holds, next the one that comes.
	slots, next int
}

var twoPages = make([]byte, WriteBytes)

func newOver(path string, slots int) (*over, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	o := &over{file: f, slots: slots}
	for range slots {
		if err := o.write(); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return o, nil
}

func (o *over) write() error {
	if _, err := o.file.WriteAt(twoPages, int64(o.next)*WriteBytes); err != nil {
		return err
	}
	o.next = (o.next + 1) % o.slots
	return o.file.Sync()
}

func appendOne(ctx context.Context, s *store.Store, id string) error {
	_, err := s.AppendEvent(ctx, id, event.ProcessStarted, "bench-process", event.Call{
		Invocation: "bench-invocation", Tool: "bench.tool", Version: "1.0.0", Source: "builtin", SideEffect: "workspace_write",
		Risk: "medium", Idempotency: "non_idempotent",
	})
	return err
}

// crowd has all writers append at once.
func crowd(ctx context.Context, s *store.Store, logs []string, load Load) error {
	errs := make(chan error, load.Writers)
	for n := range load.Writers {
		go func() {
			var err error
			for range load.Each {
				err = errors.Join(err, appendOne(ctx, s, logs[n%len(logs)]))
			}
			errs <- err
		}()
	}
	var all error
	for range load.Writers {
		all = errors.Join(all, <-errs)
	}
	return all
}

// MeasurePages measures pages of 100 all over a long log, in the empty folder dir.
// Bare queries and pages alternate.
func MeasurePages(ctx context.Context, dir string, load Load) (Pages, error) {
	load = load.filled()
	p := Pages{Events: load.Events}
	s, err := open(ctx, dir)
	if err != nil {
		return p, err
	}
	defer s.Close()
	logs, err := sessions(ctx, s, 1)
	if err != nil {
		return p, err
	}
	db, err := sql.Open("sqlite3", filepath.Join(dir, "home", "countersign.db"))
	if err != nil {
		return p, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := fill(ctx, db, logs[0], load.Events); err != nil {
		return p, err
	}
	bare, err := prepareBare(ctx, db, logs[0])
	if err != nil {
		return p, err
	}
	defer bare.stmt.Close()
	var bares, pages []time.Duration
	for i := range load.Pages {
		after := int64(i) * int64((load.Events-pageSize)/load.Pages)
		took, err := times(1, func() error { return bare.read(after) })
		if err != nil {
			return p, err
		}
		bares = append(bares, took...)
		took, err = times(1, func() error { return readPage(ctx, s, logs[0], after) })
		if err != nil {
			return p, err
		}
		pages = append(pages, took...)
	}
	p.Bare, p.Page = median(bares), median(pages)
	p.Ratio = float64(p.Page) / float64(p.Bare)
	return p, nil
}

// fill makes a long log the short way: what is measured is reading.
func fill(ctx context.Context, db *sql.DB, id string, events int) error {
	_, err := db.ExecContext(ctx, `WITH RECURSIVE n (seq) AS (SELECT 2 UNION ALL SELECT seq + 1 FROM n WHERE seq < ?)
		INSERT INTO events (session_num, seq, at, type, ref, payload)
		SELECT s.num, n.seq, 1800000000000 + n.seq, 'tool.call.completed', 'bench-invocation-' || n.seq,
		'{"invocation":"bench-invocation-' || n.seq || '","tool":"bench.tool","version":"1.0.0","source":"builtin","side_effect":"workspace_write","outcome":"succeeded","duration_ms":12,"output_bytes":3456}'
		FROM sessions s, n WHERE s.id = ?`, events, id)
	return err
}

// bare is the keyset query without a store around it.
type bare struct {
	stmt    *sql.Stmt
	session int64
}

func prepareBare(ctx context.Context, db *sql.DB, id string) (b bare, err error) {
	if err := db.QueryRowContext(ctx, `SELECT num FROM sessions WHERE id = ?`, id).Scan(&b.session); err != nil {
		return b, err
	}
	b.stmt, err = db.PrepareContext(ctx, `SELECT seq, at, type, ref, payload FROM events WHERE session_num = ? AND seq > ? ORDER BY seq LIMIT ?`)
	return b, err
}

func (b bare) read(after int64) error {
	rows, err := b.stmt.Query(b.session, after, pageSize)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var seq, at int64
		var kind, ref string
		var payload []byte
		if err := rows.Scan(&seq, &at, &kind, &ref, &payload); err != nil {
			return err
		}
		n++
	}
	if n != pageSize {
		return fmt.Errorf("the bare page has %d events", n)
	}
	return rows.Err()
}

func readPage(ctx context.Context, s *store.Store, id string, after int64) error {
	page, err := s.Events(ctx, id, after, pageSize)
	if err == nil && len(page) != pageSize {
		err = fmt.Errorf("the page has %d events", len(page))
	}
	return err
}

// times runs f that often and returns how long each run took.
func times(n int, f func() error) ([]time.Duration, error) {
	out := make([]time.Duration, 0, n)
	for range n {
		start := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		out = append(out, time.Since(start))
	}
	return out, nil
}

func sum(all []time.Duration) (total time.Duration) {
	for _, d := range all {
		total += d
	}
	return total
}

func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
