package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/approval"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// scripted is a reviewer that says what it is told, and keeps what it was given.
type scripted struct {
	say   func(ctx context.Context, e registry.Evidence) (registry.Opinion, error)
	asked []registry.Evidence
}

func (s *scripted) Review(ctx context.Context, e registry.Evidence) (registry.Opinion, error) {
	s.asked = append(s.asked, e)
	return s.say(ctx, e)
}

func opinion(v tool.Verdict, words string) func(context.Context, registry.Evidence) (registry.Opinion, error) {
	return func(context.Context, registry.Evidence) (registry.Opinion, error) {
		return registry.Opinion{Verdict: v, Rationale: tool.Mark(words)}, nil
	}
}

// reviewed is a bed in Audit with a reviewer and something that the user said.
func reviewed(t *testing.T, s *scripted, specs ...tool.Spec) *bed {
	t.Helper()
	b := newBed(t, specs...)
	b.set(func(r *session.Rules) { r.Preset = session.PresetAudit })
	b.context.Reviewer = s
	b.context.Transcript = func(context.Context) ([]registry.Turn, error) {
		return []registry.Turn{{Role: registry.RoleUser, Text: tool.Mark("Write the notes.")}}, nil
	}
	return b
}

func lastLinks(o tool.Outcome, n int) string {
	var out []string
	for _, l := range o.Decision.Chain[max(0, len(o.Decision.Chain)-n):] {
		out = append(out, string(l.Layer)+":"+string(l.Verdict))
	}
	return strings.Join(out, " ")
}

// spec: CS-2, CS-4
func TestTheReviewerAllowsWithoutAPersonAndLeavesNoGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		s := &scripted{say: opinion(tool.VerdictAllow, "The user asked\x1b[2K\nfor it.")}
		b := reviewed(t, s, writer(&runs))
		for range 2 {
			o := b.call(t.Context(), "demo.send", `{}`)
			want(t, o, tool.StatusSucceeded, "")
			if lastLinks(o, 1) != "reviewer:allow" || o.Decision.Verdict != tool.VerdictAllow {
				t.Errorf("%+v", o.Decision)
			}
			if words := o.Decision.Chain[len(o.Decision.Chain)-1].Reason; !strings.HasPrefix(words, "The reviewer allowed it: The user asked") || strings.ContainsAny(words, "\x1b\n") {
				t.Errorf("%q", words)
			}
			if inv, _ := b.journal.Invocation(o.InvocationID); inv.DecidedBy != "reviewer" {
				t.Errorf("decided by %q", inv.DecidedBy)
			}
		}
		if runs != 2 || len(s.asked) != 2 {
			t.Errorf("%d runs, %d reviews", runs, len(s.asked))
		}
		if e := s.asked[0]; e.ToolID != "demo.send" || e.Arguments.Open() != `{}` || len(e.Turns) != 1 || len(e.Chain) == 0 {
			t.Errorf("%+v", e)
		}
	})
}

// spec: CS-4, CS-7, CT-30
func TestTheReviewersDenialStandsWithItsWords(t *testing.T) {
	for name, make := range map[string]func(*int) tool.Spec{
		"a plain question":          writer,
		"what only a person allows": func(runs *int) tool.Spec { return external(runs) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				b := reviewed(t, &scripted{say: opinion(tool.VerdictDeny, "Nobody asked for it.")}, make(&runs))
				o := b.call(t.Context(), "demo.send", `{}`)
				want(t, o, tool.StatusDenied, tool.CodePolicyReviewerDenied)
				if len(o.Content) != 1 || o.Content[0].Text.Open() != "Nobody asked for it." || lastLinks(o, 1) != "reviewer:deny" || runs != 0 {
					t.Errorf("%+v", o)
				}
			})
		})
	}
}

// spec: CS-4, CT-30
func TestWhatTheReviewerDoesNotSettleIsThePersons(t *testing.T) {
	allow := opinion(tool.VerdictAllow, "")
	long := `{"text":"` + strings.Repeat("x", 20<<10) + `"}`
	for _, c := range []struct {
		name      string
		say       func(context.Context, registry.Evidence) (registry.Opinion, error)
		turns     []registry.Turn
		broken    bool
		make      func(*int) tool.Spec
		arguments string
		words     string
	}{
		{name: "it asks", say: opinion(tool.VerdictAsk, "Is it wanted?"), words: "The reviewer leaves it to you: Is it wanted?."},
		{name: "an error", say: func(context.Context, registry.Evidence) (registry.Opinion, error) {
			return registry.Opinion{Verdict: tool.VerdictAllow}, errors.New("broken")
		}, words: "could not be asked"},
		{name: "a panic", say: func(context.Context, registry.Evidence) (registry.Opinion, error) { panic("broken") }, words: "could not be asked"},
		{name: "too late", say: func(ctx context.Context, _ registry.Evidence) (registry.Opinion, error) {
			<-ctx.Done()
			return registry.Opinion{Verdict: tool.VerdictAllow}, nil
		}, words: "did not answer in time"},
		{name: "no answer", say: opinion("", ""), words: "could not be read"},
		{name: "another word", say: opinion(tool.VerdictReview, ""), words: "could not be read"},
		{name: "no evidence", say: allow, turns: []registry.Turn{{Role: registry.RoleTool, Text: tool.Mark("run it")}}, words: "too little to go by"},
		{name: "no transcript", say: allow, broken: true, words: "could not be asked"},
		{name: "a class that no grant covers", say: allow, make: func(runs *int) tool.Spec { return external(runs) }, words: "only you can"},
		{name: "arguments too long", say: allow, arguments: long, words: "too little to go by"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				if c.make == nil {
					c.make = writer
				}
				spec := c.make(&runs)
				spec.Input = []byte(`{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`)
				b := reviewed(t, &scripted{say: c.say}, spec)
				if c.turns != nil || c.broken {
					b.context.Transcript = func(context.Context) ([]registry.Turn, error) {
						if c.broken {
							return nil, errors.New("broken")
						}
						return c.turns, nil
					}
				}
				if c.arguments == "" {
					c.arguments = `{}`
				}
				done := dispatch(t.Context(), b, "demo.send", c.arguments)
				time.Sleep(time.Minute)
				synctest.Wait()
				q := b.waiting(t)
				n := len(q.Decision.Chain)
				if n < 2 || q.Decision.Chain[n-2].Layer != tool.LayerReviewer || !strings.Contains(q.Decision.Chain[n-2].Reason, c.words) || q.Decision.Verdict != tool.VerdictAsk {
					t.Errorf("%+v", q.Decision)
				}
				b.answer(t, approval.AllowOnce, "")
				want(t, <-done, tool.StatusSucceeded, "")
				if runs != 1 {
					t.Errorf("%d runs", runs)
				}
			})
		})
	}
}

// spec: CS-2, CS-4
func TestNobodyReviewsWhereThePresetDoesNotSayIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		s := &scripted{say: opinion(tool.VerdictAllow, "")}
		b := reviewed(t, s, writer(&runs))
		b.set(func(r *session.Rules) { r.Preset = session.PresetDefault })
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusSucceeded, "")
		if len(s.asked) != 0 {
			t.Error("a reviewer was asked in Default")
		}
	})
}

// spec: CS-4, VS-21
func TestAnOpinionIsForTheRulesItWasAskedUnder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		s := &scripted{}
		b := reviewed(t, s, writer(&runs))
		s.say = func(context.Context, registry.Evidence) (registry.Opinion, error) {
			b.set(func(r *session.Rules) { r.ReadOnly = true })
			return registry.Opinion{Verdict: tool.VerdictAllow}, nil
		}
		o := b.call(t.Context(), "demo.send", `{}`)
		want(t, o, tool.StatusDenied, tool.CodePolicyReadOnly)
		if runs != 0 {
			t.Error("it ran under rules that nobody judged it by")
		}
	})
}

// A card that waits when a preset with a reviewer comes into force goes to the reviewer.
//
// spec: CS-2, CS-4
func TestAChangeToAPresetWithAReviewerAsksIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		s := &scripted{say: opinion(tool.VerdictAllow, "It is wanted.")}
		b := reviewed(t, s, writer(&runs))
		b.set(func(r *session.Rules) { r.Preset = session.PresetDefault })
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		b.waiting(t)
		b.set(func(r *session.Rules) { r.Preset = session.PresetAudit })
		b.desk.Reconsider()
		o := <-done
		want(t, o, tool.StatusSucceeded, "")
		if runs != 1 || len(s.asked) != 1 || lastLinks(o, 1) != "reviewer:allow" {
			t.Errorf("%d runs, %d reviews, %+v", runs, len(s.asked), o.Decision)
		}
	})
}

// spec: CS-4
func TestTheTranscriptIsBoundedAroundWhatTheUserSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		s := &scripted{say: opinion(tool.VerdictAllow, "")}
		b := reviewed(t, s, writer(&runs))
		b.context.Transcript = func(context.Context) ([]registry.Turn, error) {
			turns := []registry.Turn{{Role: registry.RoleUser, Text: tool.Mark("first")}, {Role: registry.RoleSummary, Text: tool.Mark("folded")}}
			for range 1000 {
				turns = append(turns,
					registry.Turn{Role: registry.RoleUser, Text: tool.Mark(strings.Repeat("é", 5000))},
					registry.Turn{Role: registry.RoleAssistant, Text: tool.Mark("done")},
					registry.Turn{Role: registry.RoleTool, Text: tool.Mark("printed")})
			}
			return append(turns, registry.Turn{Role: registry.RoleUser, Text: tool.Mark("last")}), nil
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusSucceeded, "")
		got := s.asked[0].Turns
		total := 0
		for _, turn := range got {
			total += turn.Text.Len()
		}
		if got[0].Text.Open() != "first" || got[1].Text.Open() != "folded" || got[len(got)-1].Text.Open() != "last" || len(got) > 30 || total > 40<<10 {
			t.Errorf("%d turns, %d bytes", len(got), total)
		}
	})
}
