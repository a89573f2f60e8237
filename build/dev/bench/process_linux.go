package main

import (
	"context"
	"fmt"
	"time"

	"countersign/backend/host/process/processbench"
)

func ratio(figure, limit time.Duration) float64 { return float64(figure) / float64(limit) }

func commands(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	f, err := processbench.Measure(ctx, dir, processbench.Load{})
	if err != nil {
		return nil, err
	}
	spawn, pipes, terminal := ratio(f.Spawn, f.Fork), ratio(f.Pipes, f.File), ratio(f.Terminal, f.Bare)
	return []row{
		{
			what: "start and capture of /bin/true by a shell, terminal", figure: f.Spawn.String(), limit: f.Fork.String() + " for fork, exec and wait of that shell",
			ratio: spawn, goal: fmt.Sprintf("at most %.2f times", processbench.GoalSpawn), held: holds(spawn <= processbench.GoalSpawn),
		},
		{
			what: "the same through pipes", figure: f.SpawnPipes.String(), limit: "the same", ratio: ratio(f.SpawnPipes, f.Fork),
			goal: fmt.Sprintf("at most %.2f times", processbench.GoalSpawn), held: holds(ratio(f.SpawnPipes, f.Fork) <= processbench.GoalSpawn),
		},
		{
			what:   fmt.Sprintf("%d MiB of output through pipes", f.Bytes>>20),
			figure: f.Pipes.String(), limit: f.File.String() + " for its producer writing to a file", ratio: pipes,
			goal: fmt.Sprintf("at most %.1f times", processbench.GoalPipes), held: holds(pipes <= processbench.GoalPipes),
		},
		{
			what:   fmt.Sprintf("%d MiB of output through pipes", f.Bytes>>20),
			figure: f.Pipes.String(), limit: f.Copy.String() + " for a bare loop from a pipe to a file", ratio: ratio(f.Pipes, f.Copy),
			goal: fmt.Sprintf("at most %.1f times", processbench.GoalPipes), held: holds(ratio(f.Pipes, f.Copy) <= processbench.GoalPipes),
		},
		{
			what:   fmt.Sprintf("%d MiB of output through pipes", f.Bytes>>20),
			figure: f.Pipes.String(), limit: f.Thrown.String() + " for a bare reader of the largest pipe that throws it away", ratio: ratio(f.Pipes, f.Thrown),
			goal: "-", held: noGoal,
		},
		{
			what: "memory asked for meanwhile", figure: fmt.Sprintf("%.1f MB", float64(f.Used)/(1<<20)), limit: "-",
			goal: fmt.Sprintf("at most %d MB", processbench.GoalBytes>>20), held: holds(f.Used <= processbench.GoalBytes),
		},
		{
			what:   fmt.Sprintf("%d MiB of output through a terminal", f.TerminalBytes>>20),
			figure: f.Terminal.String(), limit: f.Bare.String() + " for a bare reader of a terminal", ratio: terminal,
			goal: fmt.Sprintf("at most %.1f times", processbench.GoalTerminal), held: holds(terminal <= processbench.GoalTerminal),
		},
		{
			what: fmt.Sprintf("the end of a tree of %d processes", f.Tree), figure: f.Kill.String(),
			limit: f.Signal.String() + " for one signal to its group", ratio: ratio(f.Kill, f.Signal), goal: "-", held: noGoal,
		},
	}, nil
}
