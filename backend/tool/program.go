package tool

import (
	"context"
	"time"
)

// CaptureChars is how much is kept of what a program prints on one stream, as it was printed, for
// those who read it as data. In characters; a byte that begins none counts as one.
const CaptureChars = 100_000

// ProgramRequest is a program that is started without a shell and waited for.
type ProgramRequest struct {
	// Argv is the argument vector; it begins with the absolute path of the program.
	Argv []string
	// Dir is the absolute path of the directory it runs in.
	Dir string
	// Environ are variables, NAME=value, that it gets beside those that it inherits, of which
	// it gets none whose name begins with Without.
	Environ []string
	Without string
	// Input is written to its standard input, which is then closed; nil is nothing to read.
	Input []byte
	// Limit is how long all of it may take: writing the input, the program, and reading what it
	// prints; 0 sets no limit. It counts from the start of the program.
	Limit time.Duration
	// Capture is how many bytes of each stream are kept as they were printed, where that is not
	// CaptureChars characters.
	Capture int
	// Log gets every byte of both streams in the order in which they come. The caller closes it.
	Log Log
	// Started makes the effect mark durable; it is called just before the program begins.
	Started func(ctx context.Context) error
	// Progress is told the last line that was printed, a few times a second; nil tells nobody.
	Progress func(text string)
}

// Printed is what a program printed on one of its streams.
type Printed struct {
	Captured
	// Start is its start as it was printed, as much as is captured.
	Start []byte
}

// Whole reports whether Start is all that was printed.
func (p *Printed) Whole() bool { return int64(len(p.Start)) == p.Bytes }

// ProgramStop says why a program was ended by force.
type ProgramStop string

// Why a program can be ended.
const (
	// StopLimit is the end of its time.
	StopLimit ProgramStop = "limit"
	// StopInput is an input that it did not take: it closed it and ran on.
	StopInput ProgramStop = "input"
)

// ProgramRan is what came of a program. Nothing of it runs any more.
type ProgramRan struct {
	// Out is its standard output, Err its standard error. Held in them says that something that
	// it left running held the stream open, so that what that prints later is cut.
	Out, Err Printed
	Ending   Ending
	Duration time.Duration
	// Stop is "" for one that ended by itself.
	Stop ProgramStop
	// Left says that it left something running, which was ended; Escaped that something of it
	// could not be ended, such as what belongs to another user.
	Left, Escaped bool
}

// Programs runs programs without a shell, each in a process group of its own. All that a program
// started has ended when its call returns.
type Programs interface {
	// RunProgram runs a program until it ends, its limit comes or ctx ends. It returns the error
	// of ctx with what was printed so far; CodeSpawn, with its reason in Content, for a program
	// that cannot begin; else nil: a program that failed is one that ran.
	RunProgram(ctx context.Context, r ProgramRequest) (ProgramRan, error)
}
