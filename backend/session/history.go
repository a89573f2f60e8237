package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/backend/tool"
)

// ErrCursor says that a text is no cursor of an earlier answer.
var ErrCursor = errors.New("not a cursor")

// Ending is how a call stands or ended, as a person tells it. It is a little coarser than
// a State, and tells a call that nobody answered in time from one that was denied. A call
// that a person denied after its caller had left counts as denied.
type Ending string

// The endings.
const (
	EndingWaiting   Ending = "waiting"
	EndingRunning   Ending = "running"
	EndingSucceeded Ending = "succeeded"
	EndingFailed    Ending = "failed"
	EndingDenied    Ending = "denied"
	EndingExpired   Ending = "expired"
	EndingUncertain Ending = "uncertain"
	EndingCancelled Ending = "cancelled"
)

// Endings returns the endings in the order in which they are shown.
func Endings() []Ending {
	return []Ending{
		EndingSucceeded, EndingFailed, EndingDenied, EndingExpired, EndingCancelled, EndingUncertain, EndingWaiting, EndingRunning,
	}
}

// Known reports whether e is one of the endings.
func (e Ending) Known() bool { return slices.Contains(Endings(), e) }

// Decider is who or what let a call run or refused it.
type Decider string

// The deciders. Nobody is for calls that wait, that were cancelled or expired and never
// answered, or that broke before a rule was asked.
const (
	DeciderPerson   Decider = "person"
	DeciderRules    Decider = "rules"
	DeciderGrant    Decider = "grant"
	DeciderReviewer Decider = "reviewer"
	DeciderNobody   Decider = "nobody"
)

// Deciders returns the deciders in the order in which they are shown.
func Deciders() []Decider {
	return []Decider{DeciderPerson, DeciderRules, DeciderGrant, DeciderReviewer, DeciderNobody}
}

// Known reports whether d is one of the deciders.
func (d Decider) Known() bool { return slices.Contains(Deciders(), d) }

// Cursor is a place in the history of all calls: the time of a call in milliseconds, and a
// number that tells calls of one time apart. The zero value is before all of them.
type Cursor struct{ At, Num int64 }

// String is the cursor as text, "" for the zero value.
func (c Cursor) String() string {
	if c == (Cursor{}) {
		return ""
	}
	return strconv.FormatInt(c.At, 10) + "." + strconv.FormatInt(c.Num, 10)
}

// Compare orders cursors by time and then by number.
func (c Cursor) Compare(d Cursor) int {
	return cmp.Or(cmp.Compare(c.At, d.At), cmp.Compare(c.Num, d.Num))
}

// ParseCursor reads what String wrote, or returns ErrCursor.
func ParseCursor(text string) (Cursor, error) {
	if text == "" {
		return Cursor{}, nil
	}
	at, num, _ := strings.Cut(text, ".")
	var c Cursor
	var err error
	if c.At, err = strconv.ParseInt(at, 10, 64); err != nil {
		return Cursor{}, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	if c.Num, err = strconv.ParseInt(num, 10, 64); err != nil {
		return Cursor{}, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	if c.String() != text || c.Num < 0 {
		return Cursor{}, ErrCursor
	}
	return c, nil
}

// HistoryQuery says which calls of all sessions are wanted. An empty field wants all.
type HistoryQuery struct {
	// Tools are ids; a name of a tool that is not known here counts as one too.
	Tools      []string
	Endings    []Ending
	Deciders   []Decider
	Risks      []tool.Risk
	Workspaces []string
	Callers    []HistoryCaller
	// Since is the earliest time of a call.
	Since time.Time
	// Text must be part of the session's title, its caller's name, the tool's name, the words
	// of a denial, or the beginning of an argument that is named in Subjects. Only the
	// letters of ASCII count as equal in both cases.
	Text string
	// Subjects are the names of the arguments that say what a call acts on.
	Subjects []string
	// Before is where the page begins, exclusive; the zero value is the newest call. After
	// is where it ends, exclusive.
	Before, After Cursor
	// Limit is how many calls a page has at most; 0 is as many as a page may have.
	Limit int
}

// HistoryCaller is one that calls came from. Its name is foreign text.
type HistoryCaller struct {
	Kind CallerKind
	Name tool.Untrusted
}

// HistoryPage is a page of the history, the newest call first.
type HistoryPage struct {
	Calls []HistoryCall
	// Next is where the next page begins, and ReachedAt the time down to which this one
	// has looked. Next is zero when there is nothing more to look at.
	Next      Cursor
	ReachedAt time.Time
}

// HistoryCall is a call as a list of all sessions shows it: without its decision, arguments
// and result.
type HistoryCall struct {
	Invocation
	Cursor  Cursor
	Ending  Ending
	Decider Decider
	// Session has what names it: id, title, workspace, root of trust, caller and start.
	Session Session
	// Heads are the beginnings of its arguments.
	Heads map[string]Head
	// Ordinal is the place of the call in its session.
	Ordinal int64
	// Request is the latest request that was made for the call, nil without one.
	Request *HistoryRequest
}

// HistoryRequest is what a list tells of a request: who answered it, and how.
type HistoryRequest struct {
	ID         string
	Status     string
	Resolution string
	ResolvedBy string
	LeftWhy    string
	CallerLeft bool
	Words      tool.Untrusted
}

// HistoryChoices are the values that calls have and that a query can ask for.
type HistoryChoices struct {
	Tools      []string
	Workspaces []string
	Callers    []HistoryCaller
}
