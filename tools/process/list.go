package process

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"countersign/backend/bound"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// list shows the processes: those that run, and then those that ended, each in the order
// of their start.
func (in input) list(env tool.Env) tool.Result {
	all := slices.Clone(env.Host.Processes.List())
	slices.SortStableFunc(all, func(a, b tool.Process) int { return rank(a) - rank(b) })
	var text strings.Builder
	text.WriteString("PROCESSES\n")
	active, widest, id := 0, 0, 0
	for _, p := range all {
		active += 1 - rank(p)
		id = max(id, len(p.ID))
		widest = max(widest, utf8.RuneCountInString(running.Name(p.Command)))
	}
	for i, p := range all {
		if i == listed {
			text.WriteString("... and " + bound.Count(int64(len(all)-listed)) + " more that ended\n")
			break
		}
		name := running.Name(p.Command)
		row := p.ID + strings.Repeat(" ", id-len(p.ID)) + "  " + name + strings.Repeat(" ", widest-utf8.RuneCountInString(name)) + "  " + standing(p, env)
		text.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	words := strings.TrimSuffix(text.String(), "\n")
	if len(all) == 0 {
		words = "No processes in this session."
	}
	return tool.Result{
		Content: []tool.Part{tool.TextPart(words)},
		Metadata: tool.Metadata{
			Title: "Process list · " + strconv.Itoa(active) + " running", Extra: map[string]any{"action": list, "running": active},
		},
	}
}

// listed is how many processes a list shows.
const listed = 100

func rank(p tool.Process) int {
	if p.Status.Ended() {
		return 1
	}
	return 0
}

func standing(p tool.Process, env tool.Env) string {
	status := string(p.Status) + strings.Repeat(" ", max(0, len(tool.ProcessRunning)-len(p.Status)))
	switch p.Status {
	case tool.ProcessRunning:
		return status + "  " + running.Age(running.AgeOf(p, env.Host.Clock.Now())) + "  pid " + number(int64(p.PID))
	case tool.ProcessExited, tool.ProcessStopped:
		return status + "  code " + running.Code(p.Ending)
	case tool.ProcessFailed:
	}
	return status
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
