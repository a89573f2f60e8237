package bridge

import (
	"context"
	"errors"
	"strconv"
	"unicode/utf8"

	"countersign/backend"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Processor is what the page needs of the processes that run in the background.
type Processor interface {
	// ManagedProcesses returns those of all sessions: those that run, newest first, and then
	// those that ended, the latest first.
	ManagedProcesses(ctx context.Context) ([]backend.Managed, error)
	// RunningProcesses counts those that run.
	RunningProcesses(ctx context.Context) (int, error)
	// ProcessTail returns what one printed from a place in its log on, the newest part for a
	// negative one.
	ProcessTail(ctx context.Context, sessionID, id string, from int64) (backend.Managed, backend.Part, error)
	// WriteProcess and StopProcess may return a *tool.Error or backend.ErrNotHere.
	WriteProcess(ctx context.Context, sessionID, id, text string) error
	StopProcess(ctx context.Context, sessionID, id string) error
}

// maxInput bounds a text for a process, in bytes.
const maxInput = 64 << 10

func (a *API) processes(ctx context.Context) (ProcessList, error) {
	all, err := a.engine.ManagedProcesses(ctx)
	if err != nil {
		return ProcessList{}, err
	}
	out := ProcessList{Now: stamp(a.clock.Now())}
	known := map[string]session.Session{}
	for _, m := range all {
		s, err := a.owner(ctx, known, m.SessionID)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return ProcessList{}, err
		}
		out.Rows = append(out.Rows, processRow(m, s))
	}
	return out, nil
}

func (r ProcessRef) check() error {
	if len(r.SessionID) > maxID || len(r.ID) > maxID {
		return invalid("id", "is too long")
	}
	return nil
}

func (a *API) processTail(ctx context.Context, r ProcessTailRequest) (ProcessTail, error) {
	if err := (ProcessRef{r.SessionID, r.ID}).check(); err != nil {
		return ProcessTail{}, err
	}
	from, err := tailFrom(r.From)
	if err != nil {
		return ProcessTail{}, err
	}
	m, part, err := a.engine.ProcessTail(ctx, r.SessionID, r.ID, from)
	if err != nil {
		return ProcessTail{}, err
	}
	s, err := a.engine.Session(ctx, r.SessionID)
	if err != nil {
		return ProcessTail{}, err
	}
	out := ProcessTail{
		Row: processRow(m, s), Text: shown(part.Text), From: strconv.FormatInt(part.From, 10), To: strconv.FormatInt(part.To, 10),
		Gap: part.Gap, More: part.More,
	}
	switch {
	case m.LogPath == "":
		out.Lost = "There was no room to keep what it prints."
	case m.Lost > 0:
		out.Lost = lostSome
	}
	return out, nil
}

func (a *API) writeProcess(ctx context.Context, r ProcessInput) error {
	if err := (ProcessRef{r.SessionID, r.ID}).check(); err != nil {
		return err
	}
	switch {
	case r.Text == "" || !utf8.ValidString(r.Text):
		return invalid("text", "is empty or not text")
	case len(r.Text) > maxInput:
		return invalid("text", "is longer than 64 KB")
	}
	return processFault(a.engine.WriteProcess(ctx, r.SessionID, r.ID, r.Text))
}

func (a *API) stopProcess(ctx context.Context, r ProcessRef) error {
	if err := r.check(); err != nil {
		return err
	}
	err := a.engine.StopProcess(ctx, r.SessionID, r.ID)
	if own, ok := errors.AsType[*tool.Error](err); ok && own.Code == tool.CodeEnded {
		// It ended by itself: that is what was wished.
		return nil
	}
	return processFault(err)
}

// processFault says for the person why a process could not be reached.
func processFault(err error) error {
	if errors.Is(err, backend.ErrNotHere) {
		return Fault(CodeUnavailable, elsewhere)
	}
	own, ok := errors.AsType[*tool.Error](err)
	if !ok {
		return err
	}
	switch own.Code {
	case tool.CodeEnded:
		return Fault(string(own.Code), "The process has ended. Nothing was sent.")
	case tool.CodeNoInput:
		return Fault(string(own.Code), noInput)
	case tool.CodeNotTaken:
		return Fault(string(own.Code), "The process does not read now. Part of the text may have been taken; look at what it prints before you send more.")
	case tool.CodeExecutionFailed:
		return Fault(string(own.Code), "Something of the process could not be ended: it belongs to another user, or the system holds it. The log has the cause.")
	}
	return err
}

const (
	elsewhere = "Another program of Countersign keeps this process. Stop it there, or close that program."
	noInput   = "It reads no input: a command started it that was not made to be typed into."
)

// processRow tells a process of a session.
func processRow(m backend.Managed, s session.Session) ProcessRow {
	row := ProcessRow{
		SessionID: m.SessionID, ID: m.ID, Title: titleOf(s), Caller: callerWords(s.Caller), Workspace: s.Workspace,
		Command: shown([]byte(m.Command)), Marker: markerIn(m.SessionID, m.Command), Dir: m.Dir, PID: strconv.Itoa(m.PID),
		Status: string(m.Status), StatusWords: processWords(m.Process), Failed: processFailed(m.Process),
		StartedAt: stamp(m.StartedAt), EndedAt: stamp(m.EndedAt),
		CPUMs: "0", MemoryBytes: "0",
		Lines: strconv.FormatInt(m.Lines, 10), Bytes: strconv.FormatInt(m.Bytes, 10), LogPath: m.LogPath,
	}
	if u := m.Usage; u != nil {
		row.Measured, row.Count = true, u.Processes
		row.CPUMs, row.MemoryBytes = strconv.FormatInt(u.CPU.Milliseconds(), 10), strconv.FormatInt(u.Memory, 10)
	}
	switch {
	case m.Status.Ended():
	case !m.Here:
		row.Fixed = elsewhere
	default:
		row.Stop, row.Input = true, m.Input
		if !m.Input {
			row.Fixed = noInput
		}
	}
	return row
}

// processWords say how a process stands.
func processWords(p tool.Process) string {
	switch p.Status {
	case tool.ProcessRunning:
		return "Running"
	case tool.ProcessStopped:
		return "Stopped"
	case tool.ProcessFailed:
		return "Lost with the program that kept it"
	case tool.ProcessExited:
	}
	switch {
	case p.Ending.Code != nil:
		return "Exited with code " + strconv.Itoa(*p.Ending.Code)
	case p.Ending.Signal != "":
		return "Ended by " + p.Ending.Signal
	}
	return "Ended"
}

// processFailed reports whether a process ended otherwise than well, and not by a wish.
func processFailed(p tool.Process) bool {
	switch p.Status {
	case tool.ProcessRunning, tool.ProcessStopped:
		return false
	case tool.ProcessFailed:
		return true
	case tool.ProcessExited:
	}
	return p.Ending.Code == nil || *p.Ending.Code != 0
}
