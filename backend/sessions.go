package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/host/workspace"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// SessionRequest says who wants to call and from where.
type SessionRequest struct {
	// ID opens that session, or makes it under this id; "" makes a new one.
	ID        string
	Workspace string
	Caller    session.Caller
	Title     tool.Untrusted
	// Limits only tighten the settings. A session that comes back keeps those that it was
	// made with.
	Limits session.Rules
	// Rules, if given, are used instead of the settings.
	Rules *session.Rules
	// TrustWorkspace answers the trust question with Yes for as long as this session is open here.
	TrustWorkspace bool
	// Allow are grants in their printed form that hold for this session here only.
	Allow []string
	// Process is that of a client's bridge, and Dismiss ends its connection; nil where the
	// caller is not a client that can be told to go.
	Process int
	Dismiss func()
	// Images says that the caller can be given images.
	Images bool
	// Unstored makes a session that only explains: nothing of it is kept.
	Unstored bool
}

// Session is one caller's way into the pipeline.
type Session struct {
	engine  *Engine
	record  session.Session
	request SessionRequest
	opened  time.Time
	files   *workspace.Workspace
	context registry.Context
	once    sync.Once

	mu sync.Mutex
}

// ErrNoWorkspace means that the workspace is not a directory that can be opened.
var ErrNoWorkspace = errors.New("the workspace is not a directory that can be opened")

// ErrClosing means that the engine ends and begins nothing new.
var ErrClosing = errors.New("the desk is closing")

// ErrSessionOpen means that the session is open here already, with another caller.
var ErrSessionOpen = errors.New("the session is open already")

// OpenSession opens or makes a session. This program owns it until Close.
func (e *Engine) OpenSession(ctx context.Context, q SessionRequest) (*Session, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	if err := e.life.Err(); err != nil {
		return nil, ErrClosing
	}
	if q.ID != "" && e.Connected(q.ID) {
		return nil, ErrSessionOpen
	}
	files, err := workspace.Open(q.Workspace, e.fileOptions())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoWorkspace, err)
	}
	record := session.Session{Workspace: files.Root(), TrustRoot: workspace.TrustRoot(files.Root()), Caller: q.Caller}
	if !q.Unstored {
		if record, err = e.recordFor(ctx, q, files.Root()); err != nil {
			return nil, errors.Join(err, files.Close())
		}
	}
	s := &Session{engine: e, record: record, request: q, opened: e.options.Clock.Now(), files: files}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, files.Close(), s.release(ctx))
	}
	if q.Unstored {
		return s, nil
	}
	e.mu.Lock()
	e.sessions[record.ID] = s
	e.mu.Unlock()
	e.hub.Emit(event.Event{Type: event.SessionChanged, SessionID: record.ID, At: e.options.Clock.Now()})
	return s, nil
}

func (e *Engine) recordFor(ctx context.Context, q SessionRequest, root string) (session.Session, error) {
	id := q.ID
	if id == "" {
		id = e.ids.NewID()
	} else {
		err := e.store.AdoptSession(ctx, id)
		switch {
		case err == nil:
			return e.readopted(ctx, q, root)
		case !errors.Is(err, session.ErrNoSession):
			return session.Session{}, err
		}
	}
	title := q.Title
	if title.Len() == 0 {
		title = tool.Mark(filepath.Base(root))
	}
	return e.store.CreateSession(ctx, session.Session{
		ID: id, Title: title, Workspace: root, TrustRoot: workspace.TrustRoot(root), Caller: q.Caller, Limits: q.Limits,
	})
}

// readopted checks that a session that comes back is the same one: its workspace and the
// kind of its caller cannot change under the grants and stamps that it has.
func (e *Engine) readopted(ctx context.Context, q SessionRequest, root string) (session.Session, error) {
	record, err := e.store.Session(ctx, q.ID)
	switch {
	case err != nil:
	case record.Workspace != root:
		err = errors.New("the session belongs to another workspace")
	case record.Caller.Kind != q.Caller.Kind:
		err = errors.New("the session belongs to another kind of caller")
	}
	if err != nil {
		return session.Session{}, errors.Join(err, e.store.ReleaseSession(ctx, q.ID))
	}
	return record, nil
}

// release gives the stored session up.
func (s *Session) release(ctx context.Context) error {
	if s.request.Unstored {
		return nil
	}
	return errors.Join(s.engine.leaveRunner(ctx, s.record.ID), s.engine.store.ReleaseSession(ctx, s.record.ID))
}

func (s *Session) prepare(ctx context.Context) error {
	e := s.engine
	memory := registry.NewMemory(nil)
	host := tool.Host{Files: s.files, Versions: versions{e, s.record.ID}, Search: s.searcher(), Clock: e.options.Clock}
	if !s.request.Unstored {
		runner, err := e.takeRunner(ctx, s.record.ID)
		if err != nil {
			return err
		}
		if runner != nil {
			host.Programs = runner
		}
		if runner != nil && e.shell != "" {
			host.Processes = runner
		}
		host.Media = images{e, s.record.ID}
		stamps, err := e.store.Stamps(ctx, s.record.ID)
		if err != nil {
			return err
		}
		past, err := e.store.Past(ctx, s.record.ID)
		if err != nil {
			return err
		}
		memory = registry.NewMemory(stamps)
		memory.Recall(past)
		if err := e.recordPolicy(ctx, s.rules()); err != nil {
			return err
		}
	}
	s.context = registry.Context{
		SessionID: s.record.ID, Workspace: s.record.Workspace, TrustRoot: s.record.TrustRoot,
		UserHome: e.options.Paths.UserHome, OwnHome: e.options.Paths.Home,
		Host: host, Sets: sessionSets{s}, Rules: s.rules, Trusted: s.trusted, Scopes: scopes(), Allow: s.request.Allow, Asks: e.options.Desk,
		Images: s.request.Images,
		Memory: memory, Caller: s.caller,
		Output: func(invocationID string) tool.Output { return e.spill.For(s.record.ID, invocationID) },
	}
	if e.options.Desk {
		s.context.AskTrust = s.askTrust
	}
	return nil
}

// scopes are what a caller on a person's own machine holds: everything that a built-in
// tool asks for. Policy and the person decide the rest.
func scopes() []string {
	return []string{"workspace.read", "workspace.write", "artifact.write", "sandbox.execute", "demo.write"}
}

func (s *Session) rules() session.Rules {
	if s.request.Rules != nil {
		return *s.request.Rules
	}
	return s.engine.Rules().Tightened(s.record.Limits).Tightened(s.request.Limits)
}

func (s *Session) trusted(ctx context.Context) bool {
	return s.request.TrustWorkspace || s.engine.trust.Trusted(ctx, s.record.TrustRoot)
}

// caller is who calls, as it names itself now.
func (s *Session) caller() session.Caller {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record.Caller
}

func (s *Session) askTrust(ctx context.Context, revise func(context.Context) error) (bool, error) {
	return s.engine.trust.Ask(ctx, approval.Question{
		Root: s.record.TrustRoot, Workspace: s.record.Workspace, AskedBy: s.caller(), SessionID: s.record.ID,
	}, revise)
}

// ID returns the session's id.
func (s *Session) ID() string { return s.record.ID }

// listTime is how long a list of tools waits for the first look at the tool sets. Callers that
// ask once would never hear of what comes later.
const listTime = 5 * time.Second

// Tools returns the tools that the caller may see now.
func (s *Session) Tools(ctx context.Context) []tool.Spec {
	limited, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	// A look that takes longer is told of when it ends.
	sets, _ := s.context.Sets.Loaded(limited)
	var out []tool.Spec
	for _, spec := range s.engine.registry.Advertised(s.rules(), sets) {
		out = append(out, *spec)
	}
	return out
}

// Call takes one call through the pipeline. It returns when the call has ended, which may
// be after a person has answered. When ctx ends, or the engine, the call is let go.
func (s *Session) Call(ctx context.Context, c tool.Call, progress func(string)) tool.Outcome {
	return s.call(ctx, "", c, progress)
}

func (s *Session) call(ctx context.Context, turn string, c tool.Call, progress func(string)) tool.Outcome {
	defer s.engine.enter()()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(s.engine.life, func() { cancel(context.Cause(s.engine.life)) })
	defer stop()
	here, settings := s.context, s.engine.Settings()
	here.Turn, here.Progress, here.MaxHold, here.Notes = turn, progress, settings.MaxHold, settings.Notes
	var id string
	here.Begun = func(invocationID string) {
		id = invocationID
		s.engine.began(id, cancel)
	}
	here.Says = func(text string) { s.engine.said(id, text) }
	here.Grows = func(l tool.Log) { s.engine.grows(id, l) }
	defer func() { s.engine.ended(id) }()
	return s.engine.registry.Dispatch(ctx, &here, c)
}

// Explain says what a call would meet, without running it.
func (s *Session) Explain(ctx context.Context, c tool.Call) registry.Explanation {
	return s.engine.registry.Explain(ctx, &s.context, c)
}

// Identify stores what the caller says of itself.
func (s *Session) Identify(name, version string) {
	s.mu.Lock()
	s.record.Caller.Name, s.record.Caller.Version = tool.Mark(name), tool.Mark(version)
	caller := s.record.Caller
	s.mu.Unlock()
	if err := s.engine.store.SetCaller(context.WithoutCancel(s.engine.life), s.record.ID, caller); err != nil {
		s.engine.options.Log.Warn("the caller's name was not stored", "session", s.record.ID, "cause", err)
	}
	s.engine.hub.Emit(event.Event{Type: event.SessionChanged, SessionID: s.record.ID, At: s.engine.options.Clock.Now()})
}

// Close releases the session, so that another program may open it. Calls must have ended.
func (s *Session) Close() {
	s.once.Do(func() {
		e := s.engine
		if s.request.Unstored {
			_ = s.files.Close()
			return
		}
		e.mu.Lock()
		delete(e.sessions, s.record.ID)
		e.mu.Unlock()
		ctx := context.WithoutCancel(e.life)
		if err := errors.Join(s.release(ctx), s.files.Close()); err != nil {
			e.options.Log.Warn("a session was not released", "session", s.record.ID, "cause", fmt.Errorf("close: %w", err))
		}
		e.hub.Emit(event.Event{Type: event.SessionChanged, SessionID: s.record.ID, At: e.options.Clock.Now()})
	})
}
