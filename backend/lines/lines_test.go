package lines_test

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"countersign/backend/lines"
)

// memory is a text that can grow.
type memory struct {
	mu   sync.Mutex
	text []byte
	read atomic.Int64
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := bytes.NewReader(m.text).ReadAt(p, off)
	m.read.Add(int64(n))
	return n, err
}

func (m *memory) Size() (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.text)), nil
}

func (m *memory) set(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.text = []byte(text)
}

func over(text string) (*memory, *lines.Text) {
	m := &memory{text: []byte(text)}
	return m, lines.New(m)
}

// plain splits a text as it is to be shown.
func plain(text string) []string {
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	last := len(all) - 1
	for i := range all[:last] {
		all[i] = strings.TrimSuffix(all[i], "\r")
	}
	if all[last] == "" {
		all = all[:last]
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// spec: KH-20
func TestEveryWindowOfEveryTextIsRight(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"\n", "a", "ü€😀", "\r\n", "\r", "\xff", strings.Repeat("line\n", 30_000), strings.Repeat("long ", 20_000), strings.Repeat("x", lines.MaxLine), strings.Repeat("y\n", 70_000),
		}), 0, 12).Draw(r, "text"), "")
		want := plain(text)
		_, v := over(text)
		if rapid.Bool().Draw(r, "counted") {
			if err := v.Count(t.Context()); err != nil {
				r.Fatal(err)
			}
			if s, _ := v.State(); s.Lines != int64(len(want)) || s.Scanned != s.Bytes || s.Bytes != int64(len(text)) {
				r.Fatalf("%+v for %d lines", s, len(want))
			}
		}
		from := rapid.IntRange(1, len(want)+2).Draw(r, "from")
		got, err := v.Window(t.Context(), int64(from), 50)
		if err != nil {
			r.Fatal(err)
		}
		if from <= len(want) && len(got) == 0 {
			r.Fatalf("nothing from %d of %d", from, len(want))
		}
		for i, l := range got {
			if l.Number != int64(from+i) || l.Bytes != int64(len(want[from-1+i])) || !strings.HasPrefix(want[from-1+i], string(l.Text)) ||
				l.Bytes <= lines.MaxLine && l.Bytes != int64(len(l.Text)) || l.Bytes > lines.MaxLine && len(l.Text) < lines.MaxLine-3 {
				r.Fatalf("line %d has %d of %d bytes, want %d", l.Number, len(l.Text), l.Bytes, len(want[from-1+i]))
			}
		}
		if len(got) < min(50, len(want)-from+1) && size(got) < lines.MaxWindow {
			r.Fatalf("%d lines from %d of %d", len(got), from, len(want))
		}
	})
}

func size(all []lines.Line) (n int) {
	for _, l := range all {
		n += len(l.Text)
	}
	return n
}

func TestTheStartIsReadBeforeAnythingIsCounted(t *testing.T) {
	m, v := over(strings.Repeat("0123456789\n", 10<<20/11))
	got, err := v.Window(t.Context(), 1, 200)
	if err != nil || len(got) != 200 || m.read.Load() > 128<<10 {
		t.Errorf("%d lines, %v, %d bytes read", len(got), err, m.read.Load())
	}
	if s, _ := v.State(); s.Scanned != 0 || s.Lines != 0 {
		t.Errorf("%+v", s)
	}
	// A later line costs what lies before it once, and then one stretch.
	if _, err := v.Window(t.Context(), 100_000, 10); err != nil {
		t.Fatal(err)
	}
	before := m.read.Load()
	got, err = v.Window(t.Context(), 99_000, 10)
	if err != nil || len(got) != 10 || got[0].Number != 99_000 || m.read.Load()-before > 256<<10 {
		t.Errorf("%d lines, %v, %d bytes read", len(got), err, m.read.Load()-before)
	}
}

func TestTheIndexHoldsAsMuchForEverySize(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := lines.New(vast(4 << 30))
	must(t, v.Count(t.Context()))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes", n)
	}
	for _, line := range []int64{1, 1000, 33_554_433, 67_108_864} {
		if at, known, err := v.Offset(line); at != (line-1)*64 || !known || err != nil {
			t.Errorf("line %d is at %d, %v, %v", line, at, known, err)
		}
	}
}

// vast is a text of that many bytes whose every 64th byte ends a line.
type vast int64

func (v vast) Size() (int64, error) { return int64(v), nil }

func (v vast) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(v) {
		return 0, io.EOF
	}
	n := min(len(p), int(int64(v)-off))
	clear(p[:n])
	for i := 63 - int(off%64); i < n; i += 64 {
		p[i] = '\n'
	}
	return n, nil
}

func TestATextThatGrowsIsReadOn(t *testing.T) {
	m, v := over("one\ntw")
	must(t, v.Count(t.Context()))
	if s, _ := v.State(); s.Lines != 2 {
		t.Errorf("%+v", s)
	}
	m.set("one\ntwo\nthree\n")
	got, err := v.Window(t.Context(), 2, 10)
	if err != nil || len(got) != 2 || string(got[0].Text) != "two" || string(got[1].Text) != "three" {
		t.Errorf("%+v, %v", got, err)
	}
	must(t, v.Count(t.Context()))
	if s, _ := v.State(); s.Lines != 3 || s.Scanned != s.Bytes {
		t.Errorf("%+v", s)
	}
	if at, known, err := v.Offset(3); at != 8 || !known || err != nil {
		t.Errorf("%d, %v, %v", at, known, err)
	}
	// One that became shorter is another one.
	m.set("1\n2")
	must(t, v.Count(t.Context()))
	if s, _ := v.State(); s.Lines != 2 {
		t.Errorf("%+v", s)
	}
}

func TestALongLineIsReadPieceByPiece(t *testing.T) {
	long := strings.Repeat("äöü€", 40_000)
	m, v := over("before\n" + long + "\r\nafter\n")
	got := ""
	for more := true; more; {
		p, m, err := v.Piece(t.Context(), 2, int64(len(got)))
		if err != nil || len(p) > lines.MaxPiece {
			t.Fatalf("%d bytes, %v", len(p), err)
		}
		got, more = got+string(p), m
	}
	if got != long {
		t.Errorf("%d of %d bytes", len(got), len(long))
	}
	// What the text ends with is given, also where that is no whole character.
	_, broken := over(long + "\xe2\x82")
	if p, more, err := broken.Piece(t.Context(), 1, int64(len(long))-3); string(p) != "€\xe2\x82" || more || err != nil {
		t.Errorf("%q, %v, %v", p, more, err)
	}
	for _, q := range [][2]int64{{2, int64(len(long)) + 2}, {2, 1 << 40}, {4, 0}, {0, 0}, {2, -1}} {
		if p, more, err := v.Piece(t.Context(), q[0], q[1]); len(p) > 0 || more || err != nil {
			t.Errorf("%v: %q, %v, %v", q, p, more, err)
		}
	}
	// A single line of any size opens at once.
	m.set(strings.Repeat("x", 64<<20))
	v = lines.New(m)
	m.read.Store(0)
	w, err := v.Window(t.Context(), 1, 100)
	if err != nil || len(w) != 1 || w[0].Bytes < 8<<20 || m.read.Load() > 9<<20 {
		t.Errorf("%d lines, %v, %d bytes read", len(w), err, m.read.Load())
	}
	must(t, v.Count(t.Context()))
	if w, err = v.Window(t.Context(), 1, 100); err != nil || w[0].Bytes < 8<<20 {
		t.Errorf("%+v, %v", w[0].Bytes, err)
	}
}

// all searches to the end in steps.
func all(t *testing.T, v *lines.Text, q lines.Query, read int64, most int) (out []int64) {
	t.Helper()
	for at := lines.Start(); ; {
		f, err := v.Find(t.Context(), q, at, read, most)
		if err != nil {
			t.Fatal(err)
		}
		if out = append(out, f.Lines...); f.Done {
			return out
		}
		if len(f.Lines) > most || f.Next.Offset <= at.Offset {
			t.Fatalf("%d found, from %+v to %+v", len(f.Lines), at, f.Next)
		}
		at = f.Next
	}
}

func TestASearchFindsEveryMatchOnce(t *testing.T) {
	filler := strings.Repeat(strings.Repeat("z", 99)+"\n", 2_000)
	text := "Worker worker\n" + filler + strings.Repeat("z", 62_133) + "WORKER-2\n" + filler + "Ünï ÜNÏ\x1b[0m worker"
	_, v := over(text)
	for _, row := range []struct {
		q    lines.Query
		want []int64
	}{
		{lines.Query{Text: "worker"}, []int64{1, 4003}},
		{lines.Query{Text: "WORKER", Fold: true}, []int64{1, 1, 2002, 4003}},
		{lines.Query{Text: "-2"}, []int64{2002}},
		{lines.Query{Text: "ünï", Fold: true}, []int64{4003, 4003}},
		{lines.Query{Text: "ünï"}, nil},
		{lines.Query{Text: ".*"}, nil},
		{lines.Query{}, nil},
		{lines.Query{Text: strings.Repeat("z", 2<<10)}, nil},
	} {
		for _, most := range []int{1, 1000} {
			for _, read := range []int64{1, 1 << 20} {
				if got := all(t, v, row.q, read, most); !slices.Equal(row.want, got) {
					t.Errorf("%+v, %d at a time: %d, want %d", row.q, most, got, row.want)
				}
			}
		}
	}
}

func TestASearchOfAllTextsAgreesWithThePlainOne(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"ab", "a", "b", "\n", strings.Repeat("c", 13_000) + strings.Repeat("z", 130_000), strings.Repeat("ab\n", 3_000)}), 0, 9).Draw(r, "text"), "")
		needle := rapid.SampledFrom([]string{"a", "ab", "abab", "c", "bc"}).Draw(r, "needle")
		var want []int64
		line := int64(1)
		for rest := text; ; {
			i := strings.Index(rest, needle)
			if i < 0 {
				break
			}
			line += int64(strings.Count(rest[:i], "\n"))
			want = append(want, line)
			rest = rest[i+len(needle):]
		}
		_, v := over(text)
		got := all(t, v, lines.Query{Text: needle}, 1<<20, 10_000)
		if !slices.Equal(want, got) {
			r.Fatalf("%d found, want %d", len(got), len(want))
		}
	})
}

func TestReadingEndsWithItsContext(t *testing.T) {
	_, v := over(strings.Repeat("x\n", 1<<20))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"count":  v.Count(ctx),
		"window": func() error { _, err := v.Window(ctx, 1000, 10); return err }(),
		"find":   func() error { _, err := v.Find(ctx, lines.Query{Text: "y"}, lines.Start(), 1<<30, 1); return err }(),
		"piece":  func() error { _, _, err := v.Piece(ctx, 1000, 0); return err }(),
	} {
		if err == nil {
			t.Errorf("%s went on", name)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	b.SetBytes(1 << 30)
	for b.Loop() {
		must(b, lines.New(vast(1<<30)).Count(b.Context()))
	}
}
