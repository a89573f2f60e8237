package bridge

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

func TestARehearsalIsToldInSteps(t *testing.T) {
	at := time.Date(2026, 5, 6, 7, 8, 9, 10_000_000, time.UTC)
	call := store.DecidedCall{Num: 7, ID: "i7", SessionID: "s1", ToolID: "write", At: at, Ending: string(session.EndingDenied), Decider: string(session.DeciderPerson)}
	f := &fakeEngine{rehearsal: backend.Rehearsal{
		Loosens: true, Total: backend.MaxRehearsed + 1, Looked: 12,
		Flips: []backend.Flip{
			{Call: call, Text: tool.Mark("echo ghp_abcdefghijklmnopqrstuvwxyz0123456789"), Now: tool.VerdictAsk, Would: tool.VerdictAllow},
			{Call: store.DecidedCall{ID: "i6", SessionID: "s1", Wanted: "gone", At: at}, Text: tool.Mark(strings.Repeat("é", 250)), Now: tool.VerdictAllow, Would: tool.VerdictDeny},
		},
		Unjudged: map[backend.Unjudged]int{backend.UnjudgedPath: 2, backend.UnjudgedTool: 1},
		Next:     &backend.RehearsalMark{Last: store.DecidedCall{Num: 7, At: at}, Looked: 12},
	}}
	a := newAPI(t, f)
	got, err := a.Rehearse(RehearsalRequest{Rules: RulesPatch{Preset: "edit"}, Setting: SettingChange{"allowedDomains", `["a.example"]`}})
	if err != nil {
		t.Fatal(err)
	}
	want := Rehearsal{
		Loosens: true, Total: backend.MaxRehearsed, Capped: true, Looked: 12, Next: "1778051289010.7.12",
		Flips: []FlipRow{
			{CallID: "i7", ToolID: "write", Subject: "echo [redacted:e8bc]", Marker: "[redacted:e8bc]", At: "2026-05-06T07:08:09.01Z", Now: "ask", Would: "allow", Then: "You denied it"},
			{CallID: "i6", ToolID: "gone", Subject: strings.Repeat("é", 200), SubjectLeft: 50, At: "2026-05-06T07:08:09.01Z", Now: "allow", Would: "deny", Then: "Ended without an answer"},
		},
		Unjudged: []UnjudgedRow{
			{"their tool is not there any more, or takes other arguments now", 1}, {"a path that they name cannot be looked up any more", 2},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if f.rehearsed.Preset != session.PresetEdit || f.rehearsed.Values["allowedDomains"] != `["a.example"]` || f.from.Looked != 0 {
		t.Errorf("asked for %+v from %+v", f.rehearsed, f.from)
	}
	if _, err := a.Rehearse(RehearsalRequest{From: got.Next}); err != nil || f.from.Last.Num != 7 || !f.from.Last.At.Equal(at) || f.from.Looked != 12 {
		t.Errorf("went on from %+v, %v", f.from, err)
	}
	for field, bad := range map[string]RehearsalRequest{
		"preset": {Rules: RulesPatch{Preset: "auto"}}, "from": {From: "1.2"}, "setting": {Setting: SettingChange{Key: strings.Repeat("x", maxID+1)}},
	} {
		_, err := a.Rehearse(bad)
		if e, ok := errors.AsType[*Error](err); !ok || e.Fields[field] == "" {
			t.Errorf("%s: %v", field, err)
		}
	}
}
