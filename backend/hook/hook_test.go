package hook

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The questions are a contract with programs of others: they change with make golden alone.
func TestQuestionsAreWhatHooksWereWrittenFor(t *testing.T) {
	q := Question{
		Event: BeforeCall, Call: "c1", Session: "s1", Workspace: "/w", Caller: Caller{"mcp", "claude-code"},
		Tool: "bash", Wire: "bash", Effect: tool.EffectCodeExecution, Risk: tool.RiskHigh,
		Arguments: json.RawMessage(`{"command":"echo '<b>' && true"}`),
		Decision:  tool.Decision{Verdict: tool.VerdictAsk, Chain: []tool.Link{{Layer: tool.LayerMatrix, Verdict: tool.VerdictAsk, Reason: "It runs code."}}, Capabilities: []tool.Capability{"process.execute"}},
	}
	after := q
	after.Event, after.Result = AfterResult, &Result{Text: "<b>\n", Structured: json.RawMessage(`{"a":1}`), Images: 1}
	bare := Question{Event: BeforeCall, Arguments: json.RawMessage(`{}`)}
	for name, q := range map[string]Question{"before_call": q, "after_result": after, "bare": bare} {
		got, err := q.Write()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(got), "\n") != 1 {
			t.Errorf("%s is no line: %q", name, got)
		}
		path := filepath.Join("testdata", name+".json")
		if *update {
			if err := os.WriteFile(path, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestAQuestionIsBounded(t *testing.T) {
	q := Question{Arguments: json.RawMessage(`"` + strings.Repeat("x", MaxQuestion) + `"`)}
	if _, err := q.Write(); !errors.Is(err, ErrLarge) {
		t.Errorf("got %v", err)
	}
}

func TestARelyIsReadStrictly(t *testing.T) {
	for text, want := range map[string]Reply{
		`{}`:                  {Decision: Pass},
		" {\n} \n":            {Decision: Pass},
		`{"decision":"pass"}`: {Decision: Pass},
		`{"decision":"ask","reason":"a\nb\u001b"}`:        {Decision: Ask, Reason: "a b "},
		`{"decision":"deny","reason":"no"}`:               {Decision: Deny, Reason: "no"},
		`{"reason":"a\u202eb\u2028c\u009bd\u200be é"}`:    {Decision: Pass, Reason: "a b c d e é"},
		`{"arguments":{"n":1e2}}`:                         {Decision: Pass, Arguments: json.RawMessage(`{"n":1e2}`)},
		`{"decision":"ask","arguments":{}}`:               {Decision: Ask, Arguments: json.RawMessage(`{}`)},
		`{"reason":"` + strings.Repeat("x", 9_000) + `"}`: {Decision: Pass, Reason: strings.Repeat("x", MaxReason)},
	} {
		got, err := Read(BeforeCall, []byte(text))
		if err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%.40s: %s", text, d)
		}
	}
	replaced := ""
	for text, want := range map[string]Reply{
		`{"text":""}`: {Decision: Pass, Text: &replaced}, `{"decision":"withhold"}`: {Decision: Withhold},
	} {
		if got, err := Read(AfterResult, []byte(text)); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestWhatIsNoAnswerIsRefused(t *testing.T) {
	for _, text := range []string{
		``, ` `, `null`, `[]`, `"pass"`, `{`, `{}{}`, `{} x`, "{}\n{}", `{"decision":"allow"}`, `{"decision":"Pass"}`, `{"decision":""}`, `{"decision":null}`,
		`{"Decision":"deny"}`, `{"decision":"deny","decision":"pass"}`, `{"decision":1}`, `{"reason":[]}`, `{"arguments":[]}`, `{"arguments":null}`,
		`{"arguments":"{}"}`, `{"decision":"deny","arguments":{}}`, `{"decision":"withhold"}`, `{"text":"x"}`, `{"verdict":"deny"}`, "{\"reason\":\"\xff\"}",
	} {
		if got, err := Read(BeforeCall, []byte(text)); err == nil {
			t.Errorf("%s was read as %+v", text, got)
		}
	}
	for _, text := range []string{`{"decision":"deny"}`, `{"decision":"ask"}`, `{"arguments":{}}`, `{"decision":"withhold","text":"x"}`, `{"text":null}`, `{"text":1}`} {
		if got, err := Read(AfterResult, []byte(text)); err == nil {
			t.Errorf("%s was read as %+v", text, got)
		}
	}
	if _, err := Read(BeforeCall, []byte(`{"reason":"`+strings.Repeat("x", MaxReply)+`"}`)); err == nil {
		t.Error("too much was read")
	}
}
