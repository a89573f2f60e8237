package edit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"countersign/backend/change"
	"countersign/backend/tool"
)

// hostile is a file and a call that are made to cost as much as they can.
type hostile struct {
	name, file string
	input
}

// hostiles are all of about so many bytes.
func hostiles(size int) []hostile {
	deep := strings.Repeat(" ", size/2)
	var stairs, apart, other, alike strings.Builder
	for i := 0; stairs.Len() < size/2 && i < 1000; i++ {
		stairs.WriteString(strings.Repeat(" ", i) + "x\n")
	}
	for i := range size / 16 {
		fmt.Fprintf(&apart, "%06x\n", i)
		fmt.Fprintf(&other, "%06x\n", i+1<<23)
	}
	for i := range 1 + size>>14 {
		alike.WriteString(strings.Repeat("ab", 1<<11) + fmt.Sprintf("%06d\n", i))
	}
	middle := strings.Repeat("x\n}\n", 500)
	return []hostile{
		{"a deep line", "\t" + deep + "a\n\tb\n", input{OldString: " " + deep + "a\n b", NewString: " " + deep + "c\n" + deep + "d"}},
		{"a deep line for many", deep + "a\n" + deep + "b\n", input{OldString: " a\n b", NewString: strings.Repeat(" c\n", size/8)}},
		{"many lines above a deep one", "\t" + deep + "a\n\t" + deep + "b\n", input{OldString: deep + "a\n" + deep + "b", NewString: strings.Repeat("c\n", size/8)}},
		{"stairs", strings.ReplaceAll(stairs.String(), "x", "x "), input{OldString: stairs.String(), NewString: strings.ReplaceAll(stairs.String(), "x", "y")}},
		{"empty lines", strings.Repeat("\n", size), input{OldString: strings.Repeat("\n", size/4) + " x", NewString: "y"}},
		{"one word", strings.Repeat("x \n", size/4), input{OldString: strings.Repeat("x\n", size/8), NewString: "y"}},
		{"a long blank line behind many", strings.Repeat("x\n", size/8) + deep + "\n", input{OldString: strings.Repeat("x \n", size/8) + "y", NewString: "z"}},
		{"a long blank line between many anchors", strings.Repeat("{\n", size/8) + deep + "\n" + strings.Repeat("{\n", size/8), input{OldString: "{\n" + strings.Repeat("x\n", size/16) + strings.Repeat("{\n", size/16), NewString: "z"}},
		{"all anchors", strings.Repeat("}\n{\n", size/4), input{OldString: "}\n" + middle + "{", NewString: "y"}},
		{"two anchors, no line alike", "{\n" + apart.String() + "}\n", input{OldString: "{\n" + other.String() + "}", NewString: "y"}},
		{"long lines, nearly alike", "{\n" + alike.String() + "}\n", input{OldString: "{\n" + strings.ReplaceAll(alike.String(), "ab", "ba") + "}", NewString: "y"}},
		{"near, all alike", strings.Repeat("}\n", size/2), input{OldString: strings.Repeat("}\n", 1000) + "y\n" + strings.Repeat("}\n", 1000), NewString: "z"}},
		{"one long line", strings.Repeat("ab", size/2), input{OldString: strings.Repeat("ba", 400) + "c", NewString: "z"}},
		{"no end of quotes", strings.Repeat("\\n", size/2), input{OldString: strings.Repeat("\\n", size/4) + "\\'", NewString: "z"}},
		{"no end of line numbers", strings.Repeat("x\n", size/2), input{OldString: strings.Repeat("1→", size/16) + "y", NewString: "z"}},
		{"mixed breaks and a long last line", "a\r\nb\n" + strings.Repeat("x", size/4), input{OldString: "x", NewString: "\n", ReplaceAll: true}},
		{"mixed breaks and many blocks", "a\r\nb\n" + strings.Repeat(middle, 1+size/(4*len(middle))), input{OldString: middle, NewString: strings.ReplaceAll(middle, "x\n}", "}\nx"), ReplaceAll: true}},
	}
}

// hostileWork is the work that a search in a test may do: little, so that whatever is not
// charged stands out.
const hostileWork = maxWork / 200

func (h *hostile) search(ctx context.Context) (*search, *plan) {
	content := []byte(h.file)
	old := &change.File{Content: content, Size: int64(len(content)), Shape: change.ShapeOf(content)}
	s := newSearch(ctx, newText(content, old.Shape), newQuote(h.OldString, h.NewString))
	s.work, s.looked = hostileWork, hostileWork
	return s, &plan{path: tool.Path{Real: "/w/a"}, old: old, all: h.ReplaceAll}
}

// Whatever a file and a quote are made of, a search ends before it has cost too much.
//
// spec: KH-35
func TestHostileTextsAreSearchedInBoundedWork(t *testing.T) {
	for _, size := range []int{1 << 14, 1 << 16, 1 << 18, 1 << 20} {
		for _, h := range hostiles(size) {
			t.Run(fmt.Sprintf("%s of %d", h.name, size), func(t *testing.T) {
				s, p := h.search(t.Context())
				costsLittle(t, s, func() {
					err := p.replace(s)
					if _, told := errors.AsType[*tool.Error](err); err != nil && !told {
						t.Errorf("ended in %v", err)
					}
				})
			})
		}
	}
}

// No strategy costs too much either that has all the work of a search for itself.
//
// spec: KH-35
func TestEachStrategyIsBounded(t *testing.T) {
	for _, h := range hostiles(1 << 14) {
		for _, by := range strategies() {
			t.Run(h.name+" by "+by.name, func(t *testing.T) {
				s, _ := h.search(t.Context())
				costsLittle(t, s, func() {
					if got := by.find(s); got.count > 0 {
						s.settle(by, got.list[0])
					}
				})
			})
		}
	}
}

func costsLittle(t *testing.T, s *search, search func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	search()
	runtime.ReadMemStats(&after)
	if s.work < -1<<26 {
		t.Errorf("%d steps over", -s.work)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
		t.Errorf("took %d MiB", took>>20)
	}
}

// fleeting is a context that is cancelled when it was looked at so often.
type fleeting struct {
	context.Context
	looks int
}

func (f *fleeting) Err() error {
	if f.looks--; f.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A search that nobody wants any more ends wherever it is.
//
// spec: KH-35
func TestASearchEndsWhereverItIsCancelled(t *testing.T) {
	for _, h := range hostiles(1 << 16) {
		for looks := 0; ; looks += 1 + looks {
			ctx := &fleeting{t.Context(), looks}
			s, p := h.search(ctx)
			err := p.replace(s)
			if ctx.looks >= 0 {
				break
			}
			if !errors.Is(err, context.Canceled) || p.content != nil {
				t.Errorf("%s, cancelled at look %d: %v", h.name, looks, err)
			}
			// Who goes on looks again and again.
			if ctx.looks < -16 {
				t.Errorf("%s, cancelled at look %d: looked %d times more", h.name, looks, -ctx.looks)
			}
		}
	}
}
