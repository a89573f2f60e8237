package edit

import (
	"iter"
	"strings"
)

// multiOccurrence finds every exact place from the start on, none overlapping another.
// There can be millions, so they are found as they are needed, and none any more once
// the search is not wanted.
func multiOccurrence(s *search) iter.Seq[replacement] {
	return func(yield func(replacement) bool) {
		for at := 0; ; {
			i := strings.Index(s.text.plain[at:], s.old)
			if i < 0 {
				return
			}
			if at += i + len(s.old); !s.spend(1) {
				return
			}
			if !yield(replacement{at - len(s.old), at, s.new}) {
				return
			}
		}
	}
}
