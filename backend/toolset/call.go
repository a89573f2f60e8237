package toolset

import (
	"context"
	"errors"

	"countersign/backend/running"
	"countersign/backend/tool"
	"countersign/backend/toolset/manifest"
)

// run runs the program of a call and answers with what it printed.
func (x *external) run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	if err := x.usable(env.Host); err != nil {
		return tool.Result{}, err
	}
	request, err := x.request(env, args)
	if err != nil {
		return tool.Result{}, err
	}
	log := running.Log(ctx, env.Host.Output, x.tool.Name)
	request.Log = log
	ran, err := env.Host.Programs.RunProgram(ctx, request)
	// The path of a log is known once it is closed: an empty one goes.
	_ = log.Close()
	done := finished{x, ran, log}
	if err != nil {
		return tool.Result{}, done.interrupted(ctx, err)
	}
	if err := done.failure(); err != nil {
		return tool.Result{}, err
	}
	if x.tool.Output == manifest.OutputContent {
		return done.content(ctx, env)
	}
	return done.text(), nil
}

// request is what the program of a call is started with.
func (x *external) request(env tool.Env, args tool.Args) (tool.ProgramRequest, error) {
	file, err := x.program()
	if err != nil {
		return tool.ProgramRequest{}, err
	}
	fenced, err := x.fenced(writtenOf(args), env.Target.Arguments())
	if err != nil {
		return tool.ProgramRequest{}, err
	}
	argv, err := x.vector(fenced)
	if err != nil {
		return tool.ProgramRequest{}, err
	}
	argv[0] = file
	workspace := env.Host.Files.Root()
	data := x.data(workspace)
	r := tool.ProgramRequest{
		Argv: argv, Dir: workspace, Environ: data.environ(env), Without: prefix, Limit: x.entry.Set.Timeout,
		Started: func(ctx context.Context) error {
			if err := env.EffectStarts(ctx); err != nil {
				return err
			}
			data.make()
			return nil
		},
	}
	if x.entry.Set.Stdin {
		r.Input = fenced
	}
	if x.tool.Output == manifest.OutputText {
		r.Progress = env.Progress
	}
	return r, nil
}

// interrupted tells of a program that did not begin, or that was ended with its call.
func (f finished) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		own := tool.Errorf(tool.CodeCancelled, "the call ended while its program ran")
		m := f.metadata()
		own.Metadata = &m
		if path := f.log.Path(); path != "" {
			own.WithText("Output so far: " + path)
		}
		return own
	}
	if own, ok := errors.AsType[*tool.Error](err); ok && own.Code == tool.CodeSpawn {
		return &tool.Error{Code: CodeStart, Content: own.Content, Detail: err}
	}
	return err
}
