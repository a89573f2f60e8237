package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"countersign/backend/approval/approvaltest"
	"countersign/backend/event"
	"countersign/backend/registry"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

func TestMain(m *testing.M) {
	if child() {
		return
	}
	goleak.VerifyTestMain(m)
}

// now is where the clock of the tests stands.
var now = time.Date(2026, 5, 6, 7, 8, 9, 10_000_000, time.UTC)

type standing struct{}

func (standing) Now() time.Time { return now }

// counted makes ids that differ between stores and sort by age.
type counted struct {
	prefix string
	mu     sync.Mutex
	n      int
}

func (c *counted) NewID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return fmt.Sprintf("%s-%06d", c.prefix, c.n)
}

// heard is a sink that keeps what it hears.
type heard struct {
	mu     sync.Mutex
	events []event.Event
}

func (h *heard) Emit(e event.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
}

func (h *heard) all() []event.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]event.Event(nil), h.events...)
}

var opened struct {
	mu sync.Mutex
	n  int
}

func options(home string) store.Options {
	opened.mu.Lock()
	defer opened.mu.Unlock()
	opened.n++
	return store.Options{Home: home, Clock: standing{}, IDs: &counted{prefix: fmt.Sprintf("p%03d", opened.n)}}
}

// at opens a store on a home that is closed with the test.
func at(t *testing.T, home string) *store.Store {
	t.Helper()
	return with(t, options(home))
}

func with(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func fresh(t *testing.T) *store.Store { t.Helper(); return at(t, filepath.Join(t.TempDir(), "home")) }

func make1(t testing.TB, s *store.Store, id string) {
	t.Helper()
	_, err := s.Session(t.Context(), id)
	if err == nil {
		return
	}
	_, err = s.CreateSession(t.Context(), session.Session{ID: id, Workspace: registrytest.Workspace})
	must(t, err)
}

func disown(t *testing.T, s *store.Store, id string) {
	t.Helper()
	must(t, s.ReleaseSession(t.Context(), id))
}

func allEvents(t testing.TB, s *store.Store, id string) (all []event.Event) {
	t.Helper()
	for {
		var after int64
		if len(all) > 0 {
			after = all[len(all)-1].Seq
		}
		page, err := s.Events(t.Context(), id, after, 100)
		must(t, err)
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// spec: VS-6, VS-11, RS-10, KH-21
func TestStoreKeepsTheContractOfJournals(t *testing.T) {
	registrytest.RunJournal(t, func(t *testing.T) registrytest.Subject {
		s := fresh(t)
		return registrytest.Subject{
			Journal: s,
			Session: func(t *testing.T, id string) { make1(t, s, id) },
			Disown:  func(t *testing.T, id string) { disown(t, s, id) },
			Invocation: func(t *testing.T, id string) session.Invocation {
				c, err := s.Invocation(t.Context(), id)
				must(t, err)
				return c.Invocation
			},
			Events: func(t *testing.T, id string) []event.Event { return allEvents(t, s, id) },
		}
	})
}

// spec: VS-18, VS-19, VS-20
func TestStoreKeepsTheContractOfLedgers(t *testing.T) {
	approvaltest.RunLedger(t, func(t *testing.T) approvaltest.Subject {
		s := fresh(t)
		return approvaltest.Subject{
			Ledger: s,
			Invocation: func(t *testing.T, sessionID, id string) {
				make1(t, s, sessionID)
				inv := registrytest.Proposed(id)
				inv.SessionID = sessionID
				must(t, s.Propose(t.Context(), inv))
			},
			End: func(t *testing.T, id string) {
				must(t, s.Finish(t.Context(), registrytest.Finished(registrytest.Proposed(id), tool.StatusCancelled), nil, nil))
			},
			State: func(t *testing.T, id string) session.State {
				c, err := s.Invocation(t.Context(), id)
				must(t, err)
				return c.State
			},
			Events: func(t *testing.T, id string) []event.Event { return allEvents(t, s, id) },
			Use: func(t *testing.T, id string, at time.Time, grants ...string) bool {
				c, err := s.Invocation(t.Context(), id)
				must(t, err)
				inv := c.Invocation
				inv.State, inv.AuthorizedAt, inv.Grants = session.StateAuthorized, &at, grants
				err = s.Authorize(t.Context(), inv)
				if err != nil && !errors.Is(err, registry.ErrGrantGone) {
					t.Fatal(err)
				}
				return err == nil
			},
		}
	})
}
