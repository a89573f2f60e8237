package process

import (
	"context"
	"errors"

	"countersign/backend/bound"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// writable returns the process if text can be sent to it.
func (in input) writable(env tool.Env) (tool.Process, error) {
	p, err := in.find(env)
	switch {
	case err != nil:
		return p, err
	case p.Status.Ended():
		return p, over(p)
	case !p.Input:
		return p, tool.Errorf(tool.CodeNoInput, "it reads from the null device").
			WithText("Cannot write to " + p.ID + " (" + running.Name(p.Command) + "): it takes no input, since bash started it. Start a program that is to read input with action \"start\".")
	}
	return p, nil
}

func over(p tool.Process) error {
	return tool.Errorf(tool.CodeEnded, "it has ended").
		WithText("Cannot write to " + p.ID + " (" + running.Name(p.Command) + "): it " + running.Ended(p) + "." + logWords(p))
}

// write sends text to a process, and shows what it prints right after.
func (in input) write(ctx context.Context, env tool.Env) (tool.Result, error) {
	p, err := in.writable(env)
	if err != nil {
		return tool.Result{}, err
	}
	if env.EffectStarts == nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "no way to mark the effect")
	}
	if err := env.EffectStarts(ctx); err != nil {
		return tool.Result{}, err
	}
	if err := env.Host.Processes.Write(ctx, in.ID, in.Input); err != nil {
		return tool.Result{}, in.notSent(env, err)
	}
	sent := bound.Plural(int64(len(in.Input)), "byte")
	page, err := env.Host.Processes.Read(context.WithoutCancel(ctx), p.ID, 0, answerWait)
	if err != nil {
		return tool.Result{}, err
	}
	p = page.Process
	text := "Sent " + sent + " to " + p.ID + " stdin."
	output, truncation := shown(page)
	if output != "" {
		text += "\nOutput:\n" + output[:len(output)-1]
	}
	if p.Status.Ended() {
		text += "\n[" + p.ID + " " + running.Ended(p) + ".]"
	}
	res := in.result(text, "Process write "+p.ID+" · "+sent, p)
	res.Metadata.Truncation = truncation
	res.Metadata.Extra["newLines"] = max(page.Last-page.First+1, 0)
	return res, nil
}

// notSent says with how a process stands now why it took no text.
func (in input) notSent(env tool.Env, err error) error {
	own, ok := errors.AsType[*tool.Error](err)
	if !ok || own.Code != tool.CodeEnded {
		return err
	}
	p, missing := in.find(env)
	if missing != nil {
		return err
	}
	return over(p)
}
