package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// commandCase is a command line with what must be known of it.
type commandCase struct {
	ID      string
	Command string
	Shell   string
	Expect  struct {
		Parse        string
		Commands     []string
		Dynamic      bool
		Capabilities []string
		Never        string   `json:"decision_without_matching_rule_for_the_whole_text"`
		MustNot      []string `json:"must_not_be_auto_allowed_by"`
		May          []string `json:"may_be_auto_allowed_by"`
		Accept       []struct{ Capabilities []string }
	}
}

func commandCases(t *testing.T) []commandCase {
	t.Helper()
	data, err := os.ReadFile("../../backend/policy/shellcmd/testdata/shell.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	out := []commandCase{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c commandCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) < 100 {
		t.Fatalf("only %d cases", len(out))
	}
	return out
}

// rulesIn reads the rules of a case: several with slashes between them, a remark in brackets
// behind. What is no rule gives none.
func rulesIn(text string) []string {
	text, _, _ = strings.Cut(text, " (")
	rest, ok := strings.CutPrefix(text, "allow: ")
	if !ok {
		return nil
	}
	var out []string
	for rule := range strings.SplitSeq(rest, " / ") {
		out = append(out, strings.TrimPrefix(rule, "allow: "))
	}
	return out
}

// explained is what explain says of the commands of some cases, by the id of the case.
func explained(t *testing.T, b *bench, cases []commandCase, flags ...string) map[string]map[string]any {
	t.Helper()
	var in bytes.Buffer
	for _, c := range cases {
		if err := printJSON(&in, map[string]any{"id": c.ID, "tool": "bash", "arguments": map[string]string{"command": c.Command}}); err != nil {
			t.Fatal(err)
		}
	}
	got := b.run(t, &in, append([]string{"explain", "--stdin", "--trust-workspace"}, flags...)...)
	out := map[string]map[string]any{}
	for i, o := range outcomes(t, got.stdout) {
		d, _ := o["decision"].(map[string]any)
		if strings.ContainsRune(cases[i].Command, 0) && o["reason_code"] == "tool.arguments_invalid" {
			// No argument holds a NUL, so the call ends before anybody reads its command.
			d = map[string]any{"verdict": "deny", "parse": "fail", "commands": []any{}, "capabilities": []any{"process.execute"}}
		}
		if d == nil {
			t.Errorf("%v: no decision: %v", o["id"], o)
			continue
		}
		out[o["id"].(string)] = d
	}
	if len(out) != len(cases) {
		t.Fatalf("%d answers to %d cases: %s", len(out), len(cases), got.stderr)
	}
	return out
}

func texts(list any) []string {
	out := []string{}
	for _, v := range list.([]any) {
		out = append(out, v.(string))
	}
	return out
}

// bare takes the quotes off, which the cases do not write everywhere alike.
func bare(list []string) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, strings.NewReplacer(`"`, "", `'`, "", `\`, "").Replace(s))
	}
	return out
}

// spec: KH-43, CS-9
func TestEveryCommandOfTheCasesIsExplainedAndAsked(t *testing.T) {
	cases := commandCases(t)
	b := newBench(t)
	for _, preset := range []string{"default", "full"} {
		said := explained(t, b, cases, "--preset", preset)
		for _, c := range cases {
			d := said[c.ID]
			fails := c.Expect.Parse == "fail"
			if v := d["verdict"]; v != "ask" && v != "deny" && (preset == "default" || c.Expect.Never != "" || c.Expect.Dynamic || fails) {
				t.Errorf("%s, %s: %v", c.ID, preset, v)
			}
			if c.Shell != "" {
				if d["parse"] != "fail" || d["verdict"] != "ask" {
					t.Errorf("%s is for another shell: parse %v, %v", c.ID, d["parse"], d["verdict"])
				}
				continue
			}
			if d["parse"] != c.Expect.Parse || !fails && d["dynamic"] != c.Expect.Dynamic {
				t.Errorf("%s: parse %v, dynamic %v: %q", c.ID, d["parse"], d["dynamic"], c.Command)
			}
			if got := texts(d["commands"]); !slices.Equal(bare(got), bare(c.Expect.Commands)) {
				t.Errorf("%s: %q, want %q", c.ID, got, c.Expect.Commands)
			}
			c.capable(t, texts(d["capabilities"]))
		}
	}
}

// capable checks that the capabilities hold what the case asks for, or what else it accepts.
func (c *commandCase) capable(t *testing.T, got []string) {
	t.Helper()
	lacks := func(want []string) bool {
		return slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(got, w) })
	}
	if !lacks(c.Expect.Capabilities) {
		return
	}
	for _, a := range c.Expect.Accept {
		if !lacks(a.Capabilities) {
			return
		}
	}
	t.Errorf("%s: %q is able to %v, want %v", c.ID, c.Command, got, c.Expect.Capabilities)
}

// spec: KH-43, CT-30
func TestARuleAllowsNoMoreThanItsCommand(t *testing.T) {
	must, may := map[string][]commandCase{}, map[string][]commandCase{}
	for _, c := range commandCases(t) {
		for _, text := range c.Expect.MustNot {
			must[text] = append(must[text], c)
		}
		for _, text := range c.Expect.May {
			may[text] = append(may[text], c)
		}
	}
	b := newBench(t)
	check := func(text string, cases []commandCase, allowed bool) {
		var flags []string
		for _, rule := range rulesIn(text) {
			flags = append(flags, "--allow", rule)
		}
		for id, d := range explained(t, b, cases, flags...) {
			if got := d["verdict"] == "allow"; got != allowed {
				i := slices.IndexFunc(cases, func(c commandCase) bool { return c.ID == id })
				t.Errorf("%s: %q makes %q %v: %v", id, text, cases[i].Command, d["verdict"], d["chain"])
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(must)) {
		check(text, must[text], false)
	}
	for _, text := range slices.Sorted(maps.Keys(may)) {
		check(text, may[text], true)
	}
	if len(may) < 4 || len(must) < 30 {
		t.Errorf("%d rules that allow, %d that do not", len(may), len(must))
	}
}
