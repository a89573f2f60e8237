package storebench

import (
	"context"
	"database/sql"
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
	// GoalSingle is how much longer one durable append may take than one sync.
	GoalSingle = 1.35
	// GoalWriters is how many times the rate of single syncs the writers must reach.
	GoalWriters = 8.0
	// GoalPage is how much longer a page may take than the bare query.
	GoalPage = 1.5
)

// Appends is the measurement of durable writes. Times are medians.
type Appends struct {
	// Sync is one append of 4 KiB to a plain file with fsync.
	Sync time.Duration
	// Single is one event appended through the store, alone.
	Single time.Duration
	// SingleRatio is Single over Sync.
	SingleRatio float64
	// Writers is how many writers appended at once, over Sessions sessions.
	Writers, Sessions int
	// Rate is how many events a second they appended together.
	Rate float64
	// RateRatio is Rate over the rate of single syncs.
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

const (
	rounds     = 15
	perRound   = 100
	pageSize   = 100
	pageRounds = 400
)

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
func MeasureAppends(ctx context.Context, dir string, writers, over int) (Appends, error) {
	a := Appends{Writers: writers, Sessions: over}
	s, err := open(ctx, dir)
	if err != nil {
		return a, err
	}
	defer s.Close()
	logs, err := sessions(ctx, s, over)
	if err != nil {
		return a, err
	}
	plain, err := os.Create(filepath.Join(dir, "plain"))
	if err != nil {
		return a, err
	}
	defer plain.Close()

	var syncs, singles, together []time.Duration
	for range rounds {
		sync, err := times(perRound, func() error { return appendPlain(plain) })
		if err != nil {
			return a, err
		}
		single, err := times(perRound, func() error { return appendOne(ctx, s, logs[0]) })
		if err != nil {
			return a, err
		}
		all, err := crowd(ctx, s, logs, writers)
		if err != nil {
			return a, err
		}
		syncs, singles, together = append(syncs, sync...), append(singles, single...), append(together, all)
	}
	a.Sync, a.Single = median(syncs), median(singles)
	a.SingleRatio = float64(a.Single) / float64(a.Sync)
	a.Rate = float64(writers*perRound) / median(together).Seconds()
	a.RateRatio = a.Rate * a.Sync.Seconds()
	return a, nil
}

var block = make([]byte, 4096)

func appendPlain(f *os.File) error {
	if _, err := f.Write(block); err != nil {
		return err
	}
	return f.Sync()
}

func appendOne(ctx context.Context, s *store.Store, id string) error {
	_, err := s.AppendEvent(ctx, id, event.ProcessStarted, "bench-process", event.Call{
		Invocation: "bench-invocation", Tool: "bench.tool", Version: "1.0.0", Source: "builtin", SideEffect: "workspace_write",
		Risk: "medium", Idempotency: "non_idempotent",
	})
	return err
}

// crowd has all writers append at once and returns how long it took.
func crowd(ctx context.Context, s *store.Store, logs []string, writers int) (time.Duration, error) {
	errs := make(chan error, writers)
	start := time.Now()
	for n := range writers {
		go func() {
			var err error
			for range perRound {
				if err = appendOne(ctx, s, logs[n%len(logs)]); err != nil {
					break
				}
			}
			errs <- err
		}()
	}
	var first error
	for range writers {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return time.Since(start), first
}

// MeasurePages measures a page of 100 in the middle of a log of that many events,
// in the empty folder dir.
func MeasurePages(ctx context.Context, dir string, events int) (Pages, error) {
	p := Pages{Events: events}
	s, err := open(ctx, dir)
	if err != nil {
		return p, err
	}
	defer s.Close()
	logs, err := sessions(ctx, s, 2)
	if err != nil {
		return p, err
	}
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "home", "countersign.db")+"?_busy_timeout=5000")
	if err != nil {
		return p, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := fill(ctx, db, logs[0], events); err != nil {
		return p, err
	}
	bare, err := db.PrepareContext(ctx, `SELECT seq, at, type, ref, payload FROM events WHERE session_num = ? AND seq > ? ORDER BY seq LIMIT ?`)
	if err != nil {
		return p, err
	}
	defer bare.Close()
	var num int64
	if err := db.QueryRowContext(ctx, `SELECT num FROM sessions WHERE id = ?`, logs[0]).Scan(&num); err != nil {
		return p, err
	}
	var bares, pages []time.Duration
	step := int64(events / pageRounds)
	for i := range int64(pageRounds) {
		after := i * step
		took, err := times(1, func() error { return readBare(bare, num, after) })
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

func readBare(stmt *sql.Stmt, session, after int64) error {
	rows, err := stmt.Query(session, after, pageSize)
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

func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
