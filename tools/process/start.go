package process

import (
	"context"
	"strings"
	"time"

	"countersign/backend/running"
	"countersign/backend/tool"
)

// How long the first output of a process is waited for, and the answer to a text.
const (
	firstWait  = 2 * time.Second
	answerWait = 500 * time.Millisecond
)

// start runs a command in the background.
func (in input) start(ctx context.Context, env tool.Env) (tool.Result, error) {
	dir, err := env.Host.Files.Resolve(".")
	if err != nil {
		return tool.Result{}, err
	}
	p, err := env.Host.Processes.Start(ctx, tool.StartRequest{
		Command: in.Command, Dir: dir, Log: running.NamedLog(env.Host.Output), Started: env.EffectStarts,
	})
	if err != nil {
		return tool.Result{}, err
	}
	// It runs, so the call has its result whether or not anybody waits for its words.
	first, err := env.Host.Processes.Read(context.WithoutCancel(ctx), p.ID, 0, firstWait)
	if err != nil {
		return tool.Result{}, err
	}
	p = first.Process
	name := running.Name(p.Command)
	output, truncation := shown(first)
	var text string
	switch {
	case p.Status.Ended():
		if output == "" {
			output = "No output.\n"
		}
		text = "Process " + p.ID + " " + ended(p) + ": " + name + "\n" + output + strings.TrimSpace(logWords(p))
	default:
		text = "Started " + p.ID + " (pid " + number(int64(p.PID)) + "): " + name + "\n" +
			"cwd " + tool.ShowPath(p.Dir) + place(p) + "\n"
		if output == "" {
			text += "No output yet (waited " + running.Limit(firstWait) + ").\n"
		} else {
			text += "First output (waited up to " + running.Limit(firstWait) + "):\n" + output
		}
		text += `Use process {"action":"read","id":"` + p.ID + `"} for new output.`
	}
	res := in.result(text, "Process start "+name+" · "+p.ID+" "+string(p.Status), p)
	res.Metadata.Truncation = truncation
	return res, nil
}

// ended says how a process ended that was only just started.
func ended(p tool.Process) string {
	if p.Status == tool.ProcessExited {
		return "exited immediately with code " + running.Code(p.Ending)
	}
	return running.Ended(p)
}

func place(p tool.Process) string {
	if p.LogPath == "" {
		return " · its output could not be kept"
	}
	return " · log " + p.LogPath
}
