package process

import (
	"context"

	"countersign/backend/running"
	"countersign/backend/tool"
)

// stop ends a process with all that it started. Once begun it is not given up: half a tree
// is nobody's wish.
func (in input) stop(ctx context.Context, env tool.Env) (tool.Result, error) {
	p, err := in.find(env)
	if err != nil {
		return tool.Result{}, err
	}
	if p.Status.Ended() {
		return in.told("Nothing to stop: "+p.ID+" ("+running.Name(p.Command)+") already "+already(p)+"."+logWords(p), p), nil
	}
	p, err = env.Host.Processes.Stop(context.WithoutCancel(ctx), in.ID)
	if err != nil {
		return tool.Result{}, err
	}
	return in.told("Stopped "+p.ID+" ("+running.Name(p.Command)+") · exit code "+running.Code(p.Ending)+
		" · ran "+running.Age(running.AgeOf(p, env.Host.Clock.Now()))+"."+logWords(p), p), nil
}

func (in input) told(text string, p tool.Process) tool.Result {
	return in.result(text, "Process stop "+p.ID+" · exited", p)
}

func already(p tool.Process) string {
	if p.Status == tool.ProcessStopped {
		return "stopped with exit code " + running.Code(p.Ending)
	}
	return running.Ended(p)
}
