package bash

import (
	"context"
	"errors"
	"strings"
	"time"

	"countersign/backend/bound"
	"countersign/backend/redact"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// limits are what a caller gets of the output: the first 250 and the last 150 lines of
// more than 400, in 30 KB.
var limits = tool.Bounding{MaxBytes: 30 << 10, MaxLines: 400, HeadPercent: 62, HeadLines: 250}

// echoed is how much of the command stands before its output, in bytes. The caller knows
// it, and a long one would leave no room.
const echoed = 4 << 10

// finished is a command that was waited for.
type finished struct {
	input
	limit time.Duration
	dir   tool.Path
	ran   tool.Ran
	log   tool.Log
	trust tool.Trust
}

// name is the command on a line, for eyes: what is secret of it is hidden before it is cut.
func (f finished) name() string { return running.Name(redact.Text(f.Command, "")) }

// logPath is where all of the output is kept, "" where nothing is.
func (f finished) logPath() string {
	if p := f.process(); p != nil {
		return p.LogPath
	}
	return f.log.Path()
}

// process is what goes on running, nil without anything.
func (f finished) process() *tool.Process {
	if f.ran.Moved != nil {
		return f.ran.Moved
	}
	return f.ran.Left
}

// output is what the caller gets of what was printed, with a line break at its end.
func (f finished) output() (string, *tool.Truncation) {
	o := f.ran.Output
	cut := bound.CutEnds(bound.Ends{
		Head: o.Head, Tail: o.Tail, Lines: o.Lines, Bytes: o.Bytes, MissingBytes: o.OmittedBytes,
	}, limits, f.logPath())
	text := cut.Shown
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if o.Lost > 0 {
		text += "[" + bound.Size(o.Lost) + " of the output could not be kept.]\n"
	}
	return text, cut.Truncation
}

func (f finished) echo() string {
	shown := bound.Head(f.Command, echoed)
	if len(shown) < len(f.Command) {
		shown += "… [command truncated]"
	}
	return "$ " + strings.TrimSuffix(shown, "\n") + "\n"
}

// answer tells of a command that ended.
func (f finished) answer(ctx context.Context, programs tool.Processes) tool.Result {
	output, truncation := f.output()
	code := running.Code(f.ran.Ending)
	text := f.echo() + output + f.hint(ctx, programs) + f.left()
	text += "[exit code " + code + " · " + running.Seconds(f.ran.Duration) + " · cwd " + f.dir.Shown() + "]"
	return f.result(text, truncation, "exit "+code+" · "+running.Seconds(f.ran.Duration))
}

// moved tells of a command that still runs at its limit.
func (f finished) moved() tool.Result {
	output, truncation := f.output()
	id := f.ran.Moved.ID
	text := "Command still running after " + running.Limit(f.limit) + " — moved to background as process " + id + ".\n"
	if output == "" {
		text += "No output so far.\n"
	} else {
		text += "Output so far:\n" + output
	}
	return f.result(text+running.Hint(id), truncation, id+" running")
}

func (f finished) result(text string, truncation *tool.Truncation, end string) tool.Result {
	extra := map[string]any{"cwd": f.dir.Shown()}
	if path := f.logPath(); path != "" {
		extra["log"] = path
	}
	m := tool.Metadata{
		Title: "Run " + f.name() + " · " + end, ExitCode: f.ran.Ending.Code, Truncation: truncation, Extra: extra,
	}
	if p := f.process(); p != nil {
		m.ProcessID = p.ID
		extra["status"] = string(p.Status)
	}
	if f.ran.Ending.Signal != "" {
		extra["signal"] = f.ran.Ending.Signal
	}
	return tool.Result{Content: []tool.Part{tool.TextPart(text)}, Metadata: m, Trust: f.trust}
}

// left names what the command left running.
func (f finished) left() string {
	switch {
	case f.ran.Left != nil:
		return "[Still running in the background: process " + f.ran.Left.ID + ". " + running.Hint(f.ran.Left.ID) + "]\n"
	case f.ran.Output.Held:
		return "[Something that the command left behind holds its output open; what that prints from now on is not shown.]\n"
	}
	return ""
}

// notFound is the exit code of a shell that did not find a program.
const notFound = 127

// hint names the program that may have been meant by one that was not found.
func (f finished) hint(ctx context.Context, programs tool.Processes) string {
	if f.ran.Ending.Code == nil || *f.ran.Ending.Code != notFound {
		return ""
	}
	name := missingProgram(f.ran.Output.Head + f.ran.Output.Tail)
	if name == "" {
		return ""
	}
	if meant := programs.Similar(ctx, name); meant != "" && meant != name {
		return `[Did you mean "` + tool.ShowPath(meant) + `"?]` + "\n"
	}
	return ""
}

// failure tells of a command that did not run, or that was ended. What was printed before
// is kept, and a call that was cancelled says where.
func (f finished) failure(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	code := tool.CodeCancelled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = tool.CodeTimeout
	}
	// The command was ended with all that it started, so nothing about the end is unknown.
	own := tool.Errorf(code, "the call ended while the command ran")
	own.Metadata = &tool.Metadata{Title: "Run " + f.name(), Extra: map[string]any{"cwd": f.dir.Shown()}}
	if path := f.logPath(); path != "" {
		own.Metadata.Extra["log"] = path
		own.WithText("Output so far: " + path)
	}
	return own
}
