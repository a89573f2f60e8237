package desk

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"countersign/backend"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// Refusal is why a program cannot start, in words for the person who started it.
type Refusal struct {
	// Words are a sentence with a next step.
	Words string
	// Cause is the error behind it, nil without one.
	Cause error
}

// Error returns the words.
func (r *Refusal) Error() string { return r.Words }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

func refuse(words string, cause error) error { return &Refusal{words, cause} }

// StoreWords says an error of the store to the person, "" for any other error.
func StoreWords(err error) string {
	if e, ok := errors.AsType[*tool.Error](err); ok && e.Code == tool.CodeStorageUnavailable {
		return store.Words(err)
	}
	return ""
}

// Sentence says an error to the person: in the store's words where it is about the
// store, in our own where it is about the workspace, else as it is, as a sentence.
func Sentence(err error) string {
	if words := StoreWords(err); words != "" {
		return words
	}
	if errors.Is(err, backend.ErrNoWorkspace) {
		return noWorkspace
	}
	text := Visible(err.Error())
	// The name of a file stays as it is.
	if word, _, _ := strings.Cut(text, " "); !strings.Contains(word, ".") {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
