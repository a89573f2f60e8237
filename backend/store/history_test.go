package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// past is a call of the history that a test makes.
type past struct {
	id, session, tool string
	at                time.Duration
	status            tool.Status
	code              tool.Code
	by                string
	risk              tool.Risk
	raw               string
}

// happened stores a call from its proposal to its end, if it has one.
func happened(t *testing.T, s *store.Store, p past) {
	t.Helper()
	make1(t, s, p.session)
	inv := registrytest.Proposed(p.id)
	inv.SessionID, inv.ProposedAt = p.session, now.Add(p.at)
	inv.Name = title(p.tool)
	if p.raw != "" {
		inv.Raw = []byte(p.raw)
	}
	must(t, s.Propose(t.Context(), inv))
	if p.status == "" {
		return
	}
	if p.status == tool.StatusSucceeded || p.status == tool.StatusUncertain {
		inv = registrytest.Authorized(inv)
		inv.Canonical = inv.Raw
		inv.ToolID, inv.DecidedBy, inv.Risk = p.tool, p.by, p.risk
		must(t, s.Authorize(t.Context(), inv))
	}
	inv.ToolID, inv.DecidedBy, inv.Risk = p.tool, p.by, p.risk
	inv = registrytest.Finished(inv, p.status)
	inv.ReasonCode, inv.Canonical = p.code, nil
	must(t, s.Finish(t.Context(), inv, nil, nil))
}

// ids reads pages until the history ends and returns the ids of each.
func ids(t *testing.T, s *store.Store, q session.HistoryQuery) (pages [][]string) {
	t.Helper()
	for {
		page, err := s.History(t.Context(), q)
		must(t, err)
		list := []string{}
		for _, c := range page.Calls {
			list = append(list, c.ID)
		}
		pages = append(pages, list)
		if page.Next == (session.Cursor{}) {
			return pages
		}
		q.Before = page.Next
	}
}

// flat is ids without the pages.
func flat(t *testing.T, s *store.Store, q session.HistoryQuery) string {
	t.Helper()
	var all []string
	for _, page := range ids(t, s, q) {
		all = append(all, page...)
	}
	return strings.Join(all, " ")
}

func TestHistoryIsNewestFirstAndNoPageLosesACallOfTheSameTime(t *testing.T) {
	s := fresh(t)
	for i := range 7 {
		at := time.Duration(0)
		if i > 4 {
			at = time.Second
		}
		happened(t, s, past{id: fmt.Sprintf("i%d", i), session: fmt.Sprintf("s%d", i%2), tool: "write", at: at})
	}
	// A clock that was set back: the call came last and is told where its time is.
	happened(t, s, past{id: "early", session: "s1", tool: "write", at: -time.Hour})
	want := [][]string{{"i6", "i5", "i4"}, {"i3", "i2", "i1"}, {"i0", "early"}}
	for name, q := range map[string]session.HistoryQuery{
		"time": {}, "tool": {Tools: []string{"write"}}, "ending": {Endings: []session.Ending{session.EndingWaiting}},
		"two": {Tools: []string{"write", "nothing"}},
	} {
		q.Limit = 3
		if d := cmp.Diff(want, ids(t, s, q)); d != "" {
			t.Errorf("by %s: %s", name, d)
		}
	}
}

func TestHistoryMergesWalksInOrder(t *testing.T) {
	s := fresh(t)
	for i := range 12 {
		happened(t, s, past{id: fmt.Sprintf("i%02d", i), session: "s1", tool: []string{"read", "write", "calc"}[i%3], at: time.Duration(i) * time.Second})
	}
	want := [][]string{{"i11", "i09"}, {"i08", "i06"}, {"i05", "i03"}, {"i02", "i00"}}
	if d := cmp.Diff(want, ids(t, s, session.HistoryQuery{Tools: []string{"read", "calc"}, Limit: 2})); d != "" {
		t.Error(d)
	}
}

func TestHistoryTellsEndingsAndDeciders(t *testing.T) {
	s := fresh(t)
	for i, p := range []past{
		{id: "allowed", status: tool.StatusSucceeded, by: "person"},
		{id: "granted", status: tool.StatusSucceeded, by: "grant:g1"},
		{id: "ruled", status: tool.StatusSucceeded, by: "policy"},
		{id: "denied", status: tool.StatusDenied, by: "person", code: tool.CodeApprovalUserRejected},
		{id: "refused", status: tool.StatusDenied, by: "policy", code: tool.CodePolicyBlocked},
		{id: "unlisted", status: tool.StatusDenied, code: tool.CodeNotEnabled},
		{id: "expired", status: tool.StatusDenied, by: "policy", code: tool.CodeApprovalExpired},
		{id: "headless", status: tool.StatusDenied, by: "policy", code: tool.CodeApprovalNoOperator},
		{id: "cancelled", status: tool.StatusCancelled, by: "policy", code: tool.CodeCancelled},
		{id: "broken", status: tool.StatusFailed, code: tool.CodeArgumentsInvalid},
		{id: "missing", status: tool.StatusUnavailable, code: tool.CodeUnavailable},
		{id: "unknown", status: tool.StatusUncertain, by: "policy"},
		{id: "open"},
	} {
		p.session, p.tool, p.at, p.risk = "s1", "write", time.Duration(-i)*time.Second, tool.RiskLow
		happened(t, s, p)
	}
	for ending, want := range map[session.Ending]string{
		session.EndingSucceeded: "allowed granted ruled", session.EndingDenied: "denied refused unlisted headless",
		session.EndingExpired: "expired", session.EndingCancelled: "cancelled", session.EndingFailed: "broken missing",
		session.EndingUncertain: "unknown", session.EndingWaiting: "open", session.EndingRunning: "",
	} {
		if got := flat(t, s, session.HistoryQuery{Endings: []session.Ending{ending}}); got != want {
			t.Errorf("%s: %q, want %q", ending, got, want)
		}
	}
	for decider, want := range map[session.Decider]string{
		session.DeciderPerson: "allowed denied", session.DeciderGrant: "granted", session.DeciderRules: "ruled refused unlisted unknown",
		session.DeciderReviewer: "", session.DeciderNobody: "expired headless cancelled broken missing open",
	} {
		if got := flat(t, s, session.HistoryQuery{Deciders: []session.Decider{decider}}); got != want {
			t.Errorf("%s: %q, want %q", decider, got, want)
		}
	}
	both := session.HistoryQuery{Endings: []session.Ending{session.EndingDenied, session.EndingFailed}, Deciders: []session.Decider{session.DeciderNobody}}
	if got := flat(t, s, both); got != "headless broken missing" {
		t.Errorf("two filters: %q", got)
	}
	page, err := s.History(t.Context(), session.HistoryQuery{Limit: 4})
	must(t, err)
	if c := page.Calls[3]; c.Ending != session.EndingDenied || c.Decider != session.DeciderPerson || c.State != session.StateDenied {
		t.Errorf("the call says %s by %s, %s", c.Ending, c.Decider, c.State)
	}
}

// two sessions of different callers in different folders.
func twoSessions(t *testing.T, s *store.Store) {
	t.Helper()
	for id, v := range map[string]session.Session{
		"s1": {Title: title("Retry % backoff"), Workspace: "/w", Caller: session.Caller{Kind: session.CallerMCP, Name: title("Codex\u202e")}},
		"s2": {Title: title("Other"), Workspace: "/v", Caller: session.Caller{Kind: session.CallerAgent}},
	} {
		v.ID = id
		_, err := s.CreateSession(t.Context(), v)
		must(t, err)
	}
}

func TestHistoryIsFilteredByPlaceCallerRiskAndTime(t *testing.T) {
	s := fresh(t)
	twoSessions(t, s)
	happened(t, s, past{id: "new", session: "s1", tool: "write", status: tool.StatusSucceeded, risk: tool.RiskHigh})
	happened(t, s, past{id: "edge", session: "s2", tool: "write", at: -time.Hour, status: tool.StatusSucceeded, risk: tool.RiskLow})
	happened(t, s, past{id: "old", session: "s1", tool: "read", at: -time.Hour - time.Millisecond, status: tool.StatusSucceeded, risk: tool.RiskLow})
	for name, row := range map[string]struct {
		q    session.HistoryQuery
		want string
	}{
		"workspace": {session.HistoryQuery{Workspaces: []string{"/v"}}, "edge"},
		"caller":    {session.HistoryQuery{Callers: []session.HistoryCaller{{Kind: session.CallerMCP, Name: title("Codex\u202e")}}}, "new old"},
		"kind":      {session.HistoryQuery{Callers: []session.HistoryCaller{{Kind: session.CallerAgent}}}, "edge"},
		"risk":      {session.HistoryQuery{Risks: []tool.Risk{tool.RiskLow}}, "edge old"},
		"since":     {session.HistoryQuery{Since: now.Add(-time.Hour)}, "new edge"},
		"all":       {session.HistoryQuery{Workspaces: []string{"/w"}, Risks: []tool.Risk{tool.RiskLow}, Tools: []string{"read"}}, "old"},
		"none":      {session.HistoryQuery{Workspaces: []string{"/w' OR 1=1 --"}}, ""},
	} {
		if got := flat(t, s, row.q); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	newest, err := s.History(t.Context(), session.HistoryQuery{Limit: 1})
	must(t, err)
	if got := flat(t, s, session.HistoryQuery{After: newest.Calls[0].Cursor}); got != "" {
		t.Errorf("after the newest came %q", got)
	}
	happened(t, s, past{id: "newer", session: "s1", tool: "write", at: time.Second})
	if got := flat(t, s, session.HistoryQuery{After: newest.Calls[0].Cursor}); got != "newer" {
		t.Errorf("after the newest came %q", got)
	}
	choices, err := s.HistoryChoices(t.Context())
	must(t, err)
	want := session.HistoryChoices{
		Tools: []string{"read", "write"}, Workspaces: []string{"/v", "/w"},
		Callers: []session.HistoryCaller{{Kind: session.CallerAgent}, {Kind: session.CallerMCP, Name: title("Codex\u202e")}},
	}
	if d := cmp.Diff(want, choices, sameText); d != "" {
		t.Error(d)
	}
}

// Text is looked for in what the list shows, never as a pattern, and nowhere else.
func TestHistoryIsSearchedInWhatTheListShows(t *testing.T) {
	s := fresh(t)
	twoSessions(t, s)
	happened(t, s, past{
		id: "i1", session: "s1", tool: "read", at: 2 * time.Second, status: tool.StatusSucceeded,
		raw: `{"file_path":"/w/src/Cart.ts","content":"secret-argument","n":7}`,
	})
	happened(t, s, past{id: "i2", session: "s2", tool: "write", at: time.Second, raw: `{"file_path":"docs/Prices_100%.md"}`})
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("r2", "s2", "i2")))
	_, _, err := s.Resolve(t.Context(), "r2", approval.End{
		Status: approval.StatusDenied, Resolution: approval.Deny, By: "person", At: now, Words: "Not like this",
	}, nil)
	must(t, err)
	happened(t, s, past{id: "i3", session: "s2", tool: "name\x00with \u2028 marks", at: 0, raw: `{"file_path":`})
	for text, want := range map[string]string{
		"retry": "i1", "RETRY % B": "i1", "codex": "i1", "_100%": "i2", "cart.ts": "i1", "src/": "i1", "WRITE": "i2",
		"prices": "i2", "like THIS": "i2", "secret-argument": "", "FOREIGN text": "", "Prices-100": "", "'; --": "", "\u2028 marks": "i3",
	} {
		if got := flat(t, s, session.HistoryQuery{Text: text, Subjects: []string{"file_path", "n"}}); got != want {
			t.Errorf("%q is found in %q, want %q", text, got, want)
		}
	}
	if got := flat(t, s, session.HistoryQuery{Text: "cart.ts"}); got != "" {
		t.Errorf("an argument that was not named was searched: %q", got)
	}
}

func TestHistoryCarriesTheBeginningsOfArgumentsAndTheRequest(t *testing.T) {
	s := fresh(t)
	happened(t, s, past{id: "i1", session: "s1", tool: "write", raw: `{"file_path":"/w/` + strings.Repeat("x", 3000) + `","destination":7}`})
	happened(t, s, past{id: "i2", session: "s1", tool: "write", at: -time.Second, raw: `{"file_path":`})
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("r1", "s1", "i1")))
	page, err := s.History(t.Context(), session.HistoryQuery{})
	must(t, err)
	one, two := page.Calls[0], page.Calls[1]
	if one.Raw != nil || one.Canonical != nil || one.Content != nil || one.Decision != nil {
		t.Error("the list carries arguments, a result or a decision")
	}
	want := map[string]session.Head{"file_path": {Text: title("/w/" + strings.Repeat("x", session.MaxHead-3)), Left: 3003 - session.MaxHead}}
	if d := cmp.Diff(want, one.Heads, sameText); d != "" {
		t.Error(d)
	}
	if len(two.Heads) != 0 || two.Request != nil {
		t.Errorf("arguments that are no JSON gave %v", two.Heads)
	}
	if d := cmp.Diff(&session.HistoryRequest{ID: "r1", Status: "pending"}, one.Request, sameText); d != "" {
		t.Error(d)
	}
	same, err := s.HistoryCall(t.Context(), "i1")
	must(t, err)
	if d := cmp.Diff(one, same, sameText); d != "" {
		t.Error(d)
	}
	if _, err := s.HistoryCall(t.Context(), "nobody"); !errors.Is(err, session.ErrNoInvocation) {
		t.Errorf("got %v", err)
	}
}
