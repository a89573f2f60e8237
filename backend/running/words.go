package running

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"countersign/backend/tool"
)

// nameChars is how much of a command stands on a line with other things, in characters.
const nameChars = 60

// Name is a command on a line: what does not print is escaped, and the rest of a long one
// is left out.
func Name(command string) string {
	shown := tool.ShowPath(strings.TrimSpace(command))
	if r := []rune(shown); len(r) > nameChars {
		shown = string(r[:nameChars]) + "…"
	}
	return shown
}

// Code is the exit code of a program in words, null with the signal where there is none.
func Code(e tool.Ending) string {
	switch {
	case e.Code != nil:
		return strconv.Itoa(*e.Code)
	case e.Signal != "":
		return "null (" + e.Signal + ")"
	}
	return "null"
}

// Ended says how a process ended, as the end of a sentence about it.
func Ended(p tool.Process) string {
	switch p.Status {
	case tool.ProcessRunning:
		return "is still running"
	case tool.ProcessExited:
		return "exited with code " + Code(p.Ending)
	case tool.ProcessStopped:
		return "was stopped with exit code " + Code(p.Ending)
	case tool.ProcessFailed:
		return "ended with the program that kept it, so that its exit code is not known"
	}
	return "ended"
}

// Seconds is a length of time with one decimal: "3.2s".
func Seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s" }

// Limit is a length of time as it was given: "120s", "1.5s".
func Limit(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s" }

// Age is a length of time as on a watch: "04:32", "1:04:32".
func Age(d time.Duration) string {
	all := int64(max(d, 0).Seconds())
	text := fmt.Sprintf("%02d:%02d", all/60%60, all%60)
	if hours := all / 3600; hours > 0 {
		text = strconv.FormatInt(hours, 10) + ":" + text
	}
	return text
}

// AgeOf is how long a process has run, or ran.
func AgeOf(p tool.Process, now time.Time) time.Duration {
	if p.Status.Ended() {
		now = p.EndedAt
	}
	return now.Sub(p.StartedAt)
}

// Hint tells a model how to go on with a process.
func Hint(id string) string {
	return `Use process {"action":"read","id":"` + id + `"} to see new output, or {"action":"stop","id":"` + id + `"} to stop it.`
}
