package registry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// shell is a tool that runs a command, and counts its runs.
func shell(runs *int) tool.Spec {
	return external(runs, func(s *tool.Spec) {
		s.Class.SideEffect = tool.EffectCodeExecution
		s.Input = []byte(`{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`)
		s.Target = func(a tool.Args) (tool.TargetRequest, error) {
			var in struct{ Text string }
			err := json.Unmarshal(a.Sent(), &in)
			return tool.TargetRequest{Command: in.Text}, err
		}
	})
}

func commandOf(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// What a command names is resolved when it is judged, and the call does not run once one of
// those paths leads elsewhere.
//
// spec: VS-21, KH-43
func TestACommandIsHeldToThePathsThatItWasJudgedBy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, shell(&runs))
		files := &links{to: map[string]string{"/home/u/link": "/home/u/notes"}}
		b.context.Host.Files = files
		done := dispatch(t.Context(), b, "demo.send", commandOf(t, "ls && cat /home/u/link"))
		q := b.waiting(t)
		if n := len(q.Paths); n == 0 || q.Paths[n-1].Path.Real != "/home/u/notes" || q.Paths[n-1].Command != 2 {
			t.Fatalf("%+v", q.Paths)
		}
		files.point("/home/u/link", "/home/u/.ssh/id_rsa")
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusDenied, tool.CodePolicyPathMoved)
		if runs != 0 {
			t.Error("it ran")
		}
	})
}

// What stands behind a word that is not known is looked at all the same.
func TestWhatFollowsAnUnknownFileIsLookedAt(t *testing.T) {
	for command, blocked := range map[string]bool{
		"rm -rf $NOPE /": true, "rm -rf $NOPE; rm -rf /": true, "X=$(a); rm -rf $X /": true, "rm -rf $NOPE a": false,
	} {
		runs := 0
		b := newBed(t, shell(&runs))
		b.context.Host.Files = &links{}
		x := b.Explain(t.Context(), b.context, tool.Call{ID: "1", Name: "demo.send", Arguments: []byte(commandOf(t, command))})
		if x.Decision == nil || (x.Decision.ReasonCode == tool.CodePolicyBlocked) != blocked {
			t.Errorf("%s: %+v", command, x)
		}
	}
}

// A line that names more files than are looked at is one of which nobody can tell what it
// reaches; so is one on a host where nothing can be looked at.
//
// spec: KH-43
func TestWhatWasNotLookedAtMakesACommandDynamic(t *testing.T) {
	var many strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&many, " /w/f%d", i)
	}
	for name, c := range map[string]struct {
		command string
		files   tool.Files
		dynamic bool
	}{
		"few":             {"cat /w/a", &links{}, false},
		"many":            {"cat" + many.String(), &links{}, true},
		"no files at all": {"cat /w/a", nil, true},
		"nothing named":   {"true", nil, false},
	} {
		runs := 0
		b := newBed(t, shell(&runs))
		b.context.Host.Files = c.files
		x := b.Explain(t.Context(), b.context, tool.Call{ID: "1", Name: "demo.send", Arguments: []byte(commandOf(t, c.command))})
		if x.Decision == nil || x.Dynamic != c.dynamic || x.Reading == nil || !x.Reading.Parsed {
			t.Errorf("%s: %+v", name, x)
		}
	}
}
