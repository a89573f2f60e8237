package shellcmd

import (
	"strings"
	"testing"
)

// BenchmarkRead reads a pipeline of twenty commands, as agents write them.
func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("git log --oneline -5 | grep -v 'merge of' | sort -u | head -n 20 | ", 5)
	text = strings.TrimSuffix(text, " | ")
	if got := Read(text, place); len(got.Commands) != 20 || got.Dynamic {
		b.Fatal(got.Why, len(got.Commands))
	}
	b.ReportAllocs()
	for b.Loop() {
		Read(text, place)
	}
}
