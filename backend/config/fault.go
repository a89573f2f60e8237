package config

import "errors"

// ErrUnwritten means that config.json could not be replaced. The settings from before
// stay in force.
var ErrUnwritten = errors.New("config.json could not be written")

// Fault says what is wrong with config.json, or with a value that was meant for it.
type Fault struct {
	// Key is the setting that is meant, "" for the file as a whole.
	Key string
	// Words say it to the person, without a full stop. They repeat no value.
	Words string
	cause error
}

// Error returns the words after the name of the file.
func (f *Fault) Error() string { return "config.json: " + f.Words }

// Unwrap returns what the operating system or the reader said.
func (f *Fault) Unwrap() error { return f.cause }

// ErrBroken means that config.json was changed by hand and cannot be used any more. The
// settings from before stay in force.
var ErrBroken = errors.New("config.json cannot be used")
