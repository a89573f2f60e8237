package manifest_test

import (
	"testing"

	"countersign/backend/toolset/manifest"
)

func BenchmarkParse(b *testing.B) {
	data := []byte(list(one, two))
	for b.Loop() {
		if _, _, err := manifest.Parse("x", data); err != nil {
			b.Fatal(err)
		}
	}
}
