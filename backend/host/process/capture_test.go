//go:build linux

package process

import (
	"strings"
	"sync"
	"testing"

	"countersign/backend/tool"
)

// unkept is a log that keeps nothing.
type unkept struct{ tool.Log }

func (unkept) Write(p []byte) (int, error) { return len(p), nil }
func (unkept) Lost() int64                 { return 0 }

func TestTheStartIsKeptAsFarAsItIsWanted(t *testing.T) {
	text := strings.Repeat("\u00e9", tool.CaptureChars+1)
	for capture, want := range map[int]string{0: text[:2*tool.CaptureChars], 5: text[:5], 1 << 20: text} {
		b := &branch{Log: unkept{}, capture: capture, one: &sync.Mutex{}}
		for chunk := []byte(text); len(chunk) > 0; chunk = chunk[min(len(chunk), 40_001):] {
			if _, err := b.Write(chunk[:min(len(chunk), 40_001)]); err != nil {
				t.Fatal(err)
			}
		}
		if got := string(b.printed()); got != want {
			t.Errorf("%d: %d bytes, want %d", capture, len(got), len(want))
		}
	}
}
