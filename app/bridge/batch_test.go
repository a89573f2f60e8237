package bridge

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

func TestAnAnswerToSeveralCardsIsChecked(t *testing.T) {
	one := BatchCard{ID: "a1", Hash: "h1", Seen: true}
	many := make([]BatchCard, approval.MaxBatch+1)
	for i := range many {
		many[i] = BatchCard{ID: fmt.Sprint(i), Hash: "h"}
	}
	for name, c := range map[string]struct {
		field string
		bad   BatchRequest
	}{
		"for the session": {"resolution", BatchRequest{Cards: []BatchCard{one}, Resolution: "allow_session"}},
		"none":            {"cards", BatchRequest{Resolution: "deny"}},
		"too many":        {"cards", BatchRequest{Cards: many, Resolution: "deny"}},
		"one twice":       {"cards", BatchRequest{Cards: []BatchCard{one, one}, Resolution: "deny"}},
		"no id":           {"cards", BatchRequest{Cards: []BatchCard{{Hash: "h"}}, Resolution: "deny"}},
		"a long id":       {"cards", BatchRequest{Cards: []BatchCard{{ID: strings.Repeat("a", maxID+1), Hash: "h"}}, Resolution: "deny"}},
		"no hash":         {"cards", BatchRequest{Cards: []BatchCard{{ID: "a"}}, Resolution: "deny"}},
		"words":           {"words", BatchRequest{Cards: []BatchCard{one}, Resolution: "allow_once", Words: "yes"}},
		"many words":      {"words", BatchRequest{Cards: []BatchCard{one}, Resolution: "deny", Words: strings.Repeat("é", approval.MaxWords+1)}},
		"no text":         {"words", BatchRequest{Cards: []BatchCard{one}, Resolution: "deny", Words: "\xff"}},
	} {
		f := &fakeEngine{}
		_, err := newAPI(t, f).AnswerBatch(c.bad)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != CodeInvalid || e.Fields[c.field] == "" || f.givenAll != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnAnswerToSeveralCardsTellsWhatBecameOfAll(t *testing.T) {
	request := BatchRequest{Cards: []BatchCard{{ID: "a1", Hash: "h1", Shown: "c1", Seen: true}, {ID: "a2", Hash: "h2"}}, Resolution: "deny", Words: "not now"}
	given := approval.BatchAnswer{
		Requests:   []approval.Shown{{ID: "a1", ArgumentsHash: "h1", Card: "c1", Seen: true}, {ID: "a2", ArgumentsHash: "h2"}},
		Resolution: approval.Deny, Words: "not now",
	}
	done, kept := approval.Result{Outcome: approval.OutcomeDone}, approval.Result{Outcome: approval.OutcomeKept}
	for _, c := range []struct {
		got  approval.BatchResult
		want BatchResult
	}{
		{
			approval.BatchResult{ID: "b1", Results: []approval.Result{done, done}},
			BatchResult{Answered: true, Words: "2 calls denied.", Stops: []BatchStop{}},
		},
		{
			approval.BatchResult{ID: "b1", Results: []approval.Result{done, kept}},
			BatchResult{
				Answered: true, Stops: []BatchStop{},
				Words: "2 calls denied. Nobody waits for 1 of them any more: its answer is kept for the same call, once, until it expires.",
			},
		},
		{
			approval.BatchResult{Objections: []approval.Objection{
				{Request: approval.Request{ID: "a1", Status: approval.StatusPending}, Words: "It has changed since it was shown."},
				{Request: approval.Request{ID: "a2", Status: approval.StatusDenied, ResolvedBy: approval.BySettings, Reason: "The lock is on."}, Words: "It ended."},
				{Request: approval.Request{ID: "a3"}, Words: "It is not there any more."},
				{Request: approval.Request{ID: "a4", Status: approval.StatusDenied, Resolution: approval.Deny}, Words: "It was denied meanwhile."},
			}},
			BatchResult{Words: "None of the 2 calls was answered.", Stops: []BatchStop{
				{ID: "a1", Words: "It has changed since it was shown."},
				{ID: "a2", Words: "The settings refused it. The lock is on."},
				{ID: "a3", Words: "It is not there any more."},
				{ID: "a4", Words: "It was denied meanwhile."},
			}},
		},
	} {
		f := &fakeEngine{answeredAll: c.got}
		got, err := newAPI(t, f).AnswerBatch(request)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(&given, f.givenAll); d != "" {
			t.Error(d)
		}
	}
	request.Resolution, request.Words = "allow_once", ""
	f := &fakeEngine{answeredAll: approval.BatchResult{ID: "b1", Results: []approval.Result{done}}}
	if got, err := newAPI(t, f).AnswerBatch(request); err != nil || got.Words != "1 call allowed once." {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestARowSaysWhyItIsAnsweredAlone(t *testing.T) {
	plain, restricted, hiding := writeRequest(), writeRequest(), writeRequest()
	restricted.Restricted, hiding.Hidden = true, []tool.Hidden{{Kind: "token", Count: 1}}
	for _, c := range []struct {
		request approval.Request
		want    string
	}{
		{plain, ""},
		{restricted, "It is restricted, so it is answered on its own card."},
		{hiding, "A part of it is hidden, so it is answered on its own card."},
	} {
		if got := card(c.request, writeSession(), nil).Row.Alone; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
