package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// killStep makes the test binary a program that stops at a step of the pipeline and waits to
// be killed.
const killStep = "ENGINE_TEST_STOP_AT"

func TestMain(m *testing.M) {
	if step := os.Getenv(killStep); step != "" {
		if err := stopAt(step); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// engineAt opens an engine that is the desk of a home.
func engineAt(ctx context.Context, home string, observe func(context.Context, registry.Step)) (*Engine, error) {
	return Open(ctx, place{home, filepath.Dir(home)}.with(func(o *Options) { o.Observe = observe }))
}

// stopAt is the child: it makes one call, answers its question with Allow, and stops for good at
// the step, after saying so. At the step of approval it stops while the question is open.
func stopAt(text string) error {
	number, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	stop := func(_ context.Context, s registry.Step) {
		if int(s) == number {
			fmt.Println("stopped")
			select {}
		}
	}
	ctx := context.Background()
	e, err := engineAt(ctx, os.Args[1], stop)
	if err != nil {
		return err
	}
	s, err := e.OpenSession(ctx, SessionRequest{
		ID: "11111111-1111-7111-8111-111111111111", Workspace: os.Args[2], TrustWorkspace: true,
		Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("test")},
		Rules: &session.Rules{
			Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"coding", "demo", "exact"},
		},
	})
	if err != nil {
		return err
	}
	events, cancel := e.Subscribe()
	defer cancel()
	if registry.Step(number) != registry.StepApproval {
		go allowAll(ctx, e, events)
	}
	o := s.Call(ctx, tool.Call{ID: "1", Name: os.Args[3], Arguments: []byte(os.Args[4])}, nil)
	return fmt.Errorf("the call ended as %s %s before step %d", o.Status, o.ReasonCode, number)
}

func allowAll(ctx context.Context, e *Engine, events <-chan event.Event) {
	for ev := range events {
		if ev.Type != event.ApprovalRequested {
			continue
		}
		for {
			q, err := e.Desk().Get(ctx, ev.Ref)
			if err != nil {
				return
			}
			r, err := e.Desk().Answer(ctx, q.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: q.ArgumentsHash})
			if err != nil || r.Outcome == approval.OutcomeDone {
				break
			}
		}
	}
}

// killedAt runs the child to the step and kills it there.
func killedAt(t *testing.T, home, workspace string, step registry.Step, name, arguments string) {
	t.Helper()
	child := exec.Command(os.Args[0], home, workspace, name, arguments)
	child.Env = append(os.Environ(), killStep+"="+strconv.Itoa(int(step)))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if killErr := child.Process.Kill(); killErr != nil {
		t.Errorf("kill: %v", killErr)
	}
	_ = child.Wait()
	if err != nil || strings.TrimSpace(line) != "stopped" {
		t.Fatalf("the child did not stop at %s: %q, %v", step, line, err)
	}
}

// promise is what stands after a kill and a restart.
type promise struct {
	state session.State
	// effect says that the world shows the call's work.
	effect bool
	// card says that an approval waits as interrupted.
	card bool
}

// promised is the state after kill -9 at a step, for a call that asks (or not) and marks an effect (or not).
func promised(step registry.Step, asks, marks bool) promise {
	switch {
	case step < registry.StepApproval:
		return promise{state: session.StateCancelled}
	case step == registry.StepApproval && asks:
		return promise{state: session.StateWaiting, card: true}
	case step < registry.StepExecute:
		return promise{state: session.StateCancelled}
	case step < registry.StepPersist && marks:
		return promise{state: session.StateUncertain, effect: true}
	case step < registry.StepPersist:
		return promise{state: session.StateCancelled}
	}
	return promise{state: session.StateSucceeded, effect: marks}
}

// A call that is killed at any of the fourteen steps is, after a restart, exactly what the
// pipeline promises: nothing that was stored is lost and nothing runs again by itself.
//
// spec: VS-11d, VS-6, VS-11b, RS-10
func TestKilledAtEachStep(t *testing.T) {
	for _, c := range []struct {
		tool, arguments string
		asks, marks     bool
		file            string
	}{
		{"write", `{"file_path":"a.txt","content":"hello\n"}`, true, true, "a.txt"},
		{"demo.external_write", `{"destination":"d","content":"c"}`, true, true, ""},
		{"math.calculate", `{"expression":"17 * 23"}`, false, false, ""},
	} {
		for _, step := range registry.Steps() {
			t.Run(c.tool+"/"+step.String(), func(t *testing.T) {
				t.Parallel()
				home, workspace := filepath.Join(t.TempDir(), "home"), t.TempDir()
				killedAt(t, home, workspace, step, c.tool, c.arguments)
				want := promised(step, c.asks, c.marks)
				check(t, home, want)
				if c.file != "" {
					_, err := os.Stat(filepath.Join(workspace, c.file))
					if (err == nil) != want.effect {
						t.Errorf("the file is there: %v, want %v", err == nil, want.effect)
					}
				}
				if left, _ := filepath.Glob(filepath.Join(workspace, ".*")); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			})
		}
	}
}

func check(t *testing.T, home string, want promise) {
	t.Helper()
	e, err := engineAt(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	sessions, err := e.Store().Sessions(t.Context(), 10, "")
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	calls, err := e.Store().Invocations(t.Context(), sessions[0].ID, 0, 10)
	if err != nil || len(calls) != 1 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	if calls[0].State != want.state {
		t.Errorf("state %s, want %s", calls[0].State, want.state)
	}
	pending, err := e.Desk().Pending(t.Context(), "")
	if err != nil || (len(pending) == 1) != want.card {
		t.Fatalf("%d cards (%v), want one: %v", len(pending), err, want.card)
	}
	if want.card && (!pending[0].CallerLeft || pending[0].LeftWhy != "interrupted") {
		t.Errorf("the card says left %v, %q", pending[0].CallerLeft, pending[0].LeftWhy)
	}
	gapless(t, e, sessions[0].ID)
}

// gapless checks the numbers of a session's events, and that no event carries more than
// its payload type names.
func gapless(t *testing.T, e *Engine, id string) {
	t.Helper()
	events, err := e.Store().Events(t.Context(), id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, ev := range events {
		if ev.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, ev.Seq)
		}
		if len(ev.Payload) > 0 && !json.Valid(ev.Payload) {
			t.Errorf("event %d has a broken payload", ev.Seq)
		}
		for _, foreign := range []string{"hello", "17 * 23"} {
			if strings.Contains(string(ev.Payload), foreign) {
				t.Errorf("event %d carries arguments", ev.Seq)
			}
		}
	}
}
