package bash

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"countersign/backend/guard"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// How long a command is waited for, and how long the call may take at most: ending a tree
// and keeping its output takes some time, too.
const (
	usualLimit   = 120 * time.Second
	longestLimit = 300 * time.Second
	callLimit    = longestLimit + 30*time.Second
)

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool bash. It uses the host's files, output and processes.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "bash",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class:       running.Class(callLimit, tool.TimeoutBackground),
		Catalogs:    []tool.Catalog{tool.CatalogWork},
		Preview:     tool.PreviewCommand,
		Bounding:    running.Bounding(),
		Needs:       tool.NeedProcesses,
		Reasons: append(tool.FileReasons(tool.CodeFileNotFound, tool.CodeNotDirectory, tool.CodeIO),
			running.Reasons(tool.CodeSpawn)...),
		Target: target,
		Draw:   draw,
		Run:    run,
	}
}

type input struct {
	Command string      `json:"command"`
	Timeout json.Number `json:"timeout_ms"`
	Workdir string      `json:"workdir"`
}

// decode reads the arguments. Line breaks of Windows become those that the shell knows.
func decode(args tool.Args) (in input, err error) {
	err = args.Decode(&in)
	in.Command = strings.ReplaceAll(in.Command, "\r\n", "\n")
	in.Workdir = cmp.Or(in.Workdir, ".")
	return in, err
}

// limit is how long the command is waited for.
func (in input) limit() (time.Duration, error) {
	if in.Timeout == "" {
		return usualLimit, nil
	}
	ms, err := in.Timeout.Float64()
	switch {
	// A number that is too large for one counts as the largest.
	case ms >= float64(longestLimit/time.Millisecond):
		return longestLimit, nil
	case err != nil || ms < 1:
		return 0, tool.Errorf(tool.CodeArgumentsInvalid, "the limit is no number of milliseconds")
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

func target(args tool.Args) (tool.TargetRequest, error) {
	in, err := decode(args)
	if err != nil {
		return tool.TargetRequest{}, err
	}
	if strings.TrimSpace(in.Command) == "" {
		return tool.TargetRequest{}, tool.Errorf(tool.CodeArgumentsInvalid, "the command is blank").
			WithText(`Invalid input for tool "bash": parameter "command" is blank. Please rewrite the input so it satisfies the expected schema.`)
	}
	return tool.TargetRequest{
		Paths: []tool.PathUse{{Arg: in.Workdir, Access: tool.AccessRead}}, Command: in.Command,
	}, nil
}

// directory is the one that the command runs in.
func directory(ctx context.Context, env tool.Env) (tool.Path, error) {
	if env.Host.Files == nil || env.Host.Processes == nil {
		return tool.Path{}, running.Unavailable(env.Host)
	}
	p, err := guard.Judged(env)
	switch {
	case err != nil:
		return tool.Path{}, err
	case p.Kind == tool.KindDirectory:
		return p, nil
	case p.Kind == tool.KindAbsent:
		return tool.Path{}, guard.Missing(ctx, env.Host.Files, p)
	}
	return tool.Path{}, tool.Errorf(tool.CodeNotDirectory, "the path is a %s", p.Kind).
		WithText("Cannot run a command in " + p.Shown() + ": it is not a directory.")
}

func draw(ctx context.Context, env tool.Env, args tool.Args) (tool.Preview, error) {
	in, err := decode(args)
	if err != nil {
		return tool.Preview{}, err
	}
	limit, err := in.limit()
	if err != nil {
		return tool.Preview{}, err
	}
	dir, err := directory(ctx, env)
	if err != nil {
		return tool.Preview{}, err
	}
	return tool.Preview{Verb: "Run a command", About: []tool.About{
		{Label: "Runs in", Text: tool.Mark(dir.Shown())},
		{Label: "Time limit", Text: tool.Mark(running.Limit(limit) + ". If it still runs then, it goes on in the background, where it is listed and can be stopped.")},
	}}, nil
}

func run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	in, err := decode(args)
	if err != nil {
		return tool.Result{}, err
	}
	limit, err := in.limit()
	if err != nil {
		return tool.Result{}, err
	}
	dir, err := directory(ctx, env)
	if err != nil {
		return tool.Result{}, err
	}
	log := running.Log(ctx, env.Host.Output, "bash")
	ran, err := env.Host.Processes.Run(ctx, tool.RunRequest{
		Command: in.Command, Dir: dir, Limit: limit, Log: log, Started: env.EffectStarts, Progress: env.Progress,
	})
	done := finished{input: in, limit: limit, dir: dir, ran: ran, log: log, trust: env.CommandTrust()}
	if err != nil {
		_ = log.Close()
		return tool.Result{}, done.failure(ctx, err)
	}
	if ran.Moved != nil {
		return done.moved(), nil
	}
	if ran.Left == nil {
		_ = log.Close()
	}
	return done.answer(ctx, env.Host.Processes), nil
}
