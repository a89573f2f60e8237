package redact

import "strings"

// set is a set of bytes.
type set struct {
	has [256]bool
	id  int
}

// setCount is how many sets there are.
const setCount = 7

const (
	small  = "abcdefghijklmnopqrstuvwxyz"
	big    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
)

var (
	// alnum are the bytes of words, names those of names that hold several words.
	alnum = setOf(0, small+big+digits)
	name  = setOf(1, small+big+digits+"_-")
	// dotted, opaque and upper are the bytes of which tokens are made.
	dotted = setOf(2, small+big+digits+"_-.")
	opaque = setOf(3, small+big+digits+"_-+/=.~")
	upper  = setOf(4, big+digits)
	// base64Set are the bytes of base64, base64URL with those of its form for addresses.
	base64Set = setOf(5, small+big+digits+"+/=")
	base64URL = setOf(6, small+big+digits+"+/=-_")
)

func setOf(id int, bytes string) *set {
	s := &set{id: id}
	for i := range s.has {
		s.has[i] = strings.IndexByte(bytes, byte(i)) >= 0
	}
	return s
}

// threes is a set of three bytes, with small and big letters as the same. It tells quickly
// what cannot be in it.
type threes [1 << 12]byte

func index3(text string) int {
	return int(text[0]&31)<<10 | int(text[1]&31)<<5 | int(text[2]&31)
}

func (t *threes) add(text string) { t[index3(text)>>3] |= 1 << (index3(text) & 7) }

func (t *threes) has(text string) bool { return t[index3(text)>>3]&(1<<(index3(text)&7)) != 0 }

// all reports whether a text consists of bytes of a set.
func all(text string, of *set) bool {
	for i := range len(text) {
		if !of.has[text[i]] {
			return false
		}
	}
	return true
}
