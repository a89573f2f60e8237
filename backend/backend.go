package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/host/clock"
	"countersign/backend/keylock"
	"countersign/backend/model/scripted"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/spill"
	"countersign/backend/store"
	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/tools"
)

// Options are what an engine is made of.
type Options struct {
	Paths config.Paths
	// Clock is the machine's unless a test or --clock fixes it.
	Clock tool.Clock
	// Desk says that this program is the desk: a person can be asked here. Only one
	// program of a home can be it; another gets store.ErrDeskTaken.
	Desk bool
	// Workspace is the desk's own workspace, where the built-in agent works.
	Workspace string
	// Model is what the built-in agent's replies come from: "" for none, or
	// "scripted:FILE".
	Model string
	// Program is the path of the running program, beside which countersign lies; "" where no
	// client is to be told how to start it.
	Program string
	// Environ is the environment that commands inherit.
	Environ []string
	// Notice tells a person something that cannot wait; nil where nobody reads it.
	Notice func(words string)
	Log    *slog.Logger
	// OutputCap is how much the output of all sessions together may take, in bytes; 0 is
	// spill.CapBytes.
	OutputCap int64
	// ImageCap is how much the images of all sessions together may take, in bytes; 0 is the
	// constant of that name.
	ImageCap int64
	// Observe is told of every step that a call has finished.
	Observe func(ctx context.Context, step registry.Step)
}

// Open puts an engine together. The caller closes it.
func Open(ctx context.Context, o Options) (_ *Engine, err error) {
	o.OutputCap = cmp.Or(o.OutputCap, spill.CapBytes)
	o.ImageCap = cmp.Or(o.ImageCap, ImageCap)
	e := &Engine{options: o, sessions: map[string]*Session{}, turns: map[string]*turn{}, calls: map[string]*underway{}, runners: map[string]*runner{}, locks: keylock.New()}
	defer func() {
		if err != nil {
			e.shut()
		}
	}()
	if err := policy.Load(); err != nil {
		return nil, fmt.Errorf("the packaged rules do not hold: %w", err)
	}
	if err := o.Paths.Prepare(); err != nil {
		return nil, tool.Errorf(tool.CodeStorageUnavailable, "prepare the home: %w", err)
	}
	if e.file, err = config.Load(o.Paths); err != nil {
		return nil, err
	}
	if e.provider, err = provider(o.Model); err != nil {
		return nil, err
	}
	ids := identifiers{clock.NewIDs(o.Clock, clock.Random())}
	e.ids = ids
	e.store, err = store.Open(ctx, store.Options{Home: o.Paths.Home, Clock: o.Clock, IDs: ids, Sink: &e.hub})
	if err != nil {
		return nil, err
	}
	if o.Desk {
		if e.releaseDesk, err = e.store.TakeDesk(); err != nil {
			return nil, err
		}
	}
	if e.spill, err = spill.Open(o.Paths.OutputDir()); err != nil {
		return nil, err
	}
	e.spill.LimitLogs(o.OutputCap)
	if e.artifacts, err = spill.OpenArtifacts(o.Paths.ArtifactDir()); err != nil {
		return nil, err
	}
	if e.media, err = spill.OpenMedia(o.Paths.MediaDir()); err != nil {
		return nil, err
	}
	e.desk = approval.NewDesk(e.store, o.Clock, ids)
	e.trust = approval.NewTrustDesk(trustBook{e.store}, o.Clock, e.trustChanged)
	e.registry, err = registry.New(registry.Options{
		Specs: tools.Catalog(), Reasons: toolset.Reasons(), Journal: e.store, Desk: e.desk, Clock: o.Clock, IDs: ids, Log: o.Log, Observe: o.Observe, Hooks: e.hooks,
	})
	if err != nil {
		return nil, err
	}
	e.openShelves()
	e.findSearch()
	e.life, e.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	e.findProcesses()
	if err := e.recoverProcesses(ctx); err != nil {
		return nil, err
	}
	e.work.Go(e.keepRoom)
	if o.Desk {
		e.work.Go(e.expireDue)
		e.work.Go(e.lookAtSets)
	}
	return e, nil
}

// expiryPace is how often requests that nobody waits for are checked for their expiry.
const expiryPace = 30 * time.Second

// expireDue ends requests whose time is over and whose caller is gone. Those with a caller
// end by their own timer.
func (e *Engine) expireDue() {
	tick := time.NewTicker(expiryPace)
	defer tick.Stop()
	for {
		select {
		case <-e.life.Done():
			return
		case <-tick.C:
			if _, err := e.desk.Pending(e.life, ""); err != nil && e.life.Err() == nil {
				e.options.Log.Warn("waiting requests could not be read", "cause", err)
			}
		}
	}
}

// killTime is how long an end in a hurry waits until what runs was killed.
const killTime = 2 * time.Second

// Close ends the engine in order: turns stop, calls that wait become cards whose caller
// was interrupted, background processes are stopped, sessions are released, the locks go.
// The end of ctx hurries it: what runs is killed, and only what cannot be is left.
func (e *Engine) Close(ctx context.Context) error {
	e.Interrupt()
	done := make(chan error, 1)
	go func() {
		e.work.Wait()
		err := e.endProcesses(ctx)
		for _, s := range e.openSessions() {
			s.Close()
		}
		done <- err
	}()
	late, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(killTime, stop) })()
	select {
	case err := <-done:
		if err != nil {
			e.options.Log.Error("a background process could not be ended", "cause", err)
		}
	case <-late.Done():
		return fmt.Errorf("end the engine: %w", ctx.Err())
	}
	return e.shut()
}

func (e *Engine) shut() error {
	var errs []error
	e.reading.close()
	if e.shelves != nil {
		e.shelves.Close()
	}
	if e.machine != nil {
		errs = append(errs, e.closeMachine())
	}
	if e.artifacts != nil {
		errs = append(errs, e.artifacts.Close())
	}
	if e.media != nil {
		errs = append(errs, e.media.Close())
	}
	if e.spill != nil {
		errs = append(errs, e.spill.Close())
	}
	if e.releaseDesk != nil {
		e.releaseDesk()
	}
	if e.store != nil {
		errs = append(errs, e.store.Close())
	}
	return errors.Join(errs...)
}

// identifiers are ids that cannot fail: the machine's source of chance does not.
type identifiers struct{ source *clock.IDs }

// NewID returns a new id that sorts by its time.
func (i identifiers) NewID() string {
	id, err := i.source.New()
	if err != nil {
		panic(fmt.Sprintf("no randomness: %v", err))
	}
	return id
}

func provider(model string) (*scripted.Provider, error) {
	if model == "" {
		return nil, nil
	}
	const prefix = "scripted:"
	if len(model) <= len(prefix) || model[:len(prefix)] != prefix {
		return nil, errors.New(`the model must be "scripted:" and the path of a task file`)
	}
	return scripted.Load(model[len(prefix):])
}
