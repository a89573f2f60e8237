package main

import (
	"errors"

	"countersign/backend/tool"
)

// The exit codes.
const (
	exitOK        = 0
	exitUsage     = 1
	exitFailed    = 2
	exitDenied    = 4
	exitCancelled = 5
)

// exitOf is the exit code of a call that ended.
func exitOf(s tool.Status) int {
	switch s {
	case tool.StatusSucceeded:
		return exitOK
	case tool.StatusDenied:
		return exitDenied
	case tool.StatusCancelled:
		return exitCancelled
	case tool.StatusFailed, tool.StatusUnavailable, tool.StatusUncertain:
		return exitFailed
	}
	return exitFailed
}

// worst is the exit code of several calls: the first of cancelled, failed and denied
// that one of them had.
func worst(a, b int) int {
	for _, code := range []int{exitCancelled, exitFailed, exitDenied} {
		if a == code || b == code {
			return code
		}
	}
	return exitOK
}

// exit ends the program with a code; what there was to say is printed already, or is
// the sentence.
type exit struct {
	code     int
	sentence string
	// cause is the error behind it, for a command that may still do without.
	cause error
}

// Error returns the sentence.
func (e *exit) Error() string { return e.sentence }

// Unwrap returns the cause.
func (e *exit) Unwrap() error { return e.cause }

// quiet ends with a code and nothing more to say; nil for success.
func quiet(code int) error {
	if code == exitOK {
		return nil
	}
	return &exit{code: code}
}

// refusal ends with a sentence: usage or configuration is not right.
func refusal(sentence string) error { return &exit{code: exitUsage, sentence: sentence} }

// endOf is the exit code and the sentence of an error. What is not an exit of ours comes
// from reading the command line.
func endOf(err error) (code int, sentence string) {
	if err == nil {
		return exitOK, ""
	}
	if e, ok := errors.AsType[*exit](err); ok {
		return e.code, e.sentence
	}
	return exitUsage, err.Error()
}
