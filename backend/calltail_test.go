package backend

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"countersign/backend/session"
	"countersign/backend/tool"
)

func readPart(t *testing.T, text []byte, from int64, ended bool) Part {
	t.Helper()
	p := Part{Ended: ended}
	if err := p.read(bytes.NewReader(text), int64(len(text)), from); err != nil {
		t.Fatal(err)
	}
	return p
}

// spec: KH-48
func TestEveryByteOfATextIsReadOnceHoweverItGrows(t *testing.T) {
	text := []byte(strings.Repeat("żółw \x1b[31mred\x1b[0m 😀\n", 12_000))
	var got []byte
	from := int64(0)
	for grown := 1; ; grown += 7_001 {
		grown = min(grown, len(text))
		for more := true; more; {
			p := readPart(t, text[:grown], from, grown == len(text))
			if p.From != from || p.Gap || !utf8.Valid(p.Text) {
				t.Fatalf("from %d: begins at %d, gap %t, valid %t", from, p.From, p.Gap, utf8.Valid(p.Text))
			}
			got, from, more = append(got, p.Text...), p.To, p.More
		}
		if grown == len(text) {
			break
		}
	}
	if !bytes.Equal(got, text) {
		t.Errorf("%d bytes were read of %d", len(got), len(text))
	}
}

func TestTheNewestPartOfATextBeginsWithALine(t *testing.T) {
	text := []byte(strings.Repeat("a line of the log\n", 10_000))
	p := readPart(t, text, -1, true)
	if !bytes.HasPrefix(p.Text, []byte("a line")) || p.To != int64(len(text)) || p.Gap || p.More {
		t.Errorf("it begins with %q, ends at %d of %d", p.Text[:10], p.To, len(text))
	}
	short := readPart(t, []byte("half\xe2\x82"), -1, false)
	if string(short.Text) != "half" || short.To != 4 {
		t.Errorf("a half character came: %q", short.Text)
	}
	if whole := readPart(t, []byte("half\xe2\x82"), 4, true); string(whole.Text) != "\xe2\x82" {
		t.Errorf("the last bytes did not come: %q", whole.Text)
	}
}

func TestAReaderFarBehindIsBroughtToTheEnd(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcde\n"), 1<<17)
	p := readPart(t, text, 16, false)
	if !p.Gap || p.From <= 16 || p.To != int64(len(text)) {
		t.Errorf("from %d to %d of %d, gap %t", p.From, p.To, len(text), p.Gap)
	}
	beyond := readPart(t, text[:100], 5_000, false)
	if beyond.From != 100 || beyond.To != 100 || len(beyond.Text) > 0 {
		t.Errorf("beyond the end came %d to %d", beyond.From, beyond.To)
	}
}

func TestTheLastLineOfACallIsKeptWhileItRuns(t *testing.T) {
	e := &Engine{calls: map[string]*underway{}}
	e.said("gone", "nobody hears this")
	e.began("c1", nil)
	if lines := e.CallLines(); len(lines) != 0 {
		t.Errorf("a call that said nothing has a line: %v", lines)
	}
	e.said("c1", strings.Repeat("é", lineBytes))
	if line := e.CallLines()["c1"]; len(line) > lineBytes || !utf8.ValidString(line) {
		t.Errorf("%d bytes are held, valid %t", len(line), utf8.ValidString(line))
	}
	e.ended("c1")
	if lines := e.CallLines(); len(lines) != 0 {
		t.Errorf("the line outlived its call: %v", lines)
	}
}

// spec: KH-48
func TestWhatACommandPrintsIsReadWhileItRunsAndAfter(t *testing.T) {
	s := newScene(t)
	// It prints the words by which a caller hears of its call, which are then only words.
	done := s.call(t, tool.Call{Name: "bash", Arguments: []byte(`{"command":"printf 'waiting\\n'; until [ -e go ]; do sleep 0.01; done; printf '\\033[31mrunning'"}`)})
	q := s.asked(t)
	if _, err := s.CallTail(t.Context(), q.InvocationID, -1); !errors.Is(err, session.ErrNoOutput) {
		t.Errorf("a call that waits has output: %v", err)
	}
	s.yes(t, q)
	poll(t, func() bool { return s.CallLines()[q.InvocationID] == "waiting" })
	p, err := s.CallTail(t.Context(), q.InvocationID, -1)
	if err != nil || string(p.Text) != "waiting\n" || p.Ended || p.To != 8 {
		t.Errorf("%+v, %v", p, err)
	}
	s.put(t, "go", "")
	if o := <-done; o.Status != tool.StatusSucceeded {
		t.Fatalf("the call ended as %s %s", o.Status, o.ReasonCode)
	}
	p, err = s.CallTail(t.Context(), q.InvocationID, p.To)
	if err != nil || string(p.Text) != "\x1b[31mrunning" || !p.Ended || p.More {
		t.Errorf("%+v, %v", p, err)
	}
	if lines := s.CallLines(); len(lines) != 0 {
		t.Errorf("a line outlived its call: %v", lines)
	}
}
