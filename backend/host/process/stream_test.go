package process

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"countersign/backend/legible"

	"pgregory.net/rapid"
)

// keeper is a log that loses what it is told to lose, and says where.
type keeper struct {
	kept       []byte
	lost       int64
	full, gone bool
	gap        bool
}

func (k *keeper) Write(p []byte) (int, error) {
	if k.full {
		k.lost, k.gap = k.lost+int64(len(p)), true
		return len(p), nil
	}
	if k.gap {
		k.kept, k.gap = append(k.kept, "[gap\n]"...), false
	}
	k.kept = append(k.kept, p...)
	return len(p), nil
}

func (k *keeper) ReadAt(p []byte, at int64) (int, error) {
	if k.gone || at >= int64(len(k.kept)) {
		return 0, io.EOF
	}
	return copy(p, k.kept[at:]), nil
}

func (k *keeper) Path() string        { return "" }
func (k *keeper) Size() int64         { return int64(len(k.kept)) }
func (k *keeper) Lost() int64         { return k.lost }
func (k *keeper) Rename(string) error { return nil }
func (k *keeper) Close() error        { return nil }

// feed prints text as a command would, in pieces that fit.
func feed(s *stream, text []byte) {
	for len(text) > 0 {
		room := s.ring.reserve()
		n := copy(room, text)
		s.add(room[:n])
		text = text[n:]
	}
}

// small makes a stream whose ring and index are small enough to be outgrown at once.
func small(k *keeper) *stream {
	s := newStream(k)
	s.ring = ring{buf: make([]byte, 32), most: 128}
	s.index = index{stride: 16, marks: []mark{{}}}
	return s
}

var lines = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-z]{0,30}\n?`), 0, 12).Draw(t, "lines"), "")
})

// starts are the places where lines begin.
func starts(text string) []int64 {
	out := []int64{0}
	for i := range text {
		if text[i] == '\n' {
			out = append(out, int64(i+1))
		}
	}
	return out
}

func TestEveryByteIsReadOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := small(&keeper{})
		var all, read strings.Builder
		var at cursor
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			text := lines.Draw(t, "text")
			feed(s, []byte(text))
			all.WriteString(text)
			if !rapid.Bool().Draw(t, "read") {
				continue
			}
			p, next := s.page(at)
			if p.First != at.breaks+1 || p.RestLines > 0 {
				t.Fatalf("page %+v from %+v", p, at)
			}
			read.WriteString(p.Text)
			at = next
		}
		p, next := s.page(at)
		read.WriteString(p.Text)
		if read.String() != all.String() || next.place != int64(all.Len()) || next.breaks != int64(strings.Count(all.String(), "\n")) {
			t.Errorf("read %q of %q, up to %+v", read.String(), all.String(), next)
		}
		for i, want := range starts(all.String()) {
			if got := s.line(int64(i + 1)); got.place != want || got.breaks != int64(i) {
				t.Errorf("line %d begins at %+v, not at %d", i+1, got, want)
			}
		}
		end := s.line(1_000_000)
		if end.place != int64(all.Len()) {
			t.Errorf("behind the last line is %+v", end)
		}
	})
}

// Whatever a log lost, what is read stands in the text where the page says that it does.
func TestWhatIsReadAroundHolesIsWhereItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &keeper{}
		s := small(k)
		var all strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			k.full = rapid.Bool().Draw(t, "full")
			text := lines.Draw(t, "text")
			feed(s, []byte(text))
			all.WriteString(text)
		}
		k.gone = rapid.IntRange(0, 9).Draw(t, "gone") == 0
		raw := all.String()
		for at := (cursor{}); at.place < int64(len(raw)); {
			p, next := s.page(at)
			start := next.place - int64(len(p.Text))
			if next.place <= at.place || start < at.place || raw[start:next.place] != p.Text {
				t.Fatalf("from %+v to %+v: %q", at, next, p.Text)
			}
			before := int64(strings.Count(raw[:start], "\n"))
			if p.First != before+1 || next.breaks != int64(strings.Count(raw[:next.place], "\n")) {
				t.Fatalf("page %+v, but %d line breaks are before it", p, before)
			}
			at = next
		}
		for i, want := range starts(raw) {
			got := s.line(int64(i + 1))
			if got.place < want || got.breaks != int64(strings.Count(raw[:got.place], "\n")) {
				t.Errorf("line %d: %+v, not %d", i+1, got, want)
			}
		}
	})
}

func TestTheAnswerHasTheStartAndTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := small(&keeper{})
		s.head = legible.New(legible.Limits{Bytes: rapid.IntRange(1, 60).Draw(t, "head")})
		var all strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			text := lines.Draw(t, "text")
			feed(s, []byte(text))
			all.WriteString(text)
		}
		c, end := s.captured()
		raw := all.String()
		if !strings.HasPrefix(raw, c.Head) || !strings.HasSuffix(raw, c.Tail) || end.place != int64(len(raw)) {
			t.Fatalf("%+v of %q", c, raw)
		}
		between := raw[len(c.Head) : len(raw)-len(c.Tail)]
		lines := int64(strings.Count(raw, "\n"))
		if raw != "" && !strings.HasSuffix(raw, "\n") {
			lines++
		}
		if c.OmittedBytes != int64(len(between)) || c.Bytes != int64(len(raw)) || c.Lines != lines {
			t.Errorf("%+v of %q", c, raw)
		}
	})
}

// A rune or a sequence that was printed by half is read as a whole later.
func TestAPageEndsBeforeWhatIsNotWhole(t *testing.T) {
	for _, c := range []struct{ first, second, page, next string }{
		{"a\xe2\x82", "\xacb", "a", "€b"},
		{"a\x1b[3", "1mb", "a", "b"},
		{"a\x1b", "[Kb", "a", "b"},
		{"a\xff", "b", `a\xff`, "b"},
	} {
		s := newStream(&keeper{})
		feed(s, []byte(c.first))
		p, at := s.page(cursor{})
		feed(s, []byte(c.second))
		q, _ := s.page(at)
		if p.Text != c.page || q.Text != c.next {
			t.Errorf("%q then %q: %q, %q", c.first, c.second, p.Text, q.Text)
		}
	}
	// What never becomes whole is shown in the end.
	s := newStream(&keeper{})
	feed(s, []byte("a\xe2\x82"))
	s.closed = true
	if p, _ := s.page(cursor{}); p.Text != `a\xe2\x82` {
		t.Errorf("%q", p.Text)
	}
}

// A bar that was drawn over many times is one line, and a page of it does not take for ever.
func TestABarIsOneLine(t *testing.T) {
	s := newStream(&keeper{})
	feed(s, bytes.Repeat([]byte("\r 50% [=====     ]"), 100_000))
	feed(s, []byte("\r100% [==========]\ndone\n"))
	p, at := s.page(cursor{})
	if p.Text != "100% [==========]\ndone\n" || p.First != 1 || p.Last != 2 || p.RestLines > 0 {
		t.Errorf("%+v, %+v", p, at)
	}
	if c, _ := s.captured(); c.Head != p.Text || c.Tail != "" || c.OmittedBytes != 0 {
		t.Errorf("%+v", c)
	}
}

func TestTheIndexStaysSmall(t *testing.T) {
	x := index{stride: 1, marks: []mark{{}}}
	const n = 200_000
	for i := int64(1); i <= n; i++ {
		x.add(mark{stream: 10 * i, log: 10 * i, breaks: i})
	}
	if len(x.marks) > mostMarks || len(x.marks) < mostMarks/4 {
		t.Errorf("%d marks", len(x.marks))
	}
	for _, i := range []int64{1, 2, 777, 100_000, n} {
		m := x.place(10 * i)
		if m.stream > 10*i || 10*i-m.stream > 10*n/int64(mostMarks)*4+x.stride || m.log != m.stream || 10*m.breaks != m.stream {
			t.Errorf("place %d: %+v", 10*i, m)
		}
		if m := x.line(i + 1); m.breaks >= i && m.breaks > 0 {
			t.Errorf("line %d: %+v", i+1, m)
		}
	}
}

func TestAnEndedStreamGivesItsMemoryBack(t *testing.T) {
	k := &keeper{}
	s := newStream(k)
	var want strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&want, i)
	}
	feed(s, []byte(want.String()))
	s.manage()
	s.rest()
	if s.ring.buf != nil || s.head != nil {
		t.Error("it is kept")
	}
	if p, _ := s.page(s.line(999)); p.Text != "998\n999\n" || p.First != 999 || p.Last != 1000 {
		t.Errorf("%+v", p)
	}
	k.gone = true
	if p, _ := s.page(cursor{}); p.Text != "" || p.RestLines > 0 {
		t.Errorf("%+v", p)
	}
}
