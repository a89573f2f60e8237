package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/schema"
)

func TestEveryLineGetsOneAnswerInOrder(t *testing.T) {
	b := newBench(t)
	good := `"tool":"math.calculate","arguments":{"expression":"1"}`
	lines := []struct {
		name, line string
		id         any
		status     string
		code       string
	}{
		{"text id", `{"id":"x<>&\u2028",` + good + `}`, "x<>&\u2028", "succeeded", ""},
		{"number id", `{"id":1.50,` + good + `}`, json.Number("1.50"), "succeeded", ""},
		{"no id", `{` + good + `}`, "3", "succeeded", ""},
		{"the same id again", `{"id":"x<>&\u2028",` + good + `}`, "x<>&\u2028", "succeeded", ""},
		{"no arguments", `{"id":"5","tool":"system.current_time"}`, "5", "succeeded", ""},
		{"carriage return", `{"id":"6",` + good + "}\r", "6", "succeeded", ""},
		{"spaces around", ` {"id":"7",` + good + `} `, "7", "succeeded", ""},
		{"not JSON", `{"id":"8",`, "8", "failed", "tool.arguments_invalid"},
		{"words", `call it`, "9", "failed", "tool.arguments_invalid"},
		{"a list", `[]`, "10", "failed", "tool.arguments_invalid"},
		{"empty", ``, "11", "failed", "tool.arguments_invalid"},
		{"two objects", `{` + good + `}{}`, "12", "failed", "tool.arguments_invalid"},
		{"no tool", `{"id":"y","arguments":{}}`, "y", "failed", "tool.arguments_invalid"},
		{"tool is a number", `{"id":"y","tool":5}`, "y", "failed", "tool.arguments_invalid"},
		{"tool has a lone surrogate", `{"id":"y","tool":"\ud800"}`, "y", "failed", "tool.arguments_invalid"},
		{"id is a list", `{"id":[1],` + good + `}`, []any{json.Number("1")}, "succeeded", ""},
		{"id is null", `{"id":null,` + good + `}`, nil, "succeeded", ""},
		{"id is an object", `{"id":{"a":true},` + good + `}`, map[string]any{"a": true}, "succeeded", ""},
		{"id has a key twice", `{"id":{"a":1,"a":2},` + good + `}`, "19", "failed", "tool.arguments_invalid"},
		{"id has a lone surrogate", `{"id":"\ud800",` + good + `}`, "20", "failed", "tool.arguments_invalid"},
		{"id is not UTF-8", "{\"id\":\"\xff\"," + good + "}", "21", "failed", "tool.arguments_invalid"},
		{"unknown key", `{"id":"z",` + good + `,"preset":"full"}`, "z", "failed", "tool.arguments_invalid"},
		{"another case", `{"id":"z","Tool":"math.calculate"}`, "z", "failed", "tool.arguments_invalid"},
		{"tool twice", `{"id":"z","tool":"nonesuch",` + good + `}`, "z", "failed", "tool.arguments_invalid"},
		{"id twice", `{"id":"z","id":"w",` + good + `}`, "z", "failed", "tool.arguments_invalid"},
		{"twice by escape", `{"id":"z","\u0074ool":"nonesuch",` + good + `}`, "z", "failed", "tool.arguments_invalid"},
		{"argument twice", `{"id":"z","tool":"math.calculate","arguments":{"expression":"1","expression":"2"}}`, "z", "failed", "tool.arguments_invalid"},
		{"argument not UTF-8", "{\"id\":\"z\",\"tool\":\"math.calculate\",\"arguments\":{\"expression\":\"\xff\"}}", "z", "failed", "tool.arguments_invalid"},
		{"argument with a lone surrogate", `{"id":"z","tool":"math.calculate","arguments":{"expression":"\udc00"}}`, "z", "failed", "tool.arguments_invalid"},
		{"argument with NUL", `{"id":"z","tool":"math.calculate","arguments":{"expression":"\u0000"}}`, "z", "failed", "tool.invalid_arguments.syntax"},
		{"arguments are a list", `{"id":"z","tool":"math.calculate","arguments":[]}`, "z", "failed", "tool.arguments_invalid"},
		{"arguments are null", `{"id":"z","tool":"math.calculate","arguments":null}`, "z", "failed", "tool.arguments_invalid"},
		{"deep", `{"id":"z","tool":"math.calculate","arguments":{"expression":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`, "z", "failed", "tool.arguments_invalid"},
		{"deeper than any reader goes", `{"id":"z","tool":"math.calculate","arguments":` + strings.Repeat("[", 200_000), "z", "failed", "tool.arguments_invalid"},
		{"10 MB", `{"id":"z","tool":"math.calculate","arguments":{"expression":"` + strings.Repeat("1", 10<<20) + `"}}`, "z", "failed", "tool.arguments_invalid"},
		{"over 16 MiB", `{"id":"z",` + strings.Repeat(" ", schema.MaxBytes) + good + `}`, "36", "failed", "tool.arguments_invalid"},
		{"unknown tool", `{"id":"z","tool":"rm -rf"}`, "z", "denied", "tool.not_found"},
		{"the last, without an end", `{"id":"last",` + good + `}`, "last", "succeeded", ""},
	}
	in := []string{}
	for _, l := range lines {
		in = append(in, l.line)
	}
	got := b.run(t, strings.NewReader(strings.Join(in, "\n")), "call", "--stdin", "--clock", still)
	if got.code != exitFailed || got.stderr != "" {
		t.Errorf("exit %d, stderr %q", got.code, got.stderr)
	}
	out := outcomes(t, got.stdout)
	if len(out) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(out), len(lines))
	}
	for i, l := range lines {
		if d := cmp.Diff([]any{l.id, l.status, l.code}, []any{out[i]["id"], out[i]["status"], out[i]["reason_code"]}); d != "" {
			t.Errorf("%s: %s", l.name, d)
		}
		if out[i]["is_error"] != (l.status != "succeeded") {
			t.Errorf("%s: is_error %v", l.name, out[i]["is_error"])
		}
	}
	if !strings.Contains(got.stdout, `{"id":"x<>&\u2028","tool"`) || !strings.Contains(got.stdout, `{"id":1.50,"tool"`) {
		t.Error("an id was not echoed as it was sent")
	}
}

func TestTheCodeOfManyCallsIsTheWorst(t *testing.T) {
	for _, c := range []struct {
		codes []int
		want  int
	}{
		{nil, 0}, {[]int{0, 0}, 0}, {[]int{0, 4}, 4}, {[]int{4, 2, 0}, 2}, {[]int{2, 5, 4}, 5}, {[]int{5, 0}, 5},
	} {
		code := exitOK
		for _, got := range c.codes {
			code = worst(code, got)
		}
		if code != c.want {
			t.Errorf("%v: %d, want %d", c.codes, code, c.want)
		}
	}
	b := newBench(t)
	if got := b.run(t, strings.NewReader(""), "call", "--stdin"); got.code != 0 || got.stdout != "" {
		t.Errorf("no line: %+v", got)
	}
}

func TestLines(t *testing.T) {
	long := bytes.Repeat([]byte("x"), schema.MaxBytes)
	in := bytes.Join([][]byte{[]byte("a"), long, append(long, 'y'), []byte(""), []byte("b\r"), []byte("c")}, []byte("\n"))
	var got []line
	if err := eachLine(t.Context(), bytes.NewReader(in), func(l line) error { got = append(got, l); return nil }); err != nil {
		t.Fatal(err)
	}
	want := []struct {
		size    int
		tooLong bool
	}{{1, false}, {schema.MaxBytes, false}, {0, true}, {0, false}, {1, false}, {1, false}}
	if len(got) != len(want) {
		t.Fatalf("%d lines", len(got))
	}
	for i, w := range want {
		if got[i].number != i+1 || len(got[i].text) != w.size || got[i].tooLong != w.tooLong {
			t.Errorf("line %d: number %d, %d bytes, too long %v", i+1, got[i].number, len(got[i].text), got[i].tooLong)
		}
	}
}

func TestWaitingForALineEndsWithTheContext(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if err := eachLine(ctx, r, func(line) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestACancelledRunEndsWithFive(t *testing.T) {
	b := newBench(t)
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan run, 1)
	go func() { done <- b.runIn(ctx, r, "call", "--stdin") }()
	if _, err := w.Write([]byte("{\"tool\":\"math.calculate\",\"arguments\":{\"expression\":\"1\"}}\n{")); err != nil {
		t.Fatal(err)
	}
	// The second line has begun, so the first was read.
	cancel()
	got := <-done
	_ = w.Close()
	if got.code != exitCancelled {
		t.Errorf("%+v", got)
	}
}

func TestACallThatIsInterruptedIsCancelledAndRunsNothing(t *testing.T) {
	b := newBench(t)
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan run, 1)
	go func() { done <- b.runIn(ctx, r, "call", "math.calculate", "-") }()
	if _, err := w.Write([]byte(`{"expression":`)); err != nil {
		t.Fatal(err)
	}
	cancel()
	got := <-done
	_ = w.Close()
	if o := one(t, got); got.code != exitCancelled || o["status"] != "cancelled" || o["reason_code"] != "tool.cancelled" || o["structured"] != nil {
		t.Errorf("%+v", got)
	}
}

func TestArgumentsOverTheLimitAreRefused(t *testing.T) {
	b := newBench(t)
	in := strings.NewReader(`{"expression":"` + strings.Repeat("1", schema.MaxBytes) + `"}`)
	if got := b.run(t, in, "call", "math.calculate", "-"); got.code != exitFailed || one(t, got)["reason_code"] != "tool.arguments_invalid" {
		t.Errorf("exit %d", got.code)
	}
}
