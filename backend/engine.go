package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/process"
	"countersign/backend/keylock"
	"countersign/backend/model/scripted"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/shelf"
	"countersign/backend/spill"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// Engine is everything behind the doors. It is safe for concurrent use.
type Engine struct {
	options     Options
	file        *config.File
	ids         approval.IDs
	store       *store.Store
	releaseDesk func()
	spill       *spill.Store
	artifacts   *spill.Artifacts
	media       *spill.Media
	reading     reading
	desk        *approval.Desk
	trust       *approval.TrustDesk
	registry    *registry.Registry
	shelves     *shelf.Shelves
	provider    *scripted.Provider
	hub         event.Hub
	locks       *keylock.Locks
	// considered are the calls that the latest considered grant was held against.
	considered atomic.Pointer[past]
	// rehearsed are the past calls that the latest changes of settings were tried on.
	rehearsed rehearsed
	// trying is where a person tries tools.
	trying trying
	// search is the path of the program that searches, "" where there is none.
	search string
	// machine is what programs and commands are run with, nil where there is nothing. It is
	// closed once. shell is the bash of commands, "" where there is none.
	machine      *process.Machine
	shell        string
	closeMachine func() error

	// life ends when the engine closes; work counts what must end before it has.
	life context.Context
	stop context.CancelCauseFunc
	work sync.WaitGroup

	// opening lets one session be opened at a time, so that none is opened twice.
	opening sync.Mutex
	// keeping lets nothing be kept while it is looked through what still is.
	keeping sync.Mutex

	mu       sync.Mutex
	sessions map[string]*Session
	turns    map[string]*turn
	// calls are those that are in the pipeline, by invocation.
	calls map[string]*underway
	// runners run the commands of sessions, and may outlive them.
	runners map[string]*runner
	running int
}

// Store is for reading the story.
func (e *Engine) Store() *store.Store { return e.store }

// Desk is where calls wait for a person.
func (e *Engine) Desk() *approval.Desk { return e.desk }

// Paths are the places in use.
func (e *Engine) Paths() config.Paths { return e.options.Paths }

// Workspace is the desk's own workspace.
func (e *Engine) Workspace() string { return e.options.Workspace }

// Now is the time of the engine's clock.
func (e *Engine) Now() time.Time { return e.options.Clock.Now() }

// Subscribe returns events from now on. A slow reader loses some.
func (e *Engine) Subscribe() (<-chan event.Event, func()) { return e.hub.Subscribe() }

// Specs returns the newest version of every built-in tool.
func (e *Engine) Specs() []tool.Spec {
	var out []tool.Spec
	for _, s := range e.registry.Specs() {
		out = append(out, *s)
	}
	return out
}

// Spec finds a tool by id or wire name: a built-in one, else one of a set that is loaded, of the
// desk's own workspace before any other.
func (e *Engine) Spec(name string) (*tool.Spec, bool) {
	if spec, ok := e.registry.Lookup(name); ok {
		return spec, true
	}
	return e.shelves.Lookup(name, shelf.Place{Workspace: e.options.Workspace, Trusted: true})
}

// Reasons returns what each reason code means.
func (e *Engine) Reasons() map[tool.Code]tool.Reason { return e.registry.Reasons() }

// Settings returns the settings of now.
func (e *Engine) Settings() config.Settings { return e.file.Settings() }

// Rules returns the settings that decide calls.
func (e *Engine) Rules() session.Rules { return e.file.Settings().Rules }

// SetRules stores new settings, records the policy version that they make, and has every
// waiting call judged again.
func (e *Engine) SetRules(ctx context.Context, p config.Patch) error {
	_, err := e.setRules(ctx, p)
	return err
}

// judgedWithin bounds how long a change of settings waits for what it does to the cards.
const judgedWithin = 3 * time.Second

// ChangeRules is SetRules for who wants to know what the change did to the calls that waited.
// Cards that take long to judge are not in the counts.
func (e *Engine) ChangeRules(ctx context.Context, p config.Patch) (approval.Judged, error) {
	judging, err := e.setRules(ctx, p)
	if judging == nil {
		return approval.Judged{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, judgedWithin)
	defer cancel()
	return judging.Wait(ctx), err
}

// setRules returns no judging where the rules stay what they were.
func (e *Engine) setRules(ctx context.Context, p config.Patch) (judging *approval.Judging, err error) {
	before, watched, external := e.Rules(), e.desk.Watch(), e.Settings().External
	next, err := e.file.Change(p)
	if err != nil {
		e.desk.Judge(watched)
		return nil, err
	}
	// The settings are in force now, whether or not their version could be recorded.
	if next.Rules.Equal(before) {
		e.desk.Judge(watched)
	} else {
		err = e.recordPolicies(ctx, next.Rules)
		e.reconsider(watched)
		judging = watched
	}
	if next.External != external {
		e.shelves.ReloadAll()
	}
	e.hub.Emit(event.Event{Type: event.SettingsChanged, At: e.options.Clock.Now()})
	return judging, err
}

// recordPolicies records the version of new settings, and those that they make for the
// sessions with limits.
func (e *Engine) recordPolicies(ctx context.Context, rules session.Rules) error {
	err := e.recordPolicy(ctx, rules)
	for _, s := range e.openSessions() {
		if now := s.rules(); !now.Equal(rules) {
			err = errors.Join(err, e.recordPolicy(ctx, now))
		}
	}
	return err
}

// reconsider has every call judged afresh: those that wait, and those that met the same end
// too often under other rules.
func (e *Engine) reconsider(watched *approval.Judging) {
	for _, s := range e.openSessions() {
		s.context.Memory.Forgive()
	}
	e.desk.Judge(watched)
	e.trust.Reconsider()
}

func (e *Engine) recordPolicy(ctx context.Context, rules session.Rules) error {
	text, err := json.Marshal(rules)
	if err != nil {
		return fmt.Errorf("record the policy version: %w", err)
	}
	return e.store.SavePolicyVersion(ctx, policy.Version(rules), string(text))
}

// Running counts the calls that are in the pipeline now.
func (e *Engine) Running() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running
}

// enter counts a call until done is called. The end of the engine waits for it, unless it
// has begun already: then the call ends at once.
func (e *Engine) enter() (done func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running++
	waited := e.life.Err() == nil
	if waited {
		e.work.Add(1)
	}
	return func() {
		e.mu.Lock()
		e.running--
		e.mu.Unlock()
		if waited {
			e.work.Done()
		}
	}
}

func (e *Engine) openSessions() []*Session {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]*Session, 0, len(e.sessions))
	for _, s := range e.sessions {
		out = append(out, s)
	}
	return out
}

// Connected reports whether the caller of a session is there now.
func (e *Engine) Connected(sessionID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sessions[sessionID] != nil
}

func (e *Engine) trustChanged(asked bool) {
	kind := event.TrustAnswered
	if asked {
		kind = event.TrustAsked
	}
	e.hub.Emit(event.Event{Type: kind, At: e.options.Clock.Now()})
}

// TrustQuestions returns the open trust questions, oldest first.
func (e *Engine) TrustQuestions() []approval.Question { return e.trust.Questions() }

// TrustWaiting returns how many calls of a session wait behind open trust questions.
func (e *Engine) TrustWaiting(sessionID string) int { return e.trust.Waiting(sessionID) }

// AnswerTrust answers the trust question of a root: yes, no or later.
func (e *Engine) AnswerTrust(ctx context.Context, root string, a approval.TrustAnswer) error {
	// What was loaded while the workspace was trusted before may be out of date.
	e.forgetSets(root)
	if err := e.trust.Answer(ctx, root, a); err != nil {
		return err
	}
	e.reconsider(e.desk.Watch())
	return nil
}

// ForgetTrust takes an answer back; the next call asks again.
func (e *Engine) ForgetTrust(ctx context.Context, root string) error {
	if err := e.store.ForgetTrust(ctx, root); err != nil {
		return err
	}
	e.forgetSets(root)
	e.reconsider(e.desk.Watch())
	e.trustChanged(false)
	return nil
}

// Trusts returns the answered roots.
func (e *Engine) Trusts(ctx context.Context) ([]store.TrustAnswer, error) { return e.store.Trusts(ctx) }

// trustBook keeps the answers to trust questions in the store.
type trustBook struct{ store *store.Store }

func (b trustBook) Trust(ctx context.Context, root string) (yes, answered bool, err error) {
	a, found, err := b.store.Trust(ctx, root)
	return a.Yes, found, err
}

func (b trustBook) SetTrust(ctx context.Context, root string, yes bool) error {
	return b.store.SetTrust(ctx, root, yes)
}
