package bridge

import (
	"context"
	"errors"
	"io"
	"time"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/lines"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// ErrNotFound says that there is no such session, call, approval or question.
var ErrNotFound = errors.New("not found")

// Engine is what the page needs of the engine. Methods that look something up
// return ErrNotFound when it is not there; any of them may return a *tool.Error.
type Engine interface {
	// Rules returns the settings that decide calls, as of now.
	Rules() session.Rules
	// Theme returns "system", "light" or "dark".
	Theme() string
	// ChangeRules stores the fields of the patch that are set, judges waiting calls again and
	// tells what became of them. It may return what config.File.Change does.
	ChangeRules(ctx context.Context, patch config.Patch) (approval.Judged, error)
	// Settings returns all settings in force, SettingsFile what stands in config.json now.
	Settings() config.Settings
	SettingsFile() config.State
	// Foresee says what each kind of call would get under a preset with the lock off.
	Foresee(p session.Preset) map[policy.Kind]policy.Foreseen
	// Grants returns the grants that have not ended and those that ended lately.
	Grants(ctx context.Context) ([]backend.LedgerGrant, error)
	// RevokeGrant takes a grant back; changed is false when it had ended before.
	RevokeGrant(ctx context.Context, id string) (changed bool, err error)
	pathForeseer
	// StoreHealth says whether the store can write, and if not what to do.
	StoreHealth() (ok bool, words string)
	// Running counts the calls that run now.
	Running() int

	// Sessions returns up to limit sessions, the latest used first.
	Sessions(ctx context.Context, limit int) ([]session.Session, error)
	// Session returns one session.
	Session(ctx context.Context, id string) (session.Session, error)
	// Connected reports whether the caller of a session is there now.
	Connected(sessionID string) bool
	// Busy reports whether a turn of the built-in agent runs in a session.
	Busy(sessionID string) bool
	// Timeline returns a stretch of a session, oldest first. A list tells calls and messages
	// by their beginnings.
	Timeline(ctx context.Context, sessionID string, at Span) (Page, error)
	// Changed returns up to limit entries that the events of a session after since are
	// about, oldest first.
	Changed(ctx context.Context, sessionID string, since int64, limit int) ([]Entry, error)
	// Find returns up to limit entries that hold the words, the latest first, and how many
	// there are.
	Find(ctx context.Context, sessionID, words string, limit int) (found []FindMatch, total int, err error)
	// Message returns one message of a session whole.
	Message(ctx context.Context, sessionID, id string) (session.Message, error)
	// Invocation returns one call with its arguments and content.
	Invocation(ctx context.Context, id string) (session.Invocation, error)

	// OutputsOf returns the texts that a call left in the output store. Output tells of one,
	// ReadOutput and CopyOutput read it, KeepOutput keeps it, and OutputFolder is where it lies;
	// they fail as the engine's methods of those names do.
	OutputsOf(ctx context.Context, invocationID string) ([]session.Output, error)
	Output(ctx context.Context, sessionID, name string) (backend.Output, error)
	ReadOutput(ctx context.Context, sessionID, name string, f func(*lines.Text) error) error
	CopyOutput(ctx context.Context, sessionID, name string, f func(text io.Reader, size int64) error) error
	KeepOutput(ctx context.Context, sessionID, name string) (session.Artifact, error)
	OutputFolder(ctx context.Context, sessionID, name string) (string, error)

	// History returns a page of the calls of all sessions, the newest first.
	History(ctx context.Context, q session.HistoryQuery) (session.HistoryPage, error)
	// HistoryCall returns one call as History does.
	HistoryCall(ctx context.Context, id string) (session.HistoryCall, error)
	// HistoryChoices returns the values that History can be asked for.
	HistoryChoices(ctx context.Context) (session.HistoryChoices, error)

	// Pending returns the waiting requests as a list tells them, oldest first.
	Pending(ctx context.Context) ([]approval.Brief, error)
	// Request returns one request with its arguments.
	Request(ctx context.Context, id string) (approval.Request, error)
	// RequestOf returns the latest request of a call.
	RequestOf(ctx context.Context, invocationID string) (approval.Request, error)
	// FileText returns the content of a file of a session that has one of the hashes, now or
	// in a kept version, and which; Excerpt lines of a file as it is now. Both fail as the
	// engine's methods of that name do.
	FileText(ctx context.Context, sessionID, path string, hashes []string) (content []byte, which int, err error)
	Excerpt(ctx context.Context, sessionID, path string, first int64, count int) (tool.Path, change.Excerpt, error)
	// Drifted reports whether what a waiting request shows is out of date, so that an
	// answer to it would not count.
	Drifted(ctx context.Context, r approval.Request) bool
	// Revealed returns a waiting request with what its card hides from eyes, or fails with
	// backend.ErrOutdated.
	Revealed(ctx context.Context, id, hash string) (approval.Request, error)
	// Rehearse says which past calls a change of settings would decide otherwise.
	Rehearse(ctx context.Context, patch config.Patch, from backend.RehearsalMark) (backend.Rehearsal, error)
	// WouldMatch says what a grant at a card would let through.
	WouldMatch(ctx context.Context, q backend.MatchQuery) (backend.Matching, error)
	// Answer gives a person's answer to a request.
	Answer(ctx context.Context, id string, a approval.Answer) (Answered, error)
	// AnswerBatch gives one answer to several requests, to all of them or to none.
	AnswerBatch(ctx context.Context, a approval.BatchAnswer) (approval.BatchResult, error)
	Changer
	// DismissLeft ends the requests of a session whose caller left.
	DismissLeft(ctx context.Context, sessionID string) error

	// TrustQuestions returns the open trust questions, oldest first.
	TrustQuestions(ctx context.Context) ([]Question, error)
	// AnswerTrust takes yes, no or later.
	AnswerTrust(ctx context.Context, root, answer string) error
	// Trusts returns the answered questions.
	Trusts(ctx context.Context) ([]Trust, error)
	// ForgetTrust takes an answer back.
	ForgetTrust(ctx context.Context, root string) error

	// Specs returns the registered tools; Spec finds one by id or wire name.
	Specs() []tool.Spec
	Spec(name string) (*tool.Spec, bool)
	// Availability says whether a tool can work on this machine, and if not why.
	Availability(spec *tool.Spec) (ok bool, reason string)
	// Standing foresees an ordinary call of a tool under the settings of now.
	Standing(spec *tool.Spec) registry.Standing
	// ToolTotals returns by tool how often it was called and how it last failed.
	ToolTotals(ctx context.Context) (map[string]ToolTotal, error)
	// EnabledSets returns the sets that are switched on.
	EnabledSets() []string
	// Reasons returns what each reason code means.
	Reasons() map[tool.Code]tool.Reason

	SetKeeper
	Trier

	// StartTask gives the built-in agent something to do and returns the session.
	StartTask(ctx context.Context, sessionID, text string) (string, error)
	// StopTurn stops the turn that runs in a session.
	StopTurn(sessionID string) error

	Connector
	// CallLines are the last lines that the programs of running calls printed, by call.
	CallLines() map[string]string
	// CallTail returns what the program of a call printed from a place on, the newest part for
	// a negative one.
	CallTail(ctx context.Context, id string, from int64) (backend.Part, error)
	Processor
	Imager
	// CanStop reports whether a call is under way here; StopCall lets it go.
	CanStop(invocationID string) bool
	StopCall(invocationID string) error
}

// Source is where events come from. A reader that is too slow misses some.
type Source interface {
	Subscribe() (events <-chan event.Event, cancel func())
}

// Span says which stretch of a timeline is wanted: that before a cursor, that after one, or
// that around one. Without a cursor it is the newest, or with FromStart the oldest.
type Span struct {
	Before, After, Around string
	FromStart             bool
	Limit                 int
}

// Page is a piece of a session's timeline.
type Page struct {
	Entries []Entry
	// Before is the cursor of the page before this one, "" at the start; After that of the
	// page after it, "" at the end.
	Before, After string
}

// Entry is a message or a call of a timeline.
type Entry struct {
	Cursor     string
	At         time.Time
	Message    *session.Message
	Invocation *session.Invocation
	// Left is how many characters follow the text of Message.
	Left int
	// Heads are the beginnings of the call's arguments.
	Heads map[string]session.Head
	// Request is the request that the call waited for, nil without one: its id, and how it
	// ended.
	Request *approval.Request
}

// Answered is what became of an answer.
type Answered struct {
	// Outcome is done, same, conflict, gone, kept or refused; Words says why it was refused.
	Outcome string
	Words   string
	Request approval.Request
}

// Question is an open trust question.
type Question struct {
	Root      string
	Workspace string
	AskedBy   session.Caller
	SessionID string
	CreatedAt time.Time
	Waiting   int
	Postponed bool
}

// Trust is an answered trust question.
type Trust struct {
	Root   string
	Answer string
	At     time.Time
}

// ToolTotal is how often a tool was called and how it last failed.
type ToolTotal struct {
	Calls int64
	// FailedAt is nil when no call failed.
	FailedAt *time.Time
	FailedBy tool.Code
}
