package change_test

import (
	"strings"
	"testing"

	"countersign/backend/change"
	"countersign/backend/change/changebench"
)

// BenchmarkBetween reads a text of 50,000 lines and draws 5,000 edits of it.
func BenchmarkBetween(b *testing.B) {
	before, after := changebench.Texts()
	b.ReportAllocs()
	for b.Loop() {
		old, err := change.Scan(b.Context(), strings.NewReader(before), 1<<30)
		if err != nil {
			b.Fatal(err)
		}
		change.Between("f", &old, []byte(after))
	}
}
