package edit

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// spec: KH-34
func TestTheBestBlockOfABigFileTakesLittleWork(t *testing.T) {
	files := bigFiles()
	// What every block of the allowed lengths would take, pair by pair: some billions.
	for _, row := range []struct {
		name                  string
		work, compared, tried int
	}{
		{"typical", 10_000, 10, 1},
		{"unlike", 3_000_000, 40, 1},
		{"alike", 20_000_000, 130_000, 1300},
		{"crowded", 3_000_000, 200, 60},
		{"two", 20_000_000, 200, 15_000},
	} {
		for _, f := range files {
			if f.name != row.name {
				continue
			}
			s := searchOf(t, f.file, f.old, "x")
			a, ok := s.anchored()
			if !ok {
				t.Fatal("no anchors")
			}
			b := newBlocks(s, a)
			winners, more := b.best(score{65 * unit, 100}, -1)
			if len(winners) != 1 || more {
				t.Errorf("%s: %d winners", row.name, len(winners))
			}
			if spent := maxWork - s.work; spent > row.work || b.pairs.compared > row.compared || b.tried > row.tried {
				t.Errorf("%s: %d steps, %d pairs compared, %d blocks tried", row.name, spent, b.pairs.compared, b.tried)
			}
		}
	}
}

// spec: KH-34
func TestASearchThatWouldNotEndFindsNothing(t *testing.T) {
	long := strings.Repeat("ab", 500)
	var file strings.Builder
	for i := range 3000 {
		file.WriteString("{\n" + long[:i%900] + "x" + long[i%900:] + "\n}\n")
	}
	s := searchOf(t, file.String(), "{\n"+strings.ReplaceAll(long, "a", "c")+"\n}", "q")
	s.work, s.looked = 100_000, 100_000
	if got := blockAnchor(s); got.count != 0 {
		t.Errorf("found %d", got.count)
	}
	// Nor does one that is not wanted any more.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s = searchOf(t, file.String(), "{\nq\n}", "q")
	s.ctx = ctx
	if _, err := s.one(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// spec: KH-35
func TestRepetitionMakesNothingSlow(t *testing.T) {
	for _, row := range []struct {
		name, file, old string
		count           int
	}{
		{"one character", strings.Repeat("a", 1<<20), strings.Repeat("a", 1<<19), 1<<19 + 1},
		{"all but the last", strings.Repeat("a", 1<<20), strings.Repeat("a", 1<<19) + "b", 0},
		{"lines", strings.Repeat("a \n", 1<<16), strings.Repeat("a\n", 1<<15), 1<<15 + 1},
		{"white space", strings.Repeat("a  b\t", 1<<16), strings.Repeat("a b ", 1<<15), 1<<15 + 1},
		{"anchors", strings.Repeat("{\nabcd\n}\n", 1<<14), "{\nabce\n}", maxPlaces},
	} {
		_, err := searchOf(t, row.file, row.old, "x").one()
		two, ok := errors.AsType[*ambiguousError](err)
		switch {
		case row.count == 0 && !errors.Is(err, errNotFound):
			t.Errorf("%s: %v", row.name, err)
		case row.count > 0 && (!ok || two.places.count != row.count):
			t.Errorf("%s: %v", row.name, err)
		}
	}
}
