package main

import (
	"context"
	"errors"
	"fmt"

	"countersign/app/desk"
	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/record"
	"countersign/backend/session"
	"countersign/backend/store"
)

// history is what the commands that read need of a store.
type history interface {
	// Sessions returns the youngest first.
	Sessions(ctx context.Context, limit int, before string) ([]session.Session, error)
	// Session returns session.ErrNoSession for an id that there is not.
	Session(ctx context.Context, id string) (session.Session, error)
	SessionIDs(ctx context.Context, prefix string, limit int) ([]string, error)
	Timeline(ctx context.Context, id string, before int64, limit int) ([]store.Entry, error)
	Invocation(ctx context.Context, id string) (store.Call, error)
	Request(ctx context.Context, id string) (approval.Request, error)
	RecordStart(ctx context.Context, id string) (record.Start, error)
	// Decisions returns the entries of the decision record behind one, which are copies without
	// secrets as they are kept.
	Decisions(ctx context.Context, id string, after int64, limit int) ([]store.Decision, error)
}

// withHistory opens the history for a command that reads. A home that cannot be written
// can still be read: then nothing is recovered first, and that is said.
func (p *program) withHistory(ctx context.Context, do func(history) error) (err error) {
	e, err := p.openEngine(ctx, "sessions", "")
	if err == nil {
		// What was read is whole, also when this program could not sign off; the log has why.
		defer func() { _ = e.Close(ctx) }()
		return do(veiled{e.Store()})
	}
	paths, located := config.Locate(p.places.home)
	if located != nil || desk.StoreWords(err) == "" {
		return err
	}
	archive, failed := store.OpenArchive(ctx, paths.Home)
	if failed != nil {
		return err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	fmt.Fprintln(p.stderr, err.Error()+" What is stored is shown as it was left.")
	return do(veiled{archive})
}

// errSeveral says that a prefix fits more than one session.
var errSeveral = errors.New("several sessions")

// find returns the session of an id, or the one whose id begins so.
func find(ctx context.Context, h history, id string) (session.Session, error) {
	s, err := h.Session(ctx, id)
	if !errors.Is(err, session.ErrNoSession) || id == "" {
		return s, err
	}
	ids, err := h.SessionIDs(ctx, id, 2)
	switch {
	case err != nil:
		return s, err
	case len(ids) == 0:
		return s, session.ErrNoSession
	case len(ids) > 1:
		return s, errSeveral
	}
	return h.Session(ctx, ids[0])
}
