package bridge

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"countersign/backend/connect"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Connector is what the page needs to connect clients and to see who is connected.
type Connector interface {
	// Clients returns the clients that are known.
	Clients() []connect.Client
	// PlanClient and WriteClient are those of a connect.Panel.
	PlanClient(id string) (connect.Plan, error)
	WriteClient(id, hash string) (plan connect.Plan, written bool, err error)
	// Callers returns who is connected now, those who came last first.
	Callers(ctx context.Context) ([]Caller, error)
	// Disconnect ends the connection of a session's client, or returns ErrNotFound.
	Disconnect(sessionID string) error
}

// Caller is a client that is connected now.
type Caller struct {
	Session session.Session
	Since   time.Time
	// Process is that of the bridge which the client has started, 0 when it is not known.
	Process       int
	Calls, Denied int
	// Last is when the last call was made, zero before the first.
	Last time.Time
}

// Connect returns what to tell each client, and who is connected now.
func (a *API) Connect() (ConnectView, error) {
	return respond(a, "Connect", func(ctx context.Context) (ConnectView, error) {
		callers, err := a.engine.Callers(ctx)
		if err != nil {
			return ConnectView{}, err
		}
		out := ConnectView{}
		sessions := map[string]int{}
		names := map[string]string{}
		for _, c := range callers {
			sessions[connect.ClientOf(c.Session.Caller.Name.Open())]++
		}
		for _, c := range a.engine.Clients() {
			row := clientRow(c)
			row.Sessions = sessions[c.ID]
			names[c.ID] = c.Name
			out.Clients = append(out.Clients, row)
		}
		for _, c := range callers {
			out.Callers = append(out.Callers, callerRow(c, names))
		}
		return out, nil
	})
}

// PlanClient returns what writing a client's entry would change.
func (a *API) PlanClient(id string) (ClientPlan, error) {
	return respond(a, "PlanClient", func(context.Context) (ClientPlan, error) {
		plan, err := a.engine.PlanClient(id)
		if err != nil {
			return ClientPlan{}, a.troubled(err)
		}
		return clientPlan(plan), nil
	})
}

// WriteClient writes a client's entry, if the change is still the one that was shown; else
// it writes nothing and returns the change of now.
func (a *API) WriteClient(w ClientWrite) (ClientPlan, error) {
	return respond(a, "WriteClient", func(context.Context) (ClientPlan, error) {
		if w.Hash == "" {
			return ClientPlan{}, invalid("hash", "is missing")
		}
		plan, written, err := a.engine.WriteClient(w.Client, w.Hash)
		if err != nil {
			return ClientPlan{}, a.troubled(err)
		}
		out := clientPlan(plan)
		out.Written = written
		if written {
			a.log.Info("the entry of a client was written", "client", plan.Client.ID)
		}
		return out, nil
	})
}

// Disconnect ends the connection of a session's client.
func (a *API) Disconnect(sessionID string) error {
	return perform(a, "Disconnect", func(context.Context) error { return a.engine.Disconnect(sessionID) })
}

// troubled says to the person why a client's file is left alone. Of the cause the log gets
// the part that names no path.
func (a *API) troubled(err error) error {
	if errors.Is(err, connect.ErrUnknown) {
		return ErrNotFound
	}
	trouble, ok := errors.AsType[*connect.Trouble](err)
	if !ok {
		return err
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		a.log.Warn("the file of a client was left alone", "client", trouble.Client, "doing", cause.Op, "cause", cause.Err)
	}
	return Fault(CodeUnavailable, trouble.Words)
}

func clientRow(c connect.Client) ClientRow {
	row := ClientRow{
		ID: c.ID, Name: c.Name, Command: c.Command, Fragment: c.Fragment, Language: c.Language,
		Place: c.Place, Path: c.Path, User: c.User, State: string(c.State), Trouble: c.Trouble, Limit: c.Limit, After: c.After,
	}
	if c.Real != "" && c.Real != c.Path {
		row.LinkedTo = c.Real
	}
	return row
}

func clientPlan(p connect.Plan) ClientPlan {
	out := ClientPlan{Client: clientRow(p.Client), Hash: p.Hash}
	if p.Hash != "" {
		out.Diffs = diffRows([]tool.FileDiff{p.Diff}, nil)
		out.Diffs[0].Absolute = p.Client.Real
	}
	return out
}

// callerRow tells a client by the name that it is known under, else by what it says of itself.
func callerRow(c Caller, names map[string]string) CallerRow {
	name := names[connect.ClientOf(c.Session.Caller.Name.Open())]
	if name == "" {
		name = callerWords(c.Session.Caller)
	}
	through := "stdio"
	if c.Process > 0 {
		through += ", process " + strconv.Itoa(c.Process)
	}
	return CallerRow{
		SessionID: c.Session.ID, Title: titleOf(c.Session), Name: name, Version: clip(strings.TrimSpace(c.Session.Caller.Version.Open())),
		Workspace: c.Session.Workspace, Through: through, Since: stamp(c.Since),
		Calls: c.Calls, Denied: c.Denied, Waiting: c.Session.Waiting, LastCall: stamp(c.Last),
	}
}
