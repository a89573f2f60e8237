package legible

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWhatATerminalWouldShow(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"nothing", "", ""},
		{"text", "one\ntwo", "one\ntwo"},
		{"line ends of others", "one\r\ntwo\r\n", "one\ntwo\n"},
		{"colours", "\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m \x1b[38:2::1:2:3mx", "red blue x"},
		{"a title", "\x1b]0;title\x07text", "text"},
		{"a title with a terminator", "\x1b]2;title\x1b\\text", "text"},
		{"a link keeps its words", "\x1b]8;;https://example.org\x1b\\words\x1b]8;;\x1b\\.", "words."},
		{"an image", "a\x1bPq#0~~@@\x1b\\b\x1b_Gf=100;AAAA\x1b\\c", "abc"},
		{"a title that never ends", "\x1b]0;title\nnext", "\nnext"},
		{"a title that is cancelled", "\x1b]0;ti\x18text", "text"},
		{"a sequence within a title", "\x1b]0;ti\x1b[31mtext", "text"},
		{"a sequence that never ends", "\x1b[31\nnext", "\nnext"},
		{"a sequence cut by another", "\x1b[31\x1b[32mx", "x"},
		{"a lone escape at the end", "text\x1b", "text"},
		{"a choice of characters", "\x1b(Bx\x1b)0y\x1b#8z", "xyz"},
		{"private modes", "\x1b[?25l\x1b[?2004hx\x1b[>c", "x"},
		{"saved cursors and keypads", "\x1b7\x1b8\x1b=\x1b>x", "x"},
		{"progress", "10%\r50%\r100%\ndone", "100%\ndone"},
		{"a shorter line over a longer one", "loading...\rok", "okading..."},
		{"a line that is erased first", "loading...\r\x1b[Kok", "ok"},
		{"a whole line erased", "loading\x1b[2K\rok", "ok"},
		{"erased to the cursor", "abcdef\x1b[3D\x1b[1Kx", "   xef"},
		{"backspaces", "ab\b\bcd", "cd"},
		{"backspace at the start", "\b\bx", "x"},
		{"columns", "abc\x1b[2GX\x1b[5GY", "aXc Y"},
		{"a column far away", "\x1b[99999999999999999999Gx", strings.Repeat(" ", 512) + "x"},
		{"forward", "a\x1b[2Cb\x1b[C.", "a  b ."},
		{"deleted cells", "abcdef\r\x1b[2Px", "xdef"},
		{"blanked cells", "abcdef\r\x1b[3X", "   def"},
		{"up is a line of its own", "one\ntwo\n\x1b[2A\x1b[Kthree", "one\ntwo\nthree"},
		{"away with text before", "one\x1b[Htwo", "one\ntwo"},
		{"a cleared screen keeps what was", "one\x1b[H\x1b[2Jtwo", "one\ntwo"},
		{"a wiped rest of the screen", "abc\rx\x1b[J", "x"},
		{"bells and deletes", "a\x07b\x7fc\x0e\x0fd", "abcd"},
		{"form feeds", "a\fb\vc", "a\nb\nc"},
		{"tabs", "a\tb", "a\tb"},
		{"NUL", "a\x00b", `a\x00b`},
		{"other controls", "a\x01\x02b", `a\x01\x02b`},
		{"not UTF-8", "a\xffb\xc3(\xe2\x82", `a\xffb\xc3(\xe2\x82`},
		{"a rune cut by a line break", "\xe2\x82\nx", `\xe2\x82` + "\nx"},
		{"a rune cut by a sequence", "\xe2\x82\x1b[31mx", `\xe2\x82x`},
		{"a rune cut by another", "\xe2é", `\xe2é`},
		{"long forms and halves of pairs", "\xc0\x80\xed\xa0\x80", `\xc0\x80\xed\xa0\x80`},
		{"controls of two bytes", "a\u0085b\u009b31mc", `a\u0085b\u009b31mc`},
		{"runes", "größe 中 😀 e\u0301", "größe 中 😀 e\u0301"},
		{"runes drawn over", "größe\rGRÖẞE", "GRÖẞE"},
		{"the sign for what could not be read", "\ufffd", "\ufffd"},
	} {
		if got := Of([]byte(c.raw)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

var pieces = []string{"a", "text", "\n", "\r", "\r\n", "\b", "\t", "\x1b", "[", "]", "m", "K", "0", "31", ";", "?", "\x07", "\x1b\\", "\x1b[2K", "\x1b[5G", "\x1b]8;;x\x07", "é", "中", "\xe2", "\x82", "\xff", "\x00", "\u0085", "\x18", "P", "A"}

func raw(t *rapid.T) []byte {
	return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "raw"), ""))
}

func TestWhereItIsCutChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := raw(t)
		text := New(Limits{})
		for rest := b; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if got := text.Add(rest[:n]); got != n {
				t.Fatalf("took %d of %d", got, n)
			}
			rest = rest[n:]
		}
		if got, want := text.String(), Of(b); got != want {
			t.Errorf("%q: got %q, want %q", b, got, want)
		}
	})
}

func TestWhatIsPendingIsTakenLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := raw(t)
		text := New(Limits{})
		text.Add(b)
		n := text.Pending()
		if text.Drop(); text.String() != Of(b[:len(b)-n]) {
			t.Errorf("%q without %d: got %q", b, n, text.String())
		}
	})
	for raw, want := range map[string]int{"": 0, "a": 0, "a\xe2\x82": 2, "a\x1b": 1, "a\x1b[31": 4, "\x1b]0;x": 5, "\x1b]0;x\x07": 0, "\xffa": 0} {
		text := New(Limits{})
		text.Add([]byte(raw))
		if got := text.Pending(); got != want {
			t.Errorf("%q: %d", raw, got)
		}
	}
}

func TestTheResultIsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := append(raw(t), rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")...)
		got := Of(b)
		if !utf8.ValidString(got) {
			t.Errorf("%q: %q is not UTF-8", b, got)
		}
		for _, r := range got {
			if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) {
				t.Errorf("%q: %q has a control character", b, got)
			}
		}
	})
}

func TestALimitIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := raw(t)
		l := Limits{Bytes: rapid.IntRange(1, 40).Draw(t, "bytes"), Lines: rapid.IntRange(1, 5).Draw(t, "lines")}
		text := New(l)
		n := text.Add(b)
		got := text.String()
		if text.Full() != (n < len(b)) && n < len(b) {
			t.Errorf("%q: took %d of %d and is not full", b, n, len(b))
		}
		// A rune or an escape at the end may pass the limit, nothing more.
		if len(got) > l.Bytes+6+4*3 || strings.Count(got, "\n") > l.Lines {
			t.Errorf("%q: %q passes %+v", b, got, l)
		}
		if want := Of(b[:n]); got != want {
			t.Errorf("%q: got %q, want %q", b[:n], got, want)
		}
	})
}

// The same line drawn again and again needs no room.
func TestProgressNeedsNoRoom(t *testing.T) {
	b := []byte(strings.Repeat("\r 50% [=====     ] \x1b[K", 10_000) + "\ndone\n")
	text := New(Limits{Bytes: 100})
	if n := text.Add(b); n != len(b) || text.String() != " 50% [=====     ] \ndone\n" || text.lines != 2 {
		t.Errorf("took %d of %d: %q", n, len(b), text.String())
	}
}

func FuzzOf(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p + "x" + p))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := Of(b); !utf8.ValidString(got) || len(got) > 513*(len(b)+1) {
			t.Errorf("%q: %q", b, got)
		}
	})
}
