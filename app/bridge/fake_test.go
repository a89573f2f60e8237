package bridge

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"testing"
	"time"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/config"
	"countersign/backend/connect"
	"countersign/backend/event"
	"countersign/backend/lines"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/shelf"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

var noon = time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)

type stillClock struct{}

func (stillClock) Now() time.Time { return noon }

// fakeEngine answers from fields. A set err makes every method that can fail do so.
type fakeEngine struct {
	err       error
	panics    bool
	rules     session.Rules
	sessions  []session.Session
	entries   []Entry
	calls     map[string]session.Invocation
	pending   []approval.Request
	questions []Question
	specs     []tool.Spec
	answered  Answered
	given     *approval.Answer

	answeredAll approval.BatchResult
	givenAll    *approval.BatchAnswer
	changeable  backend.Changeable
	changed     approval.Result
	givenChange *backend.Changes

	matching  backend.Matching
	rehearsal backend.Rehearsal
	rehearsed config.Patch
	from      backend.RehearsalMark
	query     backend.MatchQuery
	patched   *config.Patch
	settings  config.Settings
	file      config.State
	grants    []backend.LedgerGrant
	standing  registry.Standing
	totals    map[string]ToolTotal
	on        []string
	sets      backend.ToolSets
	drift     shelf.Change
	tried     string
	health    string
	task      string
	drifted   bool
	away      bool
	span      Span
	running   string
	past      session.HistoryPage
	wanted    session.HistoryQuery
	choices   session.HistoryChoices
	clients   []connect.Client
	plan      connect.Plan
	written   bool
	callLines map[string]string
	part      backend.Part
	partFrom  int64
	callers   []Caller
	processes []backend.Managed
	sent      string
	stopped   string
	texts     map[string]string
	lines     change.Excerpt
	asked     string
	outputs   []session.Output
	images    map[string]backend.Image
	judged    approval.Judged
	revoked   string
	foreseen  backend.ForeseenPath
}

func (f *fakeEngine) FileText(_ context.Context, sessionID, path string, hashes []string) ([]byte, int, error) {
	f.asked = sessionID + " " + path
	for i, hash := range hashes {
		if text, ok := f.texts[hash]; ok {
			return []byte(text), i, f.err
		}
	}
	return nil, 0, backend.ErrNotKept
}

func (f *fakeEngine) Excerpt(_ context.Context, sessionID, path string, first int64, _ int) (tool.Path, change.Excerpt, error) {
	f.asked = sessionID + " " + path
	return tool.Path{Real: "/w/a", Rel: "a", Zone: tool.ZoneWorkspace}, f.lines, f.err
}

func (f *fakeEngine) Image(_ context.Context, _, handle string) (backend.Image, error) {
	i, ok := f.images[handle]
	i.Gone = !ok
	return i, f.err
}
func (f *fakeEngine) ReadImage(context.Context, string) ([]byte, session.Image, error) {
	return nil, session.Image{}, fs.ErrNotExist
}
func (f *fakeEngine) OutputsOf(context.Context, string) ([]session.Output, error) {
	return f.outputs, f.err
}
func (f *fakeEngine) Output(context.Context, string, string) (backend.Output, error) {
	return backend.Output{}, session.ErrNoOutput
}
func (f *fakeEngine) ReadOutput(context.Context, string, string, func(*lines.Text) error) error {
	return backend.ErrOutputGone
}
func (f *fakeEngine) CopyOutput(context.Context, string, string, func(io.Reader, int64) error) error {
	return backend.ErrOutputGone
}
func (f *fakeEngine) KeepOutput(context.Context, string, string) (session.Artifact, error) {
	return session.Artifact{}, backend.ErrOutputGone
}
func (f *fakeEngine) OutputFolder(context.Context, string, string) (string, error) {
	return "", backend.ErrOutputGone
}

func (f *fakeEngine) History(_ context.Context, q session.HistoryQuery) (session.HistoryPage, error) {
	f.wanted = q
	return f.past, f.err
}
func (f *fakeEngine) HistoryCall(_ context.Context, id string) (session.HistoryCall, error) {
	for _, c := range f.past.Calls {
		if c.ID == id {
			return c, f.err
		}
	}
	return session.HistoryCall{}, ErrNotFound
}
func (f *fakeEngine) HistoryChoices(context.Context) (session.HistoryChoices, error) {
	return f.choices, f.err
}

func (f *fakeEngine) Rules() session.Rules { return f.rules }
func (f *fakeEngine) Theme() string        { return "system" }
func (f *fakeEngine) ChangeRules(_ context.Context, p config.Patch) (approval.Judged, error) {
	f.patched = &p
	return f.judged, f.err
}
func (f *fakeEngine) RevokeGrant(_ context.Context, id string) (bool, error) {
	f.revoked = id
	return f.err == nil, f.err
}
func (f *fakeEngine) ForeseePath(text string) backend.ForeseenPath {
	f.tried = text
	return f.foreseen
}
func (f *fakeEngine) Settings() config.Settings  { return f.settings }
func (f *fakeEngine) SettingsFile() config.State { return f.file }
func (f *fakeEngine) Foresee(session.Preset) map[policy.Kind]policy.Foreseen {
	out := map[policy.Kind]policy.Foreseen{}
	for _, k := range policy.Kinds() {
		out[k] = policy.ForeseenAsk
	}
	return out
}
func (f *fakeEngine) Grants(context.Context) ([]backend.LedgerGrant, error) { return f.grants, f.err }
func (f *fakeEngine) Standing(*tool.Spec) registry.Standing                 { return f.standing }
func (f *fakeEngine) ToolTotals(context.Context) (map[string]ToolTotal, error) {
	return f.totals, f.err
}
func (f *fakeEngine) StoreHealth() (bool, string) { return f.health == "", f.health }
func (f *fakeEngine) Running() int                { return 2 }
func (f *fakeEngine) Sessions(context.Context, int) ([]session.Session, error) {
	if f.panics {
		panic("secret text of a tool")
	}
	return f.sessions, f.err
}
func (f *fakeEngine) Session(_ context.Context, id string) (session.Session, error) {
	for _, s := range f.sessions {
		if s.ID == id {
			return s, f.err
		}
	}
	return session.Session{}, ErrNotFound
}
func (f *fakeEngine) Connected(string) bool                          { return !f.away }
func (f *fakeEngine) Drifted(context.Context, approval.Request) bool { return f.drifted }
func (f *fakeEngine) Revealed(ctx context.Context, id, hash string) (approval.Request, error) {
	q, err := f.Request(ctx, id)
	if err == nil && q.ArgumentsHash != hash {
		err = backend.ErrOutdated
	}
	return q, err
}
func (f *fakeEngine) Busy(string) bool { return false }
func (f *fakeEngine) Timeline(_ context.Context, _ string, at Span) (Page, error) {
	f.span = at
	return Page{Entries: f.entries, Before: "3", After: "9"}, f.err
}
func (f *fakeEngine) Changed(context.Context, string, int64, int) ([]Entry, error) {
	return f.entries, f.err
}
func (f *fakeEngine) Find(_ context.Context, _, words string, _ int) ([]FindMatch, int, error) {
	return []FindMatch{{ID: words, Cursor: "7"}}, 12, f.err
}
func (f *fakeEngine) Message(_ context.Context, _, id string) (session.Message, error) {
	return session.Message{ID: id, Text: tool.Mark("all of " + id)}, f.err
}
func (f *fakeEngine) Invocation(_ context.Context, id string) (session.Invocation, error) {
	if inv, ok := f.calls[id]; ok {
		return inv, f.err
	}
	return session.Invocation{}, ErrNotFound
}
func (f *fakeEngine) Pending(context.Context) ([]approval.Brief, error) {
	out := []approval.Brief{}
	for _, r := range f.pending {
		out = append(out, approval.Brief{Request: r, Heads: session.HeadsOf(r.Canonical)})
	}
	return out, f.err
}
func (f *fakeEngine) Request(_ context.Context, id string) (approval.Request, error) {
	for _, r := range f.pending {
		if r.ID == id {
			return r, f.err
		}
	}
	return approval.Request{}, ErrNotFound
}
func (f *fakeEngine) RequestOf(_ context.Context, id string) (approval.Request, error) {
	for _, r := range f.pending {
		if r.InvocationID == id {
			return r, f.err
		}
	}
	return approval.Request{}, ErrNotFound
}
func (f *fakeEngine) Rehearse(_ context.Context, p config.Patch, from backend.RehearsalMark) (backend.Rehearsal, error) {
	f.rehearsed, f.from = p, from
	return f.rehearsal, f.err
}
func (f *fakeEngine) WouldMatch(_ context.Context, q backend.MatchQuery) (backend.Matching, error) {
	f.query = q
	return f.matching, f.err
}
func (f *fakeEngine) Answer(_ context.Context, _ string, a approval.Answer) (Answered, error) {
	f.given = &a
	return f.answered, f.err
}
func (f *fakeEngine) TrustQuestions(context.Context) ([]Question, error) { return f.questions, f.err }
func (f *fakeEngine) AnswerBatch(_ context.Context, a approval.BatchAnswer) (approval.BatchResult, error) {
	f.givenAll = &a
	return f.answeredAll, f.err
}
func (f *fakeEngine) Changeable(context.Context, string, bool) (backend.Changeable, error) {
	return f.changeable, f.err
}
func (f *fakeEngine) ChangeArguments(_ context.Context, _ string, c backend.Changes) (approval.Result, error) {
	f.givenChange = &c
	return f.changed, f.err
}
func (f *fakeEngine) AnswerTrust(context.Context, string, string) error { return f.err }
func (f *fakeEngine) Trusts(context.Context) ([]Trust, error)           { return nil, f.err }
func (f *fakeEngine) DismissLeft(context.Context, string) error         { return f.err }
func (f *fakeEngine) ForgetTrust(context.Context, string) error         { return f.err }
func (f *fakeEngine) Specs() []tool.Spec                                { return f.specs }
func (f *fakeEngine) Spec(name string) (*tool.Spec, bool) {
	for i := range f.specs {
		if f.specs[i].ID == name {
			return &f.specs[i], true
		}
	}
	return nil, false
}
func (f *fakeEngine) Availability(*tool.Spec) (bool, string) { return true, "" }
func (f *fakeEngine) EnabledSets() []string {
	if f.on != nil {
		return f.on
	}
	return []string{"coding"}
}
func (f *fakeEngine) Reasons() map[tool.Code]tool.Reason {
	out := map[tool.Code]tool.Reason{}
	for _, r := range tool.Reasons() {
		out[r.Code] = r
	}
	return out
}
func (f *fakeEngine) StartTask(_ context.Context, _, text string) (string, error) {
	f.task = text
	return "s1", f.err
}
func (f *fakeEngine) StopTurn(string) error { return f.err }

func (f *fakeEngine) TryTool(_ context.Context, name string, arguments []byte) (string, error) {
	f.task = name + " " + string(arguments)
	return "s1", f.err
}
func (f *fakeEngine) ToolSets(context.Context, backend.SetPlace, bool) (backend.ToolSets, error) {
	return f.sets, f.err
}
func (f *fakeEngine) ReloadSets(context.Context, backend.SetPlace) error { return f.err }
func (f *fakeEngine) EnableSet(context.Context, backend.SetRef, bool) (toolset.Entry, error) {
	return toolset.Entry{}, f.err
}
func (f *fakeEngine) SetChange(context.Context, backend.SetRef) (shelf.Change, error) {
	return f.drift, f.err
}
func (f *fakeEngine) AcceptSet(context.Context, backend.SetRef, string) error { return f.err }

func (f *fakeEngine) Clients() []connect.Client               { return f.clients }
func (f *fakeEngine) PlanClient(string) (connect.Plan, error) { return f.plan, f.err }
func (f *fakeEngine) WriteClient(_, hash string) (connect.Plan, bool, error) {
	return f.plan, f.written && hash == f.plan.Hash, f.err
}
func (f *fakeEngine) Callers(context.Context) ([]Caller, error) { return f.callers, f.err }
func (f *fakeEngine) Disconnect(string) error                   { return f.err }
func (f *fakeEngine) CanStop(id string) bool                    { return f.running == id }
func (f *fakeEngine) StopCall(id string) error {
	if f.running != id {
		return ErrNotFound
	}
	f.running = ""
	return f.err
}

// newest asks for the newest page of a session.
func newest(id string) PageRequest { return PageRequest{SessionID: id, Where: "before"} }

func newAPI(t *testing.T, f *fakeEngine) *API {
	t.Helper()
	if f.rules.Preset == "" {
		f.rules = session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop}
	}
	return New(t.Context(), Config{
		Engine: f, Clock: stillClock{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Version: "1.0", Home: "/home/me/.countersign", Workspace: "/w", Model: "scripted",
	})
}

func writeSpec() tool.Spec {
	return tool.Spec{
		ID: "write", Set: "coding", Source: tool.SourceBuiltin, Version: "1",
		Input: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["file_path","content"],"properties":{` +
			`"file_path":{"type":"string","description":"File to write."},"content":{"type":"string","description":"All of it."},` +
			`"mode":{"type":"integer","description":"Bits."}}}`),
		Class: tool.Class{
			SideEffect: tool.EffectWorkspaceWrite, Risk: tool.RiskMedium, Idempotency: tool.IdempotencyIdempotent,
			Action: tool.ActionToolCall, OutputTrust: tool.TrustInternalTool, Target: tool.TargetHost,
			Timeout: 10 * time.Second, OnTimeout: tool.TimeoutKill, MaxBytes: 1000,
		},
		Catalogs: []tool.Catalog{tool.CatalogWork},
	}
}

func writeSession() session.Session {
	return session.Session{
		ID: "s1", Title: tool.Mark("Fix it"), Workspace: "/w",
		Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("claude-code")}, Status: session.StatusActive,
		CreatedAt: noon, UpdatedAt: noon, Waiting: 1,
	}
}

func writeRequest() approval.Request {
	return approval.Request{
		ID: "a1", SessionID: "s1", InvocationID: "i1", ToolID: "write", Wire: "write", Set: "coding",
		SideEffect: tool.EffectWorkspaceWrite, Risk: tool.RiskMedium,
		Decision: tool.Decision{Verdict: tool.VerdictAsk, Chain: []tool.Link{
			{Layer: tool.LayerMatrix, Verdict: tool.VerdictAllow, Reason: "inside"},
			{Layer: tool.LayerPreset, Verdict: tool.VerdictAsk, Reason: "Default asks before every write."},
		}},
		ArgumentsHash: "0123456789abcdef", Verb: "Create 1 file", Preview: tool.PreviewDiff,
		Canonical: []byte(`{"content":"a\nb","extra":[1.50],"file_path":"/w/notes.md","mode":12345678901234567890}`),
		Diffs:     []tool.FileDiff{{Path: "notes.md", Unified: "+a", Additions: 2, Created: true}},
		Paths: []tool.Touch{{Access: tool.AccessWrite, Path: tool.Path{
			Arg: "/w/notes.md", Abs: "/w/notes.md", Real: "/w/notes.md", Rel: "notes.md", Zone: tool.ZoneWorkspace,
		}}},
		Offers: []policy.Offer{{Choices: []policy.Choice{{Kind: policy.GrantFile, Value: "/w/notes.md", Key: "write notes.md", Words: "Later writes to notes.md"}}}},
		Status: approval.StatusPending, CreatedAt: noon, ExpiresAt: noon.Add(24 * time.Hour),
	}
}

// scriptedSource hands out one channel.
type scriptedSource struct {
	events chan event.Event
	closed chan struct{}
}

func newSource(room int) *scriptedSource {
	return &scriptedSource{events: make(chan event.Event, room), closed: make(chan struct{})}
}

func (s *scriptedSource) Subscribe() (<-chan event.Event, func()) {
	return s.events, func() { close(s.events); close(s.closed) }
}

func (f *fakeEngine) CallLines() map[string]string { return f.callLines }

func (f *fakeEngine) CallTail(_ context.Context, _ string, from int64) (backend.Part, error) {
	f.partFrom = from
	return f.part, f.err
}

func (f *fakeEngine) ManagedProcesses(context.Context) ([]backend.Managed, error) {
	return f.processes, f.err
}

func (f *fakeEngine) RunningProcesses(context.Context) (int, error) { return len(f.processes), f.err }

func (f *fakeEngine) ProcessTail(_ context.Context, _, _ string, from int64) (backend.Managed, backend.Part, error) {
	f.partFrom = from
	return f.processes[0], f.part, f.err
}

func (f *fakeEngine) WriteProcess(_ context.Context, sessionID, id, text string) error {
	f.sent = sessionID + " " + id + " " + text
	return f.err
}

func (f *fakeEngine) StopProcess(_ context.Context, sessionID, id string) error {
	f.stopped = sessionID + " " + id
	return f.err
}
