package spill

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName bounds a part of a file name, in bytes, so that a whole name stays far
// below what file systems take.
const maxName = 80

// safe makes a part of a file name out of a text that a caller chose. Letters,
// digits, dots, dashes and underscores stay; a text that has anything else, is
// long, or starts with a dot gets a piece of its hash behind what is left of it,
// so that two texts never make one name.
func safe(text string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, text)
	if kept == text && text != "" && len(text) <= maxName && text[0] != '.' {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	kept = strings.TrimLeft(kept, ".")
	return kept[:min(len(kept), maxName)] + "~" + hex.EncodeToString(sum[:6])
}
