package toolset

import (
	"context"

	"countersign/backend/running"
	"countersign/backend/tool"
	"countersign/backend/toolset/manifest"
)

// Facts are what a runner must know that is not in the set.
type Facts struct {
	// Home is our home. Below it a set keeps its own data, in data/tools/<directory>.
	Home string
	// SearchPath is the search path of the environment that programs inherit.
	SearchPath string
	// Fingerprint names what the set is made of.
	Fingerprint string
	// Dotnet runs the tools of dotnet sets.
	Dotnet *Dotnet
}

// external is a tool of a set that can be called.
type external struct {
	entry Entry
	tool  manifest.Tool
	facts Facts
}

// The codes of tools whose program is not ours.
const (
	// CodeExit is a program that reported a failure.
	CodeExit tool.Code = "tool.upstream_error.exit"
	// CodeStart is a program that could not be started.
	CodeStart tool.Code = "tool.upstream_error.start"
	// CodeInput is a program that did not take its arguments.
	CodeInput tool.Code = "tool.upstream_error.input"
	// CodeImages is a result with images for a caller that cannot take them.
	CodeImages tool.Code = "tool.upstream_error.images"
)

// A call may produce as much as is captured of it, and images beside that.
const maxBytes = 256 << 10

// Specs are the tools of a set as they are called. The set must be loaded.
func Specs(e Entry, f Facts) []tool.Spec {
	out := make([]tool.Spec, 0, len(e.Tools))
	for _, t := range e.Tools {
		x := &external{e, t, f}
		if e.Set.Runner == manifest.RunnerDotnet {
			out = append(out, (&assembled{x}).spec())
			continue
		}
		out = append(out, x.spec())
	}
	return out
}

func (x *external) spec() tool.Spec {
	s := tool.Spec{
		ID: x.tool.Name, Wire: x.tool.Name, Version: "1.0.0", Source: tool.SourceSet,
		Set: x.entry.Directory, Origin: string(x.entry.Tree.Origin), Fingerprint: x.facts.Fingerprint,
		Verb:        "Run " + x.tool.Name + " of the tool set " + x.entry.Directory,
		Description: x.tool.Description, Input: x.tool.Schema,
		Class: x.class(), Catalogs: x.tool.Catalogs, Preview: tool.PreviewArguments,
		Needs: tool.NeedPrograms, Reasons: Reasons(), Target: x.target, Draw: x.draw, Run: x.run,
	}
	if x.tool.Output == manifest.OutputText {
		// What is shown of a text is cut here, since only its ends are at hand.
		s.Bounding = running.Bounding()
	}
	return s
}

func (x *external) class() tool.Class {
	limit := x.entry.Set.Timeout
	if limit == 0 {
		limit = tool.NoTimeout
	}
	return tool.Class{
		SideEffect: tool.EffectCodeExecution, Risk: tool.RiskHigh, Idempotency: tool.IdempotencyNone, Action: tool.ActionToolCall,
		OutputTrust: tool.TrustExternalUntrusted, Target: tool.TargetHost,
		Timeout: limit, OnTimeout: tool.TimeoutKill, KeepsTime: true, MaxBytes: maxBytes,
	}
}

// Reasons are the codes that tools of sets end with. They are the same for all of them.
func Reasons() []tool.Reason {
	return append([]tool.Reason{
		{Code: CodeExit, Status: tool.StatusFailed, Sentence: "The tool's program reported a failure. Read what it printed before you call it again.", Remediation: tool.RemediationNone},
		{Code: CodeStart, Status: tool.StatusFailed, Sentence: "The tool's program could not be started. Only the user can mend that.", Remediation: tool.RemediationNone},
		{Code: CodeInput, Status: tool.StatusFailed, Sentence: "The tool's program stopped reading its arguments and was ended.", Remediation: tool.RemediationNone},
		{Code: CodeImages, Status: tool.StatusFailed, Sentence: "This model cannot accept tool images.", Remediation: tool.RemediationNone},
	}, tool.FileReasons(tool.CodeIO)...)
}

// target says what a call reaches: its paths, which a process may write to. Arguments that cannot
// be given to the program refuse the call here, before anybody is asked.
func (x *external) target(args tool.Args) (tool.TargetRequest, error) {
	written := writtenOf(args)
	paths, err := x.paths(written)
	if err != nil {
		return tool.TargetRequest{}, err
	}
	if _, err := x.vector(written); err != nil {
		return tool.TargetRequest{}, err
	}
	var r tool.TargetRequest
	for _, p := range paths {
		r.Paths = append(r.Paths, tool.PathUse{Arg: p, Access: tool.AccessWrite})
	}
	return r, nil
}

// draw shows which program a call would run.
func (x *external) draw(_ context.Context, env tool.Env, _ tool.Args) (tool.Preview, error) {
	if err := x.usable(env.Host); err != nil {
		return tool.Preview{}, err
	}
	file, err := x.program()
	if err != nil {
		return tool.Preview{}, err
	}
	return x.about(env, tool.About{Label: "Program", Text: tool.Mark(tool.ShowPath(file))}), nil
}

// about shows what would run, and what holds for whatever runs.
func (x *external) about(env tool.Env, what ...tool.About) tool.Preview {
	limit := "none"
	if x.entry.Set.Timeout > 0 {
		limit = running.Limit(x.entry.Set.Timeout) + ". If it still runs then, it is ended with all that it started."
	}
	return tool.Preview{About: append(what,
		tool.About{Label: "Runs in", Text: tool.Mark(tool.ShowPath(env.Host.Files.Root()))},
		tool.About{Label: "Time limit", Text: tool.Mark(limit)},
	)}
}

// usable refuses a call on a machine without what it needs.
func (x *external) usable(h tool.Host) error {
	if h.Files != nil && h.Programs != nil {
		return nil
	}
	return tool.Errorf(tool.CodeUnavailable, "the host has no files or no programs").
		WithText("This tool needs to run programs in a workspace, which this host does not offer.")
}

// program finds the program of the set.
func (x *external) program() (string, error) {
	command := x.entry.Set.Command
	if len(command) == 0 {
		command = x.tool.Command
	}
	file, err := program(x.entry.Path, command[0], x.facts.SearchPath)
	if err != nil {
		return "", tool.Errorf(CodeStart, "look for the program: %w", err).
			WithText("The program failed to start: " + err.Error() + ".")
	}
	return file, nil
}
