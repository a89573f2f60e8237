package connect

import (
	"reflect"
	"slices"
	"strings"
)

// rule says when a value that an entry has is good enough.
type rule int

const (
	// exact: the value itself.
	exact rule = iota
	// atLeast: a number that is no smaller. Who waits longer may.
	atLeast
	// line: a command line that starts the same and only binds itself further.
	line
	// implied: the value itself, or nothing, which means the same.
	implied
	// unlessSet: nothing is written, but a value that is there must be this one.
	unlessSet
)

// field is one key of an entry. Its value is a string, an int64, a bool or a []string.
type field struct {
	key   string
	value any
	rule  rule
}

// satisfied reports whether an entry needs no change for the field. have is nil where the
// key is missing; numbers are int64 or float64, lists []any.
func (f field) satisfied(have any) bool {
	switch f.rule {
	case atLeast:
		want, _ := f.value.(int64)
		switch n := have.(type) {
		case int64:
			return n >= want
		case float64:
			return n >= float64(want)
		}
		return false
	case implied, unlessSet:
		return have == nil || reflect.DeepEqual(have, f.value)
	case line:
		words, ok := wordsOf(have)
		want, _ := f.value.([]string)
		rest, _ := bounds(words)
		return ok && slices.Equal(rest, want)
	case exact:
	}
	if want, ok := f.value.([]string); ok {
		words, ok := wordsOf(have)
		return ok && slices.Equal(words, want)
	}
	return reflect.DeepEqual(have, f.value)
}

// wanted is the value to write where have stood: a command line keeps the bounds that the
// person has set there.
func (f field) wanted(have any) any {
	if f.rule != line {
		return f.value
	}
	words, _ := wordsOf(have)
	_, kept := bounds(words)
	want, _ := f.value.([]string)
	return slices.Concat(want, kept)
}

func wordsOf(have any) (words []string, ok bool) {
	list, ok := have.([]any)
	for _, v := range list {
		word, isText := v.(string)
		if !isText {
			return nil, false
		}
		words = append(words, word)
	}
	return words, ok
}

// bounds takes the flags of countersign mcp that only tighten out of a command line.
func bounds(words []string) (rest, kept []string) {
	for i := 0; i < len(words); i++ {
		name, _, joined := strings.Cut(words[i], "=")
		switch {
		case words[i] == "--read-only", joined && slices.Contains([]string{"--sets", "--preset", "--catalog", "--read-only"}, name):
			kept = append(kept, words[i])
		case slices.Contains([]string{"--sets", "--preset", "--catalog"}, words[i]) && i+1 < len(words):
			kept = append(kept, words[i], words[i+1])
			i++
		default:
			rest = append(rest, words[i])
		}
	}
	return rest, kept
}
