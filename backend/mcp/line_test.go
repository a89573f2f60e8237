package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readAll reads every line; a line over the limit shows as "long <id>".
func readAll(t *testing.T, r io.Reader, limit int) []string {
	t.Helper()
	lines := newLineReader(r, limit)
	var out []string
	for {
		line, err := lines.next()
		var long *longLine
		switch {
		case errors.As(err, &long):
			out = append(out, "long "+string(long.ID))
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			t.Fatal(err)
		default:
			out = append(out, string(line))
		}
	}
}

func TestLinesAreReadAndLongOnesReadPast(t *testing.T) {
	const limit = 100 << 10
	fits := strings.Repeat("a", limit)
	rows := []struct {
		name, in string
		want     []string
	}{
		{"breaks of both kinds and none at the end", "one\ntwo\r\n\n \t\nthree", []string{"one", "two", "three"}},
		{"exactly the limit", fits + "\nnext\n", []string{fits, "next"}},
		{"exactly the limit with a carriage return", fits + "\r\nnext\n", []string{fits, "next"}},
		{"one over", fits + "a\nnext\n", []string{"long ", "next"}},
		{"far over, at the end", "first\n" + fits + fits, []string{"first", "long "}},
		{"id before", `{"id":5,"x":"` + fits + "\"}\nnext", []string{"long 5", "next"}},
		{"id after, another inside", `{"x":{"id":1,"y":"` + fits + `"}, "id" : "a\"b" }` + "\n", []string{`long "a\"b"`}},
		{"id named twice", `{"id":5,"x":"` + fits + `","id":6}` + "\n", []string{"long "}},
		{"id of another form", `{"id":{"a":1},"x":"` + fits + `"}` + "\n", []string{"long "}},
		{"id of great length", `{"x":"","id":"` + fits + `"}` + "\n", []string{"long "}},
		{"no end", `{"id":5,"x":"` + fits + "\n", []string{"long "}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, readAll(t, strings.NewReader(row.in), limit)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLineLimitIsSixteenMiB(t *testing.T) {
	fits := strings.Repeat("a", 16<<20)
	got := readAll(t, strings.NewReader(fits+"\n"+fits+"a\nnext"), MaxLineBytes)
	if len(got) != 3 || got[0] != fits || got[1] != "long " || got[2] != "next" {
		t.Errorf("got %d lines", len(got))
	}
}

func TestBrokenReadIsNoLine(t *testing.T) {
	broken := errors.New("broken")
	lines := newLineReader(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), MaxLineBytes)
	if line, err := lines.next(); !errors.Is(err, broken) || line != nil {
		t.Errorf("got %q, %v", line, err)
	}
}

// Whatever the bytes and however they arrive, the lines are those of a plain split.
func FuzzLineReader(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\nthree"), uint16(4))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), uint16(30))
	f.Add([]byte(`{"id":"x","p":"`+strings.Repeat("\\", 100)+"\"}\n"), uint16(10))
	f.Fuzz(func(t *testing.T, in []byte, limit uint16) {
		var want []string
		for _, line := range bytes.SplitAfter(in, []byte("\n")) {
			bare := bytes.TrimRight(line, "\r\n")
			switch {
			case len(bare) > int(limit):
				var s skimmer
				s.feed(line)
				want = append(want, "long "+string(s.id()))
			case len(bytes.TrimSpace(bare)) > 0:
				want = append(want, string(bare))
			}
		}
		got := readAll(t, iotest.HalfReader(bytes.NewReader(in)), int(limit))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("lines (-want +got):\n%s", diff)
		}
	})
}

// A line that parses as a message gives back its own id, and one whose id is found
// without reading has that id.
func FuzzMessage(f *testing.F) {
	for _, line := range []string{
		initialize, initialized, callLine("1.5"), `{"jsonrpc":"2.0","id":"\ud800","method":"x"}`,
		`{"jsonrpc":"2.0","id":-0,"method":"x","params":[{"id":2}]}`, `[]`, `{"id":null}`, `{"jsonrpc":"2.0","id":1,"id":1,"method":"x"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, fault := parse(line)
		if fault != nil {
			if !json.Valid(fault.line()) {
				t.Errorf("the answer is not JSON: %s", fault.line())
			}
			return
		}
		if m.id == nil {
			return
		}
		back := rawID(idOf(m.id))
		var want, got any
		if json.Unmarshal(m.id, &want) != nil || json.Unmarshal(back, &got) != nil || !cmp.Equal(want, got) {
			t.Errorf("id %s came back as %s", m.id, back)
		}
		if m.method == methodCall {
			packed, ok := pack(m.params, 7)
			if !ok {
				return
			}
			var p struct{ Arguments json.RawMessage }
			if err := json.Unmarshal(packed, &p); err != nil {
				t.Fatal(err)
			}
			fields, _ := split(m.params)
			arguments, _, turn, err := unpack(p.Arguments)
			if sent, ok := fields["arguments"]; err != nil || turn != 7 || ok && !bytes.Equal(sent, arguments) {
				t.Errorf("arguments %s came as %s, %v", sent, arguments, err)
			}
		}
	})
}
