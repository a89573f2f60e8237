package scenariotest

import (
	"context"
	"encoding/json"
	"testing"

	"countersign/backend/tool"
)

// folder is a workspace that is one folder, /w.
type folder struct{ tool.Files }

// Resolve finds the folder whatever is asked for.
func (folder) Resolve(arg string) (tool.Path, error) {
	return tool.Path{Arg: arg, Abs: "/w", Real: "/w", Rel: ".", Zone: tool.ZoneWorkspace, Kind: tool.KindDirectory}, nil
}

// InFolder runs a tool on the folder /w of a host that needs no files, and returns with
// its end what the caller is told.
func InFolder(t *testing.T, ctx context.Context, spec tool.Spec, host tool.Host, arguments map[string]string) (tool.Result, string, error) {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return InFolderRaw(t, ctx, spec, host, string(raw))
}

// InFolderRaw does so with the text of the arguments.
func InFolderRaw(t *testing.T, ctx context.Context, spec tool.Spec, host tool.Host, arguments string) (tool.Result, string, error) {
	t.Helper()
	host.Files = folder{}
	p, err := host.Files.Resolve(".")
	if err != nil {
		t.Fatal(err)
	}
	env := tool.Env{Host: host, Target: tool.Target{Touches: []tool.Touch{{Path: p, Access: tool.AccessRead}}}, EffectStarts: func(context.Context) error { return nil }}
	res, err := spec.Run(ctx, env, tool.Args{Canonical: []byte(arguments)})
	if err == nil {
		return res, res.Content[0].Text.Open(), nil
	}
	return res, Said(err), err
}
