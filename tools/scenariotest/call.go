package scenariotest

import (
	"context"
	"encoding/json"
	"testing"

	"countersign/backend/tool"
)

// Machine is a workspace that is empty, on a machine that runs commands.
func Machine(t *testing.T) tool.Host {
	t.Helper()
	s := NewSession(t)
	return Running(t, s.Path(""), s.Path("../home"), Still{})
}

// Call runs a tool on a host as the pipeline does, and returns with its end what the caller
// is told.
func Call(t *testing.T, ctx context.Context, host tool.Host, spec tool.Spec, arguments map[string]any) (tool.Result, string, error) {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	args := tool.Args{Canonical: raw}
	env, err := envOf(host, spec, args)
	if err != nil {
		return tool.Result{}, Said(err), err
	}
	env.EffectStarts = func(context.Context) error { return nil }
	res, err := spec.Run(ctx, env, args)
	if err != nil {
		return res, Said(err), err
	}
	return res, res.Content[0].Text.Open(), nil
}

// envOf is what the pipeline gives a call: the host, and what the call would reach.
func envOf(host tool.Host, spec tool.Spec, args tool.Args) (tool.Env, error) {
	request, err := spec.Target(args)
	if err != nil {
		return tool.Env{}, err
	}
	env := tool.Env{
		SessionID: "s-1", InvocationID: "i-1", Host: host, Marker: "[redacted:7f3a]", Target: tool.Target{Command: request.Command, Input: request.Input},
	}
	for _, use := range request.Paths {
		path, err := host.Files.Resolve(use.Arg)
		if err != nil {
			return tool.Env{}, err
		}
		env.Target.Touches = append(env.Target.Touches, tool.Touch{Path: path, Access: use.Access})
	}
	return env, nil
}
