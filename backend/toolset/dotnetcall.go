package toolset

import (
	"context"

	"countersign/backend/bound"
	"countersign/backend/running"
	"countersign/backend/tool"
)

// assembled is a tool of a dotnet set that can be called.
type assembled struct{ *external }

func (a *assembled) spec() tool.Spec {
	s := a.external.spec()
	// What is too long is cut where every tool's text is, since all of it is at hand.
	s.Bounding = tool.Bounding{}
	s.Draw, s.Run = a.draw, a.run
	return s
}

// draw shows which type of which assembly a call would run.
func (a *assembled) draw(_ context.Context, env tool.Env, _ tool.Args) (tool.Preview, error) {
	if err := a.usable(env.Host); err != nil {
		return tool.Preview{}, err
	}
	file, err := a.file()
	if err != nil {
		return tool.Preview{}, err
	}
	return a.about(env,
		tool.About{Label: "Assembly", Text: tool.Mark(tool.ShowPath(file))},
		tool.About{Label: "Type", Text: tool.Mark(tool.ShowPath(a.tool.Type))},
	), nil
}

func (a *assembled) file() (string, error) {
	file, err := a.entry.assembly()
	if err != nil {
		return "", tool.Errorf(CodeStart, "look for the assembly: %w", err).
			WithText("The assembly is not a plain file in the directory of its set.")
	}
	return file, nil
}

// run runs a call in a host process of its own.
func (a *assembled) run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	if err := a.usable(env.Host); err != nil {
		return tool.Result{}, err
	}
	if !a.tool.Text && !env.Images {
		return tool.Result{}, tool.Errorf(CodeImages, "the tool answers with images alone")
	}
	request, err := a.request(ctx, env, args)
	if err != nil {
		return tool.Result{}, err
	}
	ran, err := env.Host.Programs.RunProgram(ctx, request)
	answer, whole := replyOf(&ran.Out), ran.Out.Whole()
	// The answer is no output of the tool, and what it logs is not kept.
	ran.Out, ran.Err.Lost = tool.Printed{}, 0
	done := finished{a.external, ran, request.Log}
	switch {
	case err != nil:
		return tool.Result{}, done.interrupted(ctx, err)
	case ran.Stop != "":
		return tool.Result{}, done.failure()
	case answer == nil:
		return tool.Result{}, done.unanswered(whole)
	case answer.Error != nil:
		return tool.Result{}, done.failed(answer.Error.Kind, answer.Error.Detail)
	}
	return done.answered(ctx, env, answer)
}

// request is what the host process of a call is started with. What a tool is told of its call
// stands in the question alone: variables would reach everything that it starts.
func (a *assembled) request(ctx context.Context, env tool.Env, args tool.Args) (tool.ProgramRequest, error) {
	file, err := a.file()
	if err != nil {
		return tool.ProgramRequest{}, err
	}
	fenced, err := a.fenced(writtenOf(args), env.Target.Arguments())
	if err != nil {
		return tool.ProgramRequest{}, err
	}
	workspace := env.Host.Files.Root()
	data := a.data(workspace)
	r := a.facts.Dotnet.request(file, question{
		Do: "call", Type: a.tool.Type, Name: a.tool.Name, CallID: env.InvocationID, Arguments: string(fenced), Images: env.Images,
		Workspace: workspace, Session: env.SessionID, Approval: env.Approval, GlobalData: data.global, ProjectData: data.project,
	})
	r.Dir, r.Limit, r.Log = workspace, a.entry.Set.Timeout, running.Log(ctx, nil, "")
	r.Started = func(ctx context.Context) error {
		if err := env.EffectStarts(ctx); err != nil {
			return err
		}
		data.make()
		return nil
	}
	return r, nil
}

// answered is the result that a tool answered with.
func (f finished) answered(ctx context.Context, env tool.Env, answer *reply) (tool.Result, error) {
	if answer.Status != "success" {
		return tool.Result{}, f.reported(answer.Text)
	}
	images, err := f.images(ctx, env, answer.Images)
	if err != nil {
		return tool.Result{}, err
	}
	text := joinLines(answer.Text, f.notes())
	if text == "" && len(images) == 0 {
		text = "[The tool answered with nothing.]"
	}
	r := tool.Result{Metadata: f.metadata()}
	if text != "" {
		r.Content = append(r.Content, tool.TextPart(text))
	}
	r.Content = append(r.Content, images...)
	return r, nil
}

// reported is the failure that a tool tells of, in its own words.
func (f finished) reported(words string) error {
	cut := bound.Cut(words, tool.Bounding{}, "")
	own := f.withMetadata(tool.Errorf(CodeExit, "the tool reported a failure"))
	own.Metadata.Truncation = cut.Truncation
	return own.WithText(joinLines(cut.Shown, f.notes()))
}

// unanswered is the failure of a host process that ended without a whole answer, such as when the
// tool ended it.
func (f finished) unanswered(whole bool) error {
	if !whole {
		return f.withMetadata(tool.Errorf(tool.CodeOutputTooLarge, "the answer is over %d bytes", f.facts.Dotnet.MaxAnswer)).
			WithText("[The tool answered with more than " + bound.Size(int64(f.facts.Dotnet.MaxAnswer)) + ".]")
	}
	if err := f.failure(); err != nil {
		return err
	}
	text, _ := f.printed(tool.Bounding{})
	return f.withMetadata(tool.Errorf(CodeExit, "the host process ended without an answer")).
		WithText(joinLines(text, joinLines(f.notes(), "[The tool ended its process before it had answered.]")))
}

// failed is the failure that the host program tells of.
func (f finished) failed(kind, detail string) error {
	switch kind {
	case kindException:
		return f.reported("[The tool threw an exception.]\n" + detail)
	case kindAnswer:
		return f.withMetadata(tool.Errorf(tool.CodeOutputInvalid, "the tool's answer cannot be handed on")).WithText(detail)
	case kindAssembly, kindDependency, kindType, kindTool:
		return f.withMetadata(tool.Errorf(CodeStart, "the tool cannot be made")).
			WithText("The tool cannot be made from its assembly any more. " + bound.Head(detail, errorLimits.MaxBytes))
	}
	return f.withMetadata(tool.Errorf(tool.CodeExecutionFailed, "the host program refused the question: %s", kind))
}
