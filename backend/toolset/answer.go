package toolset

import (
	"strings"

	"countersign/backend/bound"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// finished is a program that ran.
type finished struct {
	*external
	ran tool.ProgramRan
	log tool.Log
}

// nothing stands for an empty answer, which some callers could not be given.
const nothing = "[The program printed nothing.]"

// text is the answer of a program whose output is text.
func (f finished) text() tool.Result {
	text, truncation := f.printed(tool.Bounding{})
	notes := f.notes()
	if text == "" && notes == "" {
		text = nothing
	}
	m := f.metadata()
	m.Truncation = truncation
	return tool.Result{Content: []tool.Part{tool.TextPart(joinLines(text, notes))}, Metadata: m}
}

// printed is what the program printed, its errors behind its output, as far as limits let it.
func (f finished) printed(limits tool.Bounding) (string, *tool.Truncation) {
	cut := bound.CutEnds(both(&f.ran.Out, &f.ran.Err), limits, f.log.Path())
	return cut.Shown, cut.Truncation
}

// both are the ends of two streams that follow each other.
func both(out, err *tool.Printed) bound.Ends {
	e := bound.Ends{Lines: out.Lines + err.Lines, Bytes: out.Bytes + err.Bytes}
	switch {
	case out.OmittedBytes == 0:
		e.Head, e.MissingBytes, e.Tail = out.Head+out.Tail+err.Head, err.OmittedBytes, err.Tail
	case err.OmittedBytes == 0:
		e.Head, e.MissingBytes, e.Tail = out.Head, out.OmittedBytes, out.Tail+err.Head+err.Tail
	default:
		e.Head, e.Tail = out.Head, err.Tail
		e.MissingBytes = out.OmittedBytes + int64(len(out.Tail)+len(err.Head)) + err.OmittedBytes
	}
	return e
}

// notes say what of the output is missing, and what was left running.
func (f finished) notes() string {
	var lines []string
	if lost := f.ran.Out.Lost + f.ran.Err.Lost; lost > 0 {
		lines = append(lines, "["+bound.Size(lost)+" of the output could not be kept.]")
	}
	switch {
	case f.ran.Escaped:
		lines = append(lines, "[Something that the program started could not be ended and may run on.]")
	case (f.ran.Out.Held || f.ran.Err.Held) && !f.ran.Left:
		lines = append(lines, "[Something that is not known to be the program's holds its output open; what that prints is not shown.]")
	case f.ran.Out.Held || f.ran.Err.Held:
		lines = append(lines, "[What the program left running held its output open and was ended; its output is cut there.]")
	case f.ran.Left:
		lines = append(lines, "[What the program left running was ended.]")
	}
	return strings.Join(lines, "\n")
}

// failure is the error of a program that was ended or that failed, nil of one that did well.
func (f finished) failure() error {
	code, words := tool.Code(""), ""
	switch {
	case f.ran.Stop == tool.StopLimit:
		code, words = tool.CodeTimeout, "[Ended after "+running.Limit(f.entry.Set.Timeout)+", the time limit of its tool set.]"
	case f.ran.Stop == tool.StopInput:
		code, words = CodeInput, "[Ended because it closed its standard input before it had read all of its arguments.]"
	case f.ran.Ending.Code == nil:
		code, words = CodeExit, "[Ended by "+f.ran.Ending.Signal+".]"
		if f.ran.Ending.Signal == "" {
			words = "[How it ended is not known.]"
		}
	case *f.ran.Ending.Code != 0:
		code, words = CodeExit, "[exit code "+running.Code(f.ran.Ending)+"]"
	default:
		return nil
	}
	text, truncation := f.printed(tool.Bounding{})
	m := f.metadata()
	m.Truncation = truncation
	own := tool.Errorf(code, "the program ended with code %s", running.Code(f.ran.Ending))
	own.Metadata = &m
	return own.WithText(joinLines(text, joinLines(f.notes(), words)))
}

func (f finished) metadata() tool.Metadata {
	m := tool.Metadata{ExitCode: f.ran.Ending.Code, Extra: map[string]any{}}
	m.Title = "Run " + f.tool.Name + " · exit " + running.Code(f.ran.Ending) + " · " + running.Seconds(f.ran.Duration)
	if path := f.log.Path(); path != "" {
		m.Extra["log"] = path
	}
	if f.ran.Ending.Signal != "" {
		m.Extra["signal"] = f.ran.Ending.Signal
	}
	return m
}

// joinLines puts b on a line of its own behind a.
func joinLines(a, b string) string {
	if a != "" && b != "" && !strings.HasSuffix(a, "\n") {
		a += "\n"
	}
	return a + b
}
