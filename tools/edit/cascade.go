package edit

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// strategy is one way to find a quoted text.
type strategy struct {
	// name is what the strategy is called, words what a result says of it.
	name, words string
	find        func(*search) places
	// fit says what of the new text takes the place's place; nil takes it as it is.
	fit func(*search, place, string) (start, end int, text string)
	// rewrite, if given, is done to the new text first.
	rewrite func(string) string
	// guarded refuses a place that is out of proportion to the quote.
	guarded bool
}

// strategies are the ways in which one place is found, in the order in which they are
// tried: a near-exact match never loses to a fuzzy one.
func strategies() []strategy {
	return []strategy{
		{name: "exact", words: "matched exactly", find: exact},
		{name: "line_trimmed", words: "matched with line trimming", find: lineTrimmed, fit: fitLines},
		{name: "whitespace_normalized", words: "matched with whitespace normalization", find: whitespaceNormalized, fit: fitCore},
		{name: "indentation_flexible", words: "matched with indentation flexibility", find: indentationFlexible, fit: fitLines},
		{name: "escape_normalized", words: "matched with escape normalization", find: escapeNormalized, rewrite: unescape},
		{name: "trimmed_boundary", words: "matched with boundary trimming", find: trimmedBoundary, fit: fitCore},
		{name: "block_anchor", words: "matched with block anchors", find: blockAnchor, fit: fitLines, guarded: true},
		{name: "context_aware", words: "matched with context awareness", find: contextAware, fit: fitLines, guarded: true},
	}
}

// everywhere is the way in which every place is found, for replace_all alone.
const everywhere = "multi_occurrence"

// search is one quote on its way through a file.
type search struct {
	ctx  context.Context
	text *text
	quote
	// work is what the search may still do, in steps of comparing; looked is what it was
	// when somebody last looked whether the search is still wanted.
	work, looked int
	// same are the numbers of the lines, made once for all strategies; nil before.
	same *sameLines
	// equal are the places whose lines equal those of the quote but for their outer
	// white space, found once for all strategies; nil before.
	equal *equalLines
}

// maxWork bounds a search, in steps of comparing: a second or so. The hardest of real
// files take a tenth of it.
const maxWork = 300_000_000

func newSearch(ctx context.Context, t *text, q quote) *search {
	return &search{ctx: ctx, text: t, quote: q, work: maxWork, looked: maxWork}
}

// replacement is a place in the plain text with what takes its place.
type replacement struct {
	start, end int
	text       string
}

// found is what a search has found: how, how often, and what is replaced by what, from
// the start of the file to its end.
type found struct {
	by    strategy
	count int
	each  iter.Seq[replacement]
}

// How a search fails. Each error of these is for this package alone.
var errNotFound = errors.New("not found")

type ambiguousError struct {
	by     strategy
	places places
}

func (*ambiguousError) Error() string { return "found more than once" }

type disproportionateError struct {
	by    strategy
	place replacement
}

func (*disproportionateError) Error() string { return "found out of proportion" }

// one finds the one place that the quote means.
func (s *search) one() (found, error) {
	for _, by := range strategies() {
		got := by.find(s)
		if err := s.ctx.Err(); err != nil {
			return found{}, err
		}
		switch {
		case got.count == 0:
			continue
		case got.count > 1:
			return found{}, &ambiguousError{by, got}
		}
		r := s.settle(by, got.list[0])
		if err := s.ctx.Err(); err != nil {
			return found{}, err
		}
		if by.guarded && s.outOfProportion(r) {
			return found{}, &disproportionateError{by, r}
		}
		return found{by, 1, slices.Values([]replacement{r})}, nil
	}
	return found{}, errNotFound
}

// all finds every exact place. The fuzzy ways never change more than one.
func (s *search) all() (found, error) {
	out := found{by: strategy{name: everywhere}, each: multiOccurrence(s)}
	for range out.each {
		out.count++
	}
	if err := s.ctx.Err(); err != nil {
		return found{}, err
	}
	if out.count == 0 {
		return found{}, errNotFound
	}
	return out, nil
}

// settle says which bytes a place takes and what they become: the new text with the
// indentation of the file.
func (s *search) settle(by strategy, p place) replacement {
	text := s.new
	if by.rewrite != nil {
		text = by.rewrite(text)
	}
	r := replacement{p.start, p.end, text}
	if by.fit != nil {
		r.start, r.end, r.text = by.fit(s, p, text)
	}
	return r
}

// outOfProportion reports whether a place is so much longer than the quote that the
// quote says too little about it.
func (s *search) outOfProportion(r replacement) bool {
	quoted := characters(s.old)
	return characters(s.text.plain[r.start:r.end]) > max(3*quoted, quoted+1000)
}

// spend takes steps off what the search may do and reports whether that was there. Every
// loop that can be longer than the file and the quote together spends.
func (s *search) spend(steps int) bool {
	s.work -= steps
	if s.looked-s.work > lookEvery {
		s.looked = s.work
		if s.ctx.Err() != nil {
			s.work = -1
		}
	}
	return s.work >= 0
}

// lookEvery is how much is done between two looks at whether the search is wanted.
const lookEvery = 1 << 16
