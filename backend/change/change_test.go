package change_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"countersign/backend/change"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func scan(t *testing.T, text string, keep int64) *change.File {
	t.Helper()
	f, err := change.Scan(t.Context(), strings.NewReader(text), keep)
	if err != nil {
		t.Fatal(err)
	}
	return &f
}

func TestShapeIsReadFromTheBytes(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       change.Shape
	}{
		{"nothing", "", change.Shape{Ends: change.EndsNone, UTF8: true}},
		{"one unended line", "a", change.Shape{Ends: change.EndsNone, UTF8: true, Lines: 1}},
		{"LF", "a\nb\n", change.Shape{Ends: change.EndsLF, UTF8: true, Lines: 2}},
		{"CRLF", "a\r\nb\r\n", change.Shape{Ends: change.EndsCRLF, UTF8: true, Lines: 2}},
		{"CRLF, the last unended", "a\r\nb", change.Shape{Ends: change.EndsCRLF, UTF8: true, Lines: 2}},
		{"mixed", "a\r\nb\n", change.Shape{Ends: change.EndsMixed, UTF8: true, Lines: 2}},
		{"carriage returns alone", "a\rb\r", change.Shape{Ends: change.EndsNone, UTF8: true, Lines: 1}},
		{"BOM", "\ufeffa\n", change.Shape{BOM: true, Ends: change.EndsLF, UTF8: true, Lines: 1}},
		{"Latin-1", "caf\xe9\n", change.Shape{Ends: change.EndsLF, Lines: 1}},
		{"a character broken off", "a\xe2\x86", change.Shape{Ends: change.EndsNone, Lines: 1}},
		{"NUL", "a\x00b", change.Shape{Ends: change.EndsNone, UTF8: true, Binary: true, Lines: 1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if d := cmp.Diff(row.want, change.ShapeOf([]byte(row.text))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestBinaryIsNULOrManyControls(t *testing.T) {
	for _, row := range []struct {
		start string
		want  bool
	}{
		{"", false},
		{"plain text\n", false},
		{"\x1b[31mred\x1b[0m\r\n\t", false},
		{strings.Repeat("\x83\x65\x83\x58", 100), false}, // Shift-JIS
		{strings.Repeat("a", 7) + strings.Repeat("\x01", 3), false},
		{strings.Repeat("a", 6) + strings.Repeat("\x01", 4), true},
		{strings.Repeat("a", 4096) + "\x00", false},
		{strings.Repeat("a", 4095) + "\x00", true},
	} {
		if got := change.Binary([]byte(row.start)); got != row.want {
			t.Errorf("%.20q: %v", row.start, got)
		}
	}
}

func TestScanReadsTheSameInAnyPieces(t *testing.T) {
	text := rapid.OneOf(rapid.StringOf(rapid.RuneFrom([]rune("a\r\n\né→𝄞\ufeff"))), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		want := change.ShapeOf([]byte(s))
		if want.UTF8 != utf8.ValidString(s) {
			t.Fatalf("UTF8 is %v", want.UTF8)
		}
		for _, r := range []io.Reader{strings.NewReader(s), iotest.OneByteReader(strings.NewReader(s)), iotest.HalfReader(strings.NewReader(s)), iotest.DataErrReader(strings.NewReader(s))} {
			got, err := change.Scan(context.Background(), r, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if got.Shape != want || got.SHA256 != change.Hash([]byte(s)) || got.Size != int64(len(s)) || string(got.Content) != s {
				t.Fatalf("%+v, want shape %+v", got, want)
			}
		}
	})
}

func TestScanHoldsNoMoreThanItWasTold(t *testing.T) {
	text := strings.Repeat("x\n", 1000)
	if f := scan(t, text, 2000); string(f.Content) != text {
		t.Error("content of exactly the limit is not kept")
	}
	if f := scan(t, text, 1999); f.Content != nil || f.Shape.Lines != 1000 || f.SHA256 != change.Hash([]byte(text)) {
		t.Errorf("%d bytes kept, %+v", len(f.Content), f.Shape)
	}
}

func TestScanEndsWithItsContextOrReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := change.Scan(ctx, strings.NewReader("x"), 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	broken := errors.New("disk fell off")
	if _, err := change.Scan(t.Context(), iotest.ErrReader(broken), 10); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// spec: KH-29
func TestKeepWritesWithTheOldLineEndsAndMark(t *testing.T) {
	for _, row := range []struct{ name, old, text, want string }{
		{"LF stays", "a\nb\n", "c\nd\n", "c\nd\n"},
		{"CRLF stays", "a\r\nb\r\n", "c\nd\n", "c\r\nd\r\n"},
		{"CRLF is not doubled", "a\r\nb\r\n", "c\r\nd\n", "c\r\nd\r\n"},
		{"an unended last line stays unended", "a\r\nb\r\n", "c\nd", "c\r\nd"},
		{"LF is not turned into CRLF", "a\n", "c\r\nd\n", "c\nd\n"},
		{"mixed takes the text as it is", "a\r\nb\n", "c\r\nd\n", "c\r\nd\n"},
		{"no line ends take the text as it is", "a", "c\r\nd\n", "c\r\nd\n"},
		{"a lone carriage return is a character", "a\r\nb\r\n", "x\ry\n", "x\ry\r\n"},
		{"BOM comes back", "\ufeffa\n", "b\n", "\ufeffb\n"},
		{"BOM is not doubled", "\ufeffa\n", "\ufeffb\n", "\ufeffb\n"},
		{"BOM and CRLF", "\ufeffa\r\n", "b\n", "\ufeffb\r\n"},
		{"BOM stays on an emptied file", "\ufeffa\n", "", "\ufeff"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := change.Keep(change.ShapeOf([]byte(row.old)), row.text); string(got) != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// spec: KH-28
func TestDiffOfANewFileIsAgainstNothing(t *testing.T) {
	want := tool.FileDiff{
		Path: "src/a.txt", Created: true, Additions: 2,
		Unified: "--- /dev/null\n+++ b/src/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
	}
	if d := cmp.Diff(want, change.Between("src/a.txt", nil, []byte("one\ntwo\n"))); d != "" {
		t.Error(d)
	}
}

// spec: KH-9, KH-28
func TestDiffHasThreeLinesOfContext(t *testing.T) {
	old := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	want := tool.FileDiff{
		Path: "/etc/a", Additions: 2, Deletions: 1,
		Unified: "--- /etc/a\n+++ /etc/a\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and a half\n 6\n 7\n 8\n",
	}
	got := change.Between("/etc/a", scan(t, old, 1<<20), []byte(strings.Replace(old, "5", "five\nand a half", 1)))
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDiffNotesWhatItDoesNotShow(t *testing.T) {
	for _, row := range []struct {
		name, old, new string
		notes          []string
		unified        string
	}{
		{"CRLF kept", "a\r\nb\r\n", "a\r\nc\r\n", []string{"Lines end in CRLF, as before."}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		{"line ends changed", "a\r\nb\n", "a\nb\n", []string{"Line ends change from mixed to LF."}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"},
		{"BOM kept", "\ufeffa\n", "\ufeffb\n", []string{"The byte order mark at the start is kept."}, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"},
		{"BOM added", "a\n", "\ufeffa\n", []string{"A byte order mark is added at the start."}, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+\ufeffa\n"},
		{"another encoding", "caf\xe9\n", "café\n", []string{"The old file is not UTF-8; the new one is."}, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-caf\ufffd\n+café\n"},
		{"another encoding kept", "caf\xe9\na\n", "caf\xe9\nb\n", []string{"The file is not UTF-8; bytes outside the change stay as they are."}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n caf\ufffd\n-a\n+b\n"},
		{"binary", "a\x00", "b\n", []string{"The old file is binary (2 bytes) and is replaced whole; its bytes are not shown."}, "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+b\n"},
		{"nothing changed", "a\n", "a\n", nil, ""},
		{"the last line break", "a\n", "a", nil, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := change.Between("f", scan(t, row.old, 1<<20), []byte(row.new))
			if d := cmp.Diff(row.notes, got.Notes); d != "" {
				t.Error(d)
			}
			if got.Unified != row.unified {
				t.Errorf("got  %q\nwant %q", got.Unified, row.unified)
			}
		})
	}
}

func TestDiffNamesCannotForgeLines(t *testing.T) {
	got := change.Between("a\n+++ b/etc/passwd", nil, []byte("x\n"))
	if !strings.HasPrefix(got.Unified, "--- /dev/null\n+++ b/a\\n+++ b/etc/passwd\n@@") {
		t.Errorf("%q", got.Unified)
	}
}

func TestDiffTooLargeHasFiguresInPlaceOfLines(t *testing.T) {
	big := strings.Repeat("some line of text\n", 300_000)
	for name, old := range map[string]*change.File{"held": scan(t, big, 1<<30), "not held": scan(t, big, 10)} {
		got := change.Between("f", old, []byte("one\ntwo\n"))
		if got.Unified != "" || got.Deletions != 300_000 || got.Additions != 2 {
			t.Errorf("%s: %d bytes, -%d +%d", name, len(got.Unified), got.Deletions, got.Additions)
		}
		if d := cmp.Diff([]string{"The change is too large to show: 300,000 lines out, 2 lines in."}, got.Notes); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if got := change.Between("f", scan(t, big, 1<<30), []byte(big+"one more\n")); got.Unified == "" || got.Additions != 1 || got.Deletions != 0 {
		t.Errorf("a small change of a big file: %d bytes, -%d +%d", len(got.Unified), got.Deletions, got.Additions)
	}
}

func TestDiffOfTheLargestFileIsWhole(t *testing.T) {
	content := strings.Repeat("0123456789abcde\n", 2<<20/16)
	got := change.Between("f", nil, []byte(content))
	if got.Additions != 2<<20/16 || len(got.Unified) < len(content) {
		t.Errorf("+%d, %d bytes", got.Additions, len(got.Unified))
	}
}

// Whatever the algorithm found, applying its lines to the old text gives the new one.
func TestDiffTellsNoLies(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "a\r\n", "+x\n", "-x\n", "@@\n"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(line, 0, 150).Draw(t, "lines"), "") + rapid.SampledFrom([]string{"", "z"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		old, err := change.Scan(context.Background(), strings.NewReader(before), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		got := change.Between("f", &old, []byte(after))
		if old.Shape.Ends == change.EndsCRLF && change.ShapeOf([]byte(after)).Ends == change.EndsCRLF {
			before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
		}
		if applied, err := apply(before, got.Unified); err != nil || applied != after {
			t.Fatalf("%v: %q becomes %q, want %q, by\n%s", err, before, applied, after, got.Unified)
		}
	})
}

// apply is a patch program in small.
func apply(text, unified string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	var out bytes.Buffer
	at := 0
	body := strings.SplitAfter(unified, "\n")
	for i := 0; i < len(body); i++ {
		l := body[i]
		if i < 2 || l == "" {
			continue
		}
		if i+1 < len(body) && strings.HasPrefix(body[i+1], "\\ No newline") {
			l = strings.TrimSuffix(l, "\n")
		}
		switch l[0] {
		case '@':
			var start int
			if _, err := fmt.Sscanf(l, "@@ -%d", &start); err != nil {
				return "", err
			}
			for ; at < start-1; at++ {
				out.WriteString(lines[at])
			}
		case ' ', '-':
			if at >= len(lines) || lines[at] != l[1:] {
				return "", fmt.Errorf("line %d is not %q", at+1, l[1:])
			}
			if l[0] == ' ' {
				out.WriteString(l[1:])
			}
			at++
		case '+':
			out.WriteString(l[1:])
		}
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String(), nil
}
