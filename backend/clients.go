package backend

import (
	"slices"
	"strings"
	"time"

	"countersign/backend/connect"
	"countersign/backend/host/dotfile"
)

// programName is the program that clients start.
const programName = "countersign"

// Clients tells how each client that is known is connected, and connects it.
func (e *Engine) Clients() *connect.Panel { return connect.NewPanel(e.facts, dotfile.Files{}) }

// facts are what the entries of clients depend on, as of now.
func (e *Engine) facts() connect.Facts {
	paths := e.options.Paths
	f := connect.Facts{Workspace: e.options.Workspace, UserHome: paths.UserHome, Home: paths.Home}
	if paths.Usual() {
		f.Home = ""
	}
	if e.options.Program != "" {
		f.Program = dotfile.Beside(e.options.Program, programName)
	}
	return f
}

// Connected is a client that is connected now.
type Connected struct {
	SessionID string
	Since     time.Time
	// Process is that of the program which the client has started, 0 when it is not known.
	Process int
}

// ConnectedClients returns the clients that are connected now, those who came last first.
func (e *Engine) ConnectedClients() []Connected {
	var out []Connected
	for _, s := range e.openSessions() {
		if s.request.Dismiss != nil {
			out = append(out, Connected{SessionID: s.record.ID, Since: s.opened, Process: s.request.Process})
		}
	}
	slices.SortFunc(out, func(a, b Connected) int {
		if c := b.Since.Compare(a.Since); c != 0 {
			return c
		}
		return strings.Compare(b.SessionID, a.SessionID)
	})
	return out
}

// Disconnect ends the connection of a client; what waits for it stays as cards whose caller
// has left. It is false when no such client is connected.
func (e *Engine) Disconnect(sessionID string) bool {
	e.mu.Lock()
	s := e.sessions[sessionID]
	e.mu.Unlock()
	if s == nil || s.request.Dismiss == nil {
		return false
	}
	s.request.Dismiss()
	return true
}
