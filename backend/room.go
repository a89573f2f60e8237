package backend

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"countersign/backend/event"
	"countersign/backend/spill"
)

// roomPace is how often what was kept for a time is looked through.
const roomPace = time.Hour

// keepRoom makes room in the output store at the start, and whenever so much was written that
// it may be needed. The desk also ends what was kept until now, grants that nobody uses, and
// images that no session has.
func (e *Engine) keepRoom() {
	tick := time.NewTicker(roomPace)
	defer tick.Stop()
	for {
		e.makeRoom(e.life)
		if e.options.Desk {
			e.expireKept(e.life)
			e.sweepGrants(e.life)
			e.sweepImages(e.life)
		}
		select {
		case <-e.life.Done():
			return
		case <-e.spill.Pressed():
		case <-tick.C:
		}
	}
}

func (e *Engine) makeRoom(ctx context.Context) {
	gone, err := e.removeOldest(ctx, e.options.OutputCap)
	for _, u := range gone {
		e.options.Log.Info("output was removed to make room", "session", u.Session, "bytes", u.Bytes)
	}
	if err != nil && ctx.Err() == nil {
		e.options.Log.Warn("room for output was not made", "cause", err)
	}
	if len(gone) > 0 {
		e.hub.Emit(event.Event{Type: event.StoreChanged, At: e.options.Clock.Now()})
	}
}

// removeOldest removes the output of the sessions that were written to longest ago. A session
// that belongs to a program that runs keeps all of it, and the rows of what is removed say so
// before it is.
func (e *Engine) removeOldest(ctx context.Context, limit int64) ([]spill.Usage, error) {
	live, err := e.store.LiveSessions(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the live sessions: %w", err)
	}
	folders := map[string]bool{}
	for _, id := range live {
		folders[spill.Folder(id)] = true
	}
	return e.spill.MakeRoom(ctx, limit, func(ctx context.Context, folder string) (bool, error) {
		if folders[folder] {
			return false, nil
		}
		id, err := e.store.OutputSession(ctx, filepath.Join(e.spill.Dir(), folder))
		if err != nil {
			return false, err
		}
		return e.store.RemoveOutputs(ctx, id)
	})
}

// expireKept ends what was kept long enough. What no row names goes, too.
func (e *Engine) expireKept(ctx context.Context) {
	e.keeping.Lock()
	defer e.keeping.Unlock()
	kept, err := e.store.ExpireArtifacts(ctx, e.options.Clock.Now())
	var freed int64
	if err == nil {
		freed, err = e.artifacts.Clean(kept)
	}
	if freed > 0 {
		e.options.Log.Info("kept output was removed after its time", "bytes", freed)
	}
	if err != nil && ctx.Err() == nil {
		e.options.Log.Warn("kept output was not looked through", "cause", err)
	}
}
