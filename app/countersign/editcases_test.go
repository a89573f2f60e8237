package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// editCase is a line of the cases about edit that shows one call on one file.
type editCase struct {
	ID         string
	Level      string
	Before     json.RawMessage `json:"file_before"`
	BeforeGen  json.RawMessage `json:"file_before_gen"`
	BeforeB64  []byte          `json:"file_before_b64"`
	Old        json.RawMessage `json:"old_string"`
	OldGen     json.RawMessage `json:"old_string_gen"`
	New        json.RawMessage `json:"new_string"`
	NewGen     json.RawMessage `json:"new_string_gen"`
	ReplaceAll bool            `json:"replace_all"`
	Expect     editEnd
}

// editEnd is an end that a case may have; Either and Accept hold others.
type editEnd struct {
	OK           bool
	Strategy     string
	After        json.RawMessage `json:"file_after"`
	AfterGen     json.RawMessage `json:"file_after_gen"`
	AfterB64     []byte          `json:"file_after_b64"`
	Replacements int
	Error        string
	AnyError     []string `json:"error_any_of"`
	Matches      int
	Lines        []int
	Near         []int `json:"near_miss_lines"`
	Either       []editEnd
	Accept       []editEnd
}

// editCodes are the reason codes of the kinds of error that the cases name.
var editCodes = map[string]string{
	"not_found": "tool.not_found.not_found", "ambiguous": "tool.invalid_arguments.ambiguous",
	"disproportionate": "tool.invalid_arguments.disproportionate", "identical": "tool.invalid_arguments.identical",
	"empty_old_string": "tool.invalid_arguments.empty_old_string", "not_utf8": "tool.invalid_arguments.not_text",
	"binary": "tool.invalid_arguments.not_text", "invalid_input": "tool.arguments_invalid",
}

func readEditCases(t *testing.T) []editCase {
	t.Helper()
	f, err := os.Open("../../tools/testdata/cases/edit.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []editCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c editCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Level != "tool" {
			out = append(out, c)
		}
	}
	return out
}

// either expands the text or the recipe of a case.
func either(t *testing.T, text, recipe json.RawMessage) string {
	t.Helper()
	if recipe != nil {
		return expand(t, recipe)
	}
	return expand(t, text)
}

func (c *editCase) before(t *testing.T) []byte {
	if c.BeforeB64 != nil {
		return c.BeforeB64
	}
	return []byte(either(t, c.Before, c.BeforeGen))
}

func (c *editCase) name() string { return c.ID + ".txt" }

// ends returns every end that the case allows.
func (e editEnd) ends() []editEnd {
	all := append([]editEnd{e}, e.Accept...)
	if len(e.Either) > 0 {
		all = e.Either
	}
	return all
}

// fault says what is not as an end has it, "" when all is.
func (e editEnd) fault(t *testing.T, o map[string]any, before, after []byte) string {
	extra, _ := o["metadata"].(map[string]any)["extra"].(map[string]any)
	numbers := func(key string) []int {
		list, _ := extra[key].([]any)
		out := []int{}
		for _, n := range list {
			i, _ := n.(json.Number).Int64()
			out = append(out, int(i))
		}
		return out
	}
	said := text(o)
	switch {
	case !e.OK && !bytes.Equal(before, after):
		return "the file changed"
	case e.OK && o["status"] != "succeeded":
		return "refused"
	case e.Strategy != "" && extra["strategy"] != e.Strategy:
		return "another strategy"
	case e.OK:
		want := e.AfterB64
		if want == nil && (e.After != nil || e.AfterGen != nil) {
			want = []byte(either(t, e.After, e.AfterGen))
		}
		if want != nil && !bytes.Equal(after, want) {
			return "another file"
		}
		if e.Replacements > 0 && extra["replacements"] != json.Number(strconv.Itoa(e.Replacements)) {
			return "another number of replacements"
		}
		return ""
	}
	codes := []string{editCodes[e.Error]}
	if len(e.AnyError) > 0 {
		codes = codes[:0]
		for _, kind := range e.AnyError {
			codes = append(codes, editCodes[kind])
		}
	}
	code, _ := o["reason_code"].(string)
	switch {
	case !slices.Contains(codes, code):
		return "another code"
	case e.Matches > 0 && !strings.Contains(said, "old_string matches "+strconv.Itoa(e.Matches)+" locations in "):
		return "another number of matches"
	case e.Lines != nil && !slices.Equal(e.Lines, numbers("lines")):
		return "other lines"
	case e.Near != nil && !slices.Equal(e.Near, numbers("nearMiss")):
		return "another near miss"
	}
	return ""
}

// Each case is read and then edited through the whole pipeline.
//
// spec: KH-33, KH-34, KH-35, KH-36, KH-37, KH-57
func TestEditCasesThroughTheCommandLine(t *testing.T) {
	cases := readEditCases(t)
	if len(cases) < 65 {
		t.Fatalf("only %d cases", len(cases))
	}
	b := newBench(t)
	var in bytes.Buffer
	for _, c := range cases {
		if err := os.WriteFile(filepath.Join(b.workspace, c.name()), c.before(t), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, call := range []map[string]any{
			{"id": "read", "tool": "read", "arguments": map[string]any{"file_path": c.name(), "limit": 1}},
			{"id": c.ID, "tool": "edit", "arguments": map[string]any{
				"file_path": c.name(), "old_string": either(t, c.Old, c.OldGen), "new_string": either(t, c.New, c.NewGen), "replace_all": c.ReplaceAll,
			}},
		} {
			if err := printJSON(&in, call); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := b.run(t, &in, "call", "--stdin", "--preset", "edit", "--trust-workspace", "--clock", still)
	out := outcomes(t, got.stdout)
	if len(out) != 2*len(cases) {
		t.Fatalf("%d answers to %d cases: %s", len(out), len(cases), got.stderr)
	}
	for i, c := range cases {
		o := out[2*i+1]
		after, err := os.ReadFile(filepath.Join(b.workspace, c.name()))
		if err != nil || o["id"] != c.ID {
			t.Fatalf("%s: answered %v, %v", c.ID, o["id"], err)
		}
		faults := []string{}
		for _, end := range c.Expect.ends() {
			fault := end.fault(t, o, c.before(t), after)
			if fault == "" {
				faults = nil
				break
			}
			faults = append(faults, fault)
		}
		if len(faults) > 0 {
			t.Errorf("%s: %s: %v %v, file %.200q\n%.600s", c.ID, strings.Join(faults, ", "), o["status"], o["reason_code"], after, text(o))
		}
	}
}

// What a file held before an edit is kept for the person and for nobody else.
//
// spec: KH-36
func TestWhatAnEditReplacedIsKeptAndNoToolReadsIt(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(b.workspace, "a.txt")
	if err := os.WriteFile(path, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, call := range []map[string]any{
		{"tool": "read", "arguments": map[string]any{"path": "a.txt"}},
		{"tool": "edit", "arguments": map[string]any{"path": "a.txt", "old_string": "one", "new_string": "two"}},
	} {
		if err := printJSON(&in, call); err != nil {
			t.Fatal(err)
		}
	}
	got := b.run(t, &in, "call", "--stdin", "--preset", "edit", "--trust-workspace")
	kept, err := filepath.Glob(filepath.Join(b.home, "output", "*", ".version-*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v: %s", kept, err, got.stdout)
	}
	if text, err := os.ReadFile(kept[0]); err != nil || string(text) != "one\n" {
		t.Errorf("%q, %v", text, err)
	}
	o := one(t, b.run(t, nil, "call", "read", `{"file_path":"`+kept[0]+`"}`, "--trust-workspace"))
	if o["status"] != "denied" || o["reason_code"] != "policy.blocked" {
		t.Errorf("read: %v %v", o["status"], o["reason_code"])
	}
}
