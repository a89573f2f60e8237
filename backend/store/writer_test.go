package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/backend/event"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
)

// queue starts f and returns once its write waits behind a held writer.
func queue(t *testing.T, s *store.Store, f func() error) <-chan error {
	t.Helper()
	before, done := s.Queued(), make(chan error, 1)
	go func() { done <- f() }()
	until(t, func() bool { return s.Queued() > before })
	return done
}

// until polls a condition that offers no channel.
func until(t *testing.T, ok func() bool) {
	t.Helper()
	tick, late := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("it never came true")
		}
	}
}

func propose(t *testing.T, s *store.Store, ctx context.Context, id string) func() error {
	t.Helper()
	return func() error { return s.Propose(ctx, registrytest.Proposed(id)) }
}

// spec: RS-13
func TestWritesThatWaitAreCommittedTogether(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	commits := s.CountCommits()
	before := commits()
	release := s.Hold()
	var waiting []<-chan error
	for n := range 64 {
		waiting = append(waiting, queue(t, s, propose(t, s, t.Context(), fmt.Sprintf("i%02d", n))))
	}
	release()
	for _, done := range waiting {
		must(t, <-done)
	}
	// One commit for the count before, one for the held write, one for all.
	if got := commits() - before; got != 3 {
		t.Errorf("64 writes that waited took %d commits", got-2)
	}
}

func TestFailedWriteDoesNotFailItsNeighbours(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	halfDone := errors.New("changed its mind")
	release := s.Hold()
	first := queue(t, s, propose(t, s, t.Context(), "i1"))
	bad := queue(t, s, func() error {
		return s.Write(t.Context(), func(exec func(string, ...any) error) error {
			return errors.Join(exec(`UPDATE sessions SET title = 'half done'`), halfDone)
		})
	})
	refused := queue(t, s, func() error { _, err := s.Claim(t.Context(), "nobody", now); return err })
	last := queue(t, s, propose(t, s, t.Context(), "i2"))
	release()
	must(t, <-first)
	if err := <-bad; !errors.Is(err, halfDone) {
		t.Errorf("the half-done write returned %v", err)
	}
	if err := <-refused; !errors.Is(err, session.ErrNoInvocation) {
		t.Errorf("the refused write returned %v", err)
	}
	must(t, <-last)
	got, err := s.Session(t.Context(), "s1")
	must(t, err)
	if got.Title.Open() != "" {
		t.Error("a failed write left something behind")
	}
	var told []string
	for i, e := range allEvents(t, s, "s1") {
		if e.Seq != int64(i+1) {
			t.Errorf("event %d has number %d", i+1, e.Seq)
		}
		told = append(told, e.Ref)
	}
	if fmt.Sprint(told) != "[s1 i1 i2]" {
		t.Errorf("told of %v", told)
	}
}

func TestBrokenConstraintIsAFaultOfOursAndNotOfTheDisk(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	err := s.Write(t.Context(), func(exec func(string, ...any) error) error {
		return exec(`INSERT INTO grants (id, session_num, life, kind, tool_id, side_effect, value, risk, policy_version, created_at, approval_id)
			VALUES ('g', 999, '', '', '', '', '', '', '', 0, '')`)
	})
	if !errors.Is(err, store.Refused) || store.Words(err) != "" {
		t.Errorf("got %v", err)
	}
	if h := s.Health(); !h.OK {
		t.Errorf("the store counts as unhealthy: %s", h.Words)
	}
}

func TestCallerThatGivesUpWhileWaitingWritesNothing(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	release := s.Hold()
	ctx, cancel := context.WithCancel(t.Context())
	done := queue(t, s, propose(t, s, ctx, "i1"))
	kept := queue(t, s, propose(t, s, t.Context(), "i2"))
	cancel()
	// It is let go at once, though the writer is still busy.
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	release()
	must(t, <-kept)
	if _, err := s.Invocation(t.Context(), "i1"); !errors.Is(err, session.ErrNoInvocation) {
		t.Errorf("the write of a caller that gave up was stored: %v", err)
	}
}

func TestCallerThatGivesUpTooLateLearnsThatItWasStored(t *testing.T) {
	s := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	in, out := make(chan struct{}), make(chan struct{})
	var once sync.Once
	done := make(chan error, 1)
	go func() {
		done <- s.Write(ctx, func(exec func(string, ...any) error) error {
			once.Do(func() { close(in); <-out })
			return exec(`INSERT INTO trust (root, yes, at) VALUES ('/root', 1, 0)`)
		})
	}()
	<-in
	neighbour := queue(t, s, func() error { return s.SetTrust(t.Context(), "/other", true) })
	cancel()
	close(out)
	must(t, <-done)
	must(t, <-neighbour)
	if all, err := s.Trusts(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%d answers are stored, %v", len(all), err)
	}
}

// reader is a sink that looks into the store at once.
type reader struct {
	store *store.Store
	heard
	missing int
}

func (r *reader) Emit(e event.Event) {
	r.heard.Emit(e)
	page, err := r.store.Events(context.Background(), e.SessionID, e.Seq-1, 1)
	if err != nil || len(page) != 1 || page[0].Seq != e.Seq {
		r.missing++
	}
}

// spec: RS-10
func TestSinkHearsInOrderWhatIsAlreadyStored(t *testing.T) {
	o := options(t.TempDir())
	ear := &reader{}
	o.Sink = ear
	s := with(t, o)
	ear.store = s
	make1(t, s, "s1")
	var group sync.WaitGroup
	for n := range 32 {
		group.Go(func() {
			if err := s.Propose(t.Context(), registrytest.Proposed(fmt.Sprintf("i%02d", n))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	all := ear.all()
	for i, e := range all {
		if e.Seq != int64(i+1) {
			t.Fatalf("heard number %d as event %d", e.Seq, i+1)
		}
	}
	if len(all) != 33 || ear.missing != 0 {
		t.Errorf("heard %d events, %d of them before they were stored", len(all), ear.missing)
	}
}

func TestTwoProgramsNumberOneSessionWithoutGaps(t *testing.T) {
	home := t.TempDir()
	a, b := at(t, home), at(t, home)
	make1(t, a, "s1")
	var group sync.WaitGroup
	for n := range 64 {
		s := []*store.Store{a, b}[n%2]
		group.Go(func() {
			if err := s.SetTitle(t.Context(), "s1", title(fmt.Sprint(n))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	all := allEvents(t, a, "s1")
	for i, e := range all {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
	}
	if len(all) != 65 {
		t.Errorf("%d events", len(all))
	}
}

func TestClosedStoreRefusesWrites(t *testing.T) {
	s := fresh(t)
	must(t, s.Close())
	must(t, s.Close())
	if err := s.SetTrust(t.Context(), "/root", true); !errors.Is(err, store.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestLockOfAnotherProgramFailsAllThatWaitAndPasses(t *testing.T) {
	home := t.TempDir()
	s := at(t, home)
	make1(t, s, "s1")
	s.WriterPragma("busy_timeout = 20")
	unlock := lock(t, home)
	var group sync.WaitGroup
	for n := range 16 {
		group.Go(func() {
			err := s.Propose(t.Context(), registrytest.Proposed(fmt.Sprintf("i%02d", n)))
			if !strings.HasPrefix(store.Words(err), "Another program keeps the history locked.") {
				t.Errorf("got %v", err)
			}
		})
	}
	group.Wait()
	unlock()
	must(t, s.Propose(t.Context(), registrytest.Proposed("i01")))
	if h := s.Health(); !h.OK {
		t.Errorf("health is %+v", h)
	}
}

// lock takes the write lock of a database as another program would.
func lock(t *testing.T, home string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(home, "countersign.db")+"?_txlock=immediate")
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	held, err := db.Begin()
	must(t, err)
	return func() { must(t, held.Rollback()) }
}
