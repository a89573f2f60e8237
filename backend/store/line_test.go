package store_test

import (
	"errors"
	"fmt"
	"regexp"
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

// says adds a message to s1.
func says(t *testing.T, s *store.Store, role session.Role, text string) session.Message {
	t.Helper()
	m, err := s.AddMessage(t.Context(), session.Message{SessionID: "s1", Role: role, Text: title(text), Trust: tool.TrustUser})
	must(t, err)
	return m
}

func proposes(t *testing.T, s *store.Store, id, arguments string) {
	t.Helper()
	inv := registrytest.Proposed(id)
	inv.Raw, inv.Canonical = []byte(arguments), nil
	must(t, s.Propose(t.Context(), inv))
}

func told(lines []store.Line) []string {
	out := []string{}
	for _, l := range lines {
		if l.Message != nil {
			out = append(out, l.Message.Text.Open())
		} else {
			out = append(out, l.Call.ID)
		}
	}
	return out
}

func TestLinesArePagedBothWays(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	want := []string{}
	for n := range 7 {
		if n%3 == 0 {
			says(t, s, session.RoleUser, fmt.Sprintf("m%d", n))
			says(t, s, session.RoleTool, "what a tool answered is no line")
			says(t, s, session.RoleAssistant, "")
			want = append(want, fmt.Sprintf("m%d", n))
		} else {
			proposes(t, s, fmt.Sprintf("i%d", n), `{}`)
			want = append(want, fmt.Sprintf("i%d", n))
		}
	}
	last, err := s.Lines(t.Context(), "s1", store.Span{Limit: 3})
	must(t, err)
	older, err := s.Lines(t.Context(), "s1", store.Span{Before: last[0].Seq, Limit: 3})
	must(t, err)
	first, err := s.Lines(t.Context(), "s1", store.Span{Before: older[0].Seq, Limit: 3})
	must(t, err)
	if d := cmp.Diff([][]string{want[:1], want[1:4], want[4:]}, [][]string{told(first), told(older), told(last)}); d != "" {
		t.Error(d)
	}
	next, err := s.Lines(t.Context(), "s1", store.Span{After: first[0].Seq, Limit: 4})
	must(t, err)
	if d := cmp.Diff(want[1:5], told(next)); d != "" {
		t.Error(d)
	}
	if end, err := s.Lines(t.Context(), "s1", store.Span{After: last[2].Seq, Limit: 4}); err != nil || len(end) != 0 {
		t.Errorf("after the end: %v, %v", told(end), err)
	}
}

func TestALineTellsBeginningsAndCountsTheRest(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	long := strings.Repeat("ä", 10_000)
	m := says(t, s, session.RoleUser, long)
	proposes(t, s, "i1", `{"command":"`+strings.Repeat("x", 1000)+`","count":3}`)
	lines, err := s.Lines(t.Context(), "s1", store.Span{Limit: 10})
	must(t, err)
	if got := lines[0]; got.Left != 6_000 || got.Message.Text.Open() != long[:8_000] {
		t.Errorf("%d characters left after %d bytes", got.Left, got.Message.Text.Len())
	}
	head := lines[1].Heads["command"]
	if len(lines[1].Heads) != 1 || head.Text.Open() != strings.Repeat("x", 400) || head.Left != 600 {
		t.Errorf("heads %+v", lines[1].Heads)
	}
	if lines[1].Call.Raw != nil || lines[1].Call.Canonical != nil {
		t.Error("a line holds arguments")
	}
	whole, err := s.Message(t.Context(), "s1", m.ID)
	must(t, err)
	if whole.Text.Open() != long {
		t.Errorf("the message has %d bytes", whole.Text.Len())
	}
	if _, err := s.Message(t.Context(), "s2", m.ID); !errors.Is(err, session.ErrNoSession) {
		t.Errorf("a message of another session: %v", err)
	}
}

func TestHeadsFollowTheCanonicalArguments(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	proposes(t, s, "i1", `{"path":"a"}`)
	done := registrytest.Finished(registrytest.Authorized(registrytest.Proposed("i1")), tool.StatusSucceeded)
	done.Canonical = []byte(`{"file_path":"/w/a"}`)
	done.Metadata.Extra = map[string]any{"lines": 12, "note": "text stays with the result"}
	must(t, s.Finish(t.Context(), done, nil, nil))
	lines, err := s.Lines(t.Context(), "s1", store.Span{Limit: 10})
	must(t, err)
	got := lines[0]
	if len(got.Heads) != 1 || got.Heads["file_path"].Text.Open() != "/w/a" {
		t.Errorf("heads %+v", got.Heads)
	}
	if d := cmp.Diff(map[string]any{"lines": 12.0}, got.Call.Metadata.Extra); d != "" {
		t.Error(d)
	}
}

func TestALineKnowsHowItsRequestEnded(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	proposes(t, s, "i1", `{}`)
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("r1", "s1", "i1")))
	_, _, err := s.Resolve(t.Context(), "r1", approval.End{Status: approval.StatusDenied, Resolution: approval.Deny, Words: "not this", By: "person", At: now}, nil)
	must(t, err)
	lines, err := s.Lines(t.Context(), "s1", store.Span{Limit: 10})
	must(t, err)
	want := &approval.Request{ID: "r1", SessionID: "s1", InvocationID: "i1", Status: approval.StatusDenied, Words: tool.Mark("not this"), ResolvedBy: "person"}
	if d := cmp.Diff(want, lines[0].Request, sameText); d != "" {
		t.Error(d)
	}
}

func TestChangedAreTheLinesThatEventsAreAbout(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	proposes(t, s, "i1", `{}`)
	proposes(t, s, "i2", `{}`)
	says(t, s, session.RoleUser, "before")
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("r1", "s1", "i1")))
	record, err := s.Session(t.Context(), "s1")
	must(t, err)
	changed := func(since int64) []string {
		lines, err := s.Changed(t.Context(), "s1", since, 100)
		must(t, err)
		return told(lines)
	}
	if got := changed(record.LastSeq); len(got) != 0 {
		t.Errorf("nothing happened since, got %v", got)
	}
	_, _, err = s.Resolve(t.Context(), "r1", approval.End{Status: approval.StatusDenied, Resolution: approval.Deny, By: "person", At: now}, nil)
	must(t, err)
	says(t, s, session.RoleUser, "after")
	if d := cmp.Diff([]string{"i1", "after"}, changed(record.LastSeq)); d != "" {
		t.Error(d)
	}
}

func TestPendingBriefsAreBoundedWhateverTheCallsHold(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	proposes(t, s, "i1", `{}`)
	r := approvaltest.Asked("r1", "s1", "i1")
	huge := strings.Repeat("y", 1<<20)
	r.Command, r.URL = tool.Mark(huge), tool.Mark("https://example.org/"+huge)
	r.Canonical = []byte(`{"content":"` + huge + `","file_path":"/w/a"}`)
	r.Diffs = []tool.FileDiff{{Path: "a", Unified: huge}, {Path: "b", Unified: huge}}
	r.Paths = nil
	for n := range 1000 {
		zone := tool.ZoneWorkspace
		if n == 700 {
			zone = tool.ZoneOutside
		}
		r.Paths = append(r.Paths, tool.Touch{Access: tool.AccessWrite, Path: tool.Path{Real: fmt.Sprintf("/w/%d", n), Zone: zone}})
	}
	must(t, s.AddRequest(t.Context(), r))
	must(t, s.MarkLeft(t.Context(), "r1", "left"))
	list, err := s.PendingBriefs(t.Context())
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("%d requests", len(list))
	}
	b := list[0]
	if b.ID != "r1" || b.Status != approval.StatusPending || !b.CallerLeft || b.LeftWhy != "left" || b.Verb != r.Verb {
		t.Errorf("got %+v", b)
	}
	if b.Command.Len() != 400 || b.CommandLeft != 1<<20-400 || b.URL.Len() != 400 || b.URLLeft != 1<<20-380 {
		t.Errorf("command %d and %d, address %d and %d", b.Command.Len(), b.CommandLeft, b.URL.Len(), b.URLLeft)
	}
	if len(b.Diffs) != 1 || b.Diffs[0].Path != "a" || b.Diffs[0].Unified != "" {
		t.Errorf("%d diffs", len(b.Diffs))
	}
	if len(b.Paths) != 2 || b.Paths[1].Path.Real != "/w/700" {
		t.Errorf("paths %+v", b.Paths)
	}
	if b.Canonical != nil || b.Heads["file_path"].Text.Open() != "/w/a" || b.Heads["content"].Left != 1<<20-400 {
		t.Errorf("heads %+v", b.Heads)
	}
	_, _, err = s.Resolve(t.Context(), "r1", approval.End{Status: approval.StatusDenied, Resolution: approval.Deny, By: "person", At: now}, nil)
	must(t, err)
	if list, err = s.PendingBriefs(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after the answer: %d requests, %v", len(list), err)
	}
}

// Parallel calls are proposed in the order in which they were asked for; their cards are
// made in any order, and their ids say nothing.
func TestPendingBriefsStandInTheOrderOfTheProposals(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	for _, id := range []string{"i1", "i3", "i2"} {
		proposes(t, s, id, `{}`)
	}
	for n, id := range []string{"i2", "i1", "i3"} {
		r := approvaltest.Asked("r"+id, "s1", id)
		r.CreatedAt = r.CreatedAt.Add(time.Duration(n) * time.Second)
		must(t, s.AddRequest(t.Context(), r))
	}
	list, err := s.PendingBriefs(t.Context())
	must(t, err)
	var got []string
	for _, b := range list {
		got = append(got, b.ID)
	}
	if d := cmp.Diff([]string{"ri1", "ri3", "ri2"}, got); d != "" {
		t.Error(d)
	}
}

func TestLinesAreFoundByWhatTheyTell(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	make1(t, s, "s2")
	says(t, s, session.RoleUser, strings.Repeat("x", 10_000)+" the Engine at the end")
	says(t, s, session.RoleTool, "an engine that a tool answered")
	proposes(t, s, "i1", `{"file_path":"src/engine.go"}`)
	proposes(t, s, "i2", `{"file_path":"100% _done"}`)
	for words, want := range map[string][]string{
		"engine": {"i1", "message"}, "ENGINE.GO": {"i1"}, "%": {"i2"}, "_d": {"i2"}, "nothing": {}, "file_path": {},
	} {
		found, total, err := s.FindLines(t.Context(), "s1", words, 10)
		must(t, err)
		got := []string{}
		for _, f := range found {
			if strings.HasPrefix(f.ID, "i") {
				got = append(got, f.ID)
			} else {
				got = append(got, "message")
			}
		}
		if d := cmp.Diff(want, got); d != "" || total != len(want) {
			t.Errorf("%s: %d in all %s", words, total, d)
		}
	}
	if found, total, err := s.FindLines(t.Context(), "s1", "e", 1); err != nil || len(found) != 1 || total < 2 {
		t.Errorf("a bounded answer: %d of %d, %v", len(found), total, err)
	}
	if found, _, err := s.FindLines(t.Context(), "s2", "engine", 10); err != nil || len(found) != 0 {
		t.Errorf("another session: %d, %v", len(found), err)
	}
}

// What a reading of the changes costs goes by what changed, not by how long the session is.
func TestWhatChangedIsFoundFromItsEvents(t *testing.T) {
	plans := fresh(t).ChangedPlans()
	for _, name := range []string{"m", "i"} {
		if !regexp.MustCompile(`SEARCH ` + name + ` USING INDEX \S+ \(id=\?\)`).MatchString(plans[name]) {
			t.Errorf("%s is read by\n%s", name, plans[name])
		}
	}
}
