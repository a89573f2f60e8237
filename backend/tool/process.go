package tool

import (
	"context"
	"io"
	"time"
)

// CommandMark names the variable that every command carries which we run, and all that it
// starts.
const CommandMark = "COMMAND_TREE"

// NeedProcesses is whatever runs commands on this machine, NeedPrograms whatever runs programs
// without a shell.
const (
	NeedProcesses Need = "processes"
	NeedPrograms  Need = "programs"
)

// ProcessStatus says how a managed process stands.
type ProcessStatus string

// How a managed process can stand.
const (
	ProcessRunning ProcessStatus = "running"
	// ProcessExited ended by itself.
	ProcessExited ProcessStatus = "exited"
	// ProcessStopped was ended by its session or by a person.
	ProcessStopped ProcessStatus = "stopped"
	// ProcessFailed ended in a way that nobody saw, such as with the program that kept it.
	ProcessFailed ProcessStatus = "failed"
)

// Ended reports whether nothing of the process runs any more.
func (s ProcessStatus) Ended() bool { return s != ProcessRunning }

// Ending is how a program ended. Code is nil when a signal ended it, and Signal then has
// its name, such as SIGTERM.
type Ending struct {
	Code   *int
	Signal string
}

// Process is a managed process of a session.
type Process struct {
	// ID is the session's name for it, p1, p2 and so on; never the number of the system.
	ID string
	// PID is the system's number. It means this process only together with Birth, the
	// system's own words on its start, since numbers are given again. Birth is kept as it
	// is and read by nobody but the package that made it.
	PID   int
	Birth string
	// Command is the text that the shell was given, and Dir the absolute path it runs in.
	Command string
	Dir     string
	// Input says that it reads what Write sends; else it reads from the null device.
	Input     bool
	Status    ProcessStatus
	Ending    Ending
	StartedAt time.Time
	// EndedAt is the zero time while it runs.
	EndedAt time.Time
	// LogPath is where all it prints is kept as it was printed.
	LogPath string
	// Lines and Bytes are how much it printed so far, Lost how many bytes of it the log could
	// not keep.
	Lines, Bytes, Lost int64
}

// Usage is what a process and all that it started use now.
type Usage struct {
	// CPU is the processor time that they used so far.
	CPU time.Duration
	// Memory is what they hold in memory, in bytes.
	Memory int64
	// Processes counts them.
	Processes int
}

// Captured is what a program printed on both its streams, in the order in which it came.
// Head and Tail are legible: colours and other control sequences are taken out, and bytes
// that are not text are shown as such. They are the start and the end of one text; nothing
// lies between them when OmittedBytes is 0.
type Captured struct {
	Head, Tail string
	// Lines and Bytes count all that was printed, OmittedBytes what lies between head and tail.
	Lines, Bytes, OmittedBytes int64
	// Lost is how many bytes the log could not keep, such as on a full disk.
	Lost int64
	// Held says that something that the program left behind kept its streams open, so that
	// what that prints later is not part of this.
	Held bool
}

// RunRequest is a shell command that is waited for.
type RunRequest struct {
	Command string
	Dir     Path
	// Limit is how long it may take before it becomes a managed process.
	Limit time.Duration
	// Log gets every byte as it is printed. A managed process that the command becomes or
	// leaves goes on with it, under the name of the process, and closes it; else the caller
	// closes it.
	Log Log
	// Started makes the effect mark durable; it is called just before the command begins.
	Started func(ctx context.Context) error
	// Progress is told the last line that was printed, a few times a second.
	Progress func(text string)
}

// Ran is what came of a command that was waited for.
type Ran struct {
	Output   Captured
	Ending   Ending
	Duration time.Duration
	// Moved is the managed process that the command became at its limit; nil when it ended.
	Moved *Process
	// Left is the managed process made of all that the command left running when it ended;
	// nil when nothing was left. It goes on with the log.
	Left *Process
}

// StartRequest is a shell command that runs on by itself.
type StartRequest struct {
	Command string
	Dir     Path
	// Log opens the log of the process by its name, such as p1. The process closes it.
	Log     func(ctx context.Context, name string) (Log, error)
	Started func(ctx context.Context) error
}

// Page is a part of what a process printed, legible as in Captured.
type Page struct {
	Text string
	// First and Last are the numbers of the lines in Text, from 1; Last is First-1 when it is empty.
	First, Last int64
	// RestLines and RestBytes are how much follows that had no room, in bytes as they were
	// printed; both are 0 when nothing does.
	RestLines, RestBytes int64
	// Gone says that what the process printed is not kept any more.
	Gone    bool
	Process Process
}

// Processes runs the commands of a session, each in a process group of its own. A command
// that is waited for reads from the null device, also once it became a managed process; one
// that was started reads what is written to it. Methods return a *Error with a code, or a
// context error. What was started ends with the session.
type Processes interface {
	// Run runs a command until it ends, its limit comes or ctx ends. When ctx ends the whole
	// tree of the command is ended first; the output so far comes with the error of ctx.
	// A command that cannot begin is CodeSpawn, with its reason in Content.
	Run(ctx context.Context, r RunRequest) (Ran, error)
	// Start begins a command and returns once it runs. The end of ctx does not end it.
	Start(ctx context.Context, r StartRequest) (Process, error)
	// List returns the session's processes in the order of their start.
	List() []Process
	// Read returns what a process printed since the last read and moves on behind it, or from
	// line from on when that is at least 1, at most 300 lines and 20 KB. When there is nothing
	// it waits up to wait for something to come, and then until no more comes for a moment.
	// A process that ended can be read too. A session without such a process is CodeNoProcess.
	Read(ctx context.Context, id string, from int64, wait time.Duration) (Page, error)
	// Write sends text to the process and returns once all of it was taken. A process that
	// ended is CodeEnded; one that reads from the null device is CodeNoInput; one that stopped
	// reading in the middle is CodeNotTaken, whose Content says how much was taken.
	Write(ctx context.Context, id string, text string) error
	// Stop ends a process and all it started: asked first, and after 3 s by force. One that
	// ended already is returned as it ended.
	Stop(ctx context.Context, id string) (Process, error)
	// Usage returns what a process and all it started use now; false when that is not known.
	Usage(id string) (Usage, bool)
	// Similar returns the name of a program on the search path that is spelt like name, for
	// a command that was not found; "" when there is none.
	Similar(ctx context.Context, name string) string
}

// The codes of processes.
const (
	CodeSpawn     Code = "tool.internal.spawn"
	CodeNoProcess Code = "tool.not_found.process"
	CodeEnded     Code = "tool.invalid_arguments.process_ended"
	CodeNoInput   Code = "tool.invalid_arguments.process_no_input"
	CodeNotTaken  Code = "tool.invalid_arguments.process_not_reading"
)

// Log is a text in the output store that grows. Writing never fails and never waits for
// anything but the disk: what cannot be kept is counted as lost, and where it is missing the
// text says so. It is safe for concurrent use.
type Log interface {
	// Write keeps a chunk with one system call. It returns its whole length and no error.
	io.Writer
	// ReadAt reads what was kept; also after Close.
	io.ReaderAt
	// Path is the absolute path that read and grep can open, under the newest name; "" once
	// the text was removed because it is empty.
	Path() string
	// Size is how many bytes the text has so far.
	Size() int64
	// Lost is how many bytes could not be kept.
	Lost() int64
	// Rename gives the text another plain name in the same session. A name that is taken
	// gets a number; no other text is ever replaced.
	Rename(name string) error
	// Close ends the text; what is written after it is lost. A second Close does nothing.
	Close() error
}
