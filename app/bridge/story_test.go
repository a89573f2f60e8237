package bridge

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

func story() *fakeEngine {
	s := writeSession()
	s.LastSeq = 40
	inv := session.Invocation{ID: "i1", ToolID: "read", State: session.StateRunning, ProposedAt: noon, StartedAt: &noon}
	return &fakeEngine{sessions: []session.Session{s}, running: "i1", entries: []Entry{
		{Cursor: "5", At: noon, Message: &session.Message{ID: "m1", Role: session.RoleUser, Text: tool.Mark("do it")}, Left: 9},
		{Cursor: "8", At: noon, Invocation: &inv},
	}}
}

func TestAPageLiesWhereItIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		where, cursor string
		want          Span
	}{
		{"before", "", Span{Limit: pageSize}},
		{"before", "8", Span{Before: "8", Limit: pageSize}},
		{"after", "8", Span{After: "8", Limit: pageSize}},
		{"after", "", Span{FromStart: true, Limit: pageSize}},
		{"around", "8", Span{Around: "8", Limit: pageSize}},
	} {
		f := story()
		got, err := newAPI(t, f).SessionPage(PageRequest{SessionID: "s1", Where: c.where, Cursor: c.cursor})
		if err != nil || f.span != c.want {
			t.Errorf("%+v: asked for %+v, %v", c, f.span, err)
		}
		if got.Seq != "40" || got.Before != "3" || got.After != "9" || len(got.Items) != 2 || got.Items[0].Message.Left != 9 {
			t.Errorf("%+v: got %+v", c, got)
		}
		if call := got.Items[1].Call; !call.CanStop || call.StartedAt != "2026-07-25T12:00:00Z" {
			t.Errorf("the running call: %+v", call)
		}
	}
	for _, bad := range []PageRequest{{SessionID: "s1"}, {SessionID: "s1", Where: "around"}, {SessionID: "s1", Where: "before", Cursor: strings.Repeat("1", 300)}} {
		if _, err := newAPI(t, story()).SessionPage(bad); !isFault(err, CodeInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func isFault(err error, code string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

func TestChangesAreToldLineByLineUntilThereAreTooMany(t *testing.T) {
	f := story()
	api := newAPI(t, f)
	got, err := api.SessionChanges(ChangesRequest{SessionID: "s1", Since: "30"})
	if err != nil || got.Missed || got.Seq != "40" || len(got.Items) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err = api.SessionChanges(ChangesRequest{SessionID: "s1", Since: "40"}); err != nil || got.Missed || len(got.Items) != 0 {
		t.Errorf("nothing happened: %+v, %v", got, err)
	}
	for len(f.entries) <= maxChanges {
		f.entries = append(f.entries, f.entries[0])
	}
	if got, err = api.SessionChanges(ChangesRequest{SessionID: "s1", Since: "30"}); err != nil || !got.Missed || len(got.Items) != 0 {
		t.Errorf("too many lines: missed %v, %d lines, %v", got.Missed, len(got.Items), err)
	}
	f.sessions[0].LastSeq = 31 + maxBehind
	if got, err = api.SessionChanges(ChangesRequest{SessionID: "s1", Since: "30"}); err != nil || !got.Missed {
		t.Errorf("too many events: %+v, %v", got, err)
	}
	if _, err := api.SessionChanges(ChangesRequest{SessionID: "s1", Since: "x"}); !isFault(err, CodeInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestWordsAreFoundAndItIsSaidWhereTheyWereLookedFor(t *testing.T) {
	got, err := newAPI(t, story()).SessionFind(FindRequest{SessionID: "s1", Words: "cart"})
	want := FindResult{Matches: []FindMatch{{ID: "cart", Cursor: "7"}}, Total: 12, Searched: searchedWords}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	for _, words := range []string{"", "\xff", strings.Repeat("é", maxFindWords+1)} {
		if _, err := newAPI(t, story()).SessionFind(FindRequest{SessionID: "s1", Words: words}); !isFault(err, CodeInvalid) {
			t.Errorf("%.10q: %v", words, err)
		}
	}
	if _, err := newAPI(t, story()).SessionFind(FindRequest{SessionID: "none", Words: "x"}); !isFault(err, CodeNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestAMessageIsReadWhole(t *testing.T) {
	if got, err := newAPI(t, story()).Message("s1", "m1"); err != nil || got != "all of m1" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestACallIsStoppedOnceAndOnlyWhileItIsUnderWay(t *testing.T) {
	api := newAPI(t, story())
	if err := api.StopCall("i1"); err != nil {
		t.Error(err)
	}
	if err := api.StopCall("i1"); !isFault(err, CodeNotFound) {
		t.Errorf("a second stop: %v", err)
	}
}
