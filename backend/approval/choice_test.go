package approval_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/tool"
)

// cardOf opens a card whose diffs have so many changes each, and whose caller left.
func cardOf(changes ...int) (*approval.Desk, string) {
	d := approval.NewDesk(approvaltest.NewLedger(), now{}, &ids{})
	r := request()
	for _, n := range changes {
		r.Diffs = append(r.Diffs, tool.FileDiff{Unified: strings.Repeat("x", n), Changes: n})
	}
	ctx, cancel := context.WithCancel(context.Background())
	var card string
	_, _ = d.Ask(ctx, r, approval.Hooks{Waiting: func(r approval.Request) { card = r.ID; cancel() }})
	return d, card
}

func TestChoiceIsTakenOnlyAsTheCardShowsIt(t *testing.T) {
	const other, nothing, long = "The choice is not", "Every change is left out", "Some changes are left out"
	for _, c := range []struct {
		name       string
		changes    []int
		keep       [][]int
		resolution approval.Resolution
		want       [][]int
		refused    string
	}{
		{name: "one of two", changes: []int{2}, keep: [][]int{{1}}, want: [][]int{{1}}},
		{name: "all of them is no choice", changes: []int{2}, keep: [][]int{{0, 1}}},
		{name: "all of them for the session", changes: []int{2}, keep: [][]int{{0, 1}}, resolution: approval.AllowSession, refused: "Nothing was chosen"},
		{name: "nothing said", changes: []int{2}, keep: [][]int{}},
		{name: "none", changes: []int{2}, keep: [][]int{{}}, refused: nothing},
		{name: "the only one", changes: []int{1}, keep: [][]int{{}}, refused: nothing},
		{name: "one that is not there", changes: []int{2}, keep: [][]int{{2}}, refused: other},
		{name: "one below", changes: []int{2}, keep: [][]int{{-1}}, refused: other},
		{name: "one twice", changes: []int{3}, keep: [][]int{{1, 1}}, refused: other},
		{name: "not in order", changes: []int{3}, keep: [][]int{{1, 0}}, refused: other},
		{name: "a file too many", changes: []int{2}, keep: [][]int{{0}, {0}}, refused: other},
		{name: "a file too few", changes: []int{2, 1}, keep: [][]int{{0}}, refused: other},
		{name: "no choice offered", changes: []int{0}, keep: [][]int{{0}}, refused: other},
		{name: "none offered for one file", changes: []int{2, 0}, keep: [][]int{{0}, {}}, refused: other},
		{name: "nothing of one file", changes: []int{2, 1}, keep: [][]int{{0, 1}, {}}, want: [][]int{{0, 1}, {}}},
		{name: "for the session", changes: []int{2}, keep: [][]int{{1}}, resolution: approval.AllowSession, refused: long},
		{name: "for the workspace", changes: []int{2}, keep: [][]int{{1}}, resolution: approval.AllowWorkspace, refused: long},
		{name: "a denial", changes: []int{2}, keep: [][]int{{7}}, resolution: approval.Deny},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, card := cardOf(c.changes...)
			if c.resolution == "" {
				c.resolution = approval.AllowOnce
			}
			got, err := d.Answer(t.Context(), card, approval.Answer{Resolution: c.resolution, Keep: c.keep, ArgumentsHash: "h"})
			if err != nil {
				t.Fatal(err)
			}
			if refused := got.Outcome == approval.OutcomeRefused; refused != (c.refused != "") {
				t.Fatalf("%s, %q", got.Outcome, got.Words)
			}
			if c.refused != "" {
				if got.Request.Status != approval.StatusPending || c.resolution == approval.AllowOnce && !strings.HasPrefix(got.Words, c.refused) {
					t.Errorf("the card is %s: %q", got.Request.Status, got.Words)
				}
				return
			}
			if d := cmp.Diff(c.want, got.Request.Keep); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAnotherChoiceIsAnotherAnswer(t *testing.T) {
	d, card := cardOf(3)
	answer := func(keep ...int) approval.Outcome {
		got, err := d.Answer(t.Context(), card, approval.Answer{Resolution: approval.AllowOnce, Keep: [][]int{keep}, ArgumentsHash: "h"})
		if err != nil {
			t.Fatal(err)
		}
		return got.Outcome
	}
	if got := answer(0, 2); got != approval.OutcomeKept {
		t.Fatalf("the first answer: %s", got)
	}
	for _, c := range []struct {
		keep []int
		want approval.Outcome
	}{
		{[]int{0, 2}, approval.OutcomeSame}, {[]int{0}, approval.OutcomeConflict}, {[]int{0, 1, 2}, approval.OutcomeConflict},
		{[]int{}, approval.OutcomeConflict}, {[]int{9}, approval.OutcomeConflict},
	} {
		if got := answer(c.keep...); got != c.want {
			t.Errorf("%v: %s, want %s", c.keep, got, c.want)
		}
	}
}

// Whatever is chosen is stored as it is, or refused; it never becomes another choice.
func TestChoiceIsStoredAsItWasMade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(t, "changes")
		keep, kept, all := make([][]int, len(changes)), 0, 0
		for i, n := range changes {
			for at := range n {
				if rapid.Bool().Draw(t, "kept") {
					keep[i], kept = append(keep[i], at), kept+1
				}
			}
			all += n
		}
		d, card := cardOf(changes...)
		got, err := d.Answer(context.Background(), card, approval.Answer{Resolution: approval.AllowOnce, Keep: keep, ArgumentsHash: "h"})
		if err != nil {
			t.Fatal(err)
		}
		q := got.Request
		switch {
		case kept == 0:
			if got.Outcome != approval.OutcomeRefused || q.Status != approval.StatusPending {
				t.Fatalf("nothing was kept: %s, %s", got.Outcome, q.Status)
			}
		case kept == all:
			if n, of := q.KeptOf(); q.Keep != nil || q.Kept() != nil || n != 0 || of != 0 {
				t.Fatalf("all were kept: %v", q.Keep)
			}
		default:
			n, of := q.KeptOf()
			if n != kept || of != all || !slices.EqualFunc(q.Keep, keep, slices.Equal) || len(q.Kept()) != len(changes) {
				t.Fatalf("%d of %d: %v", n, of, q.Keep)
			}
		}
	})
}
