package glob

import (
	"context"
	_ "embed"
	"strings"

	"countersign/backend/guard"
	"countersign/backend/lookup"
	"countersign/backend/tool"
)

// The limits of an answer, in paths and bytes.
const (
	shownPaths = 100
	pageBytes  = 48 << 10
)

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool glob. It uses the host's files, search and output.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "glob",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Verb:        "Find files by their names",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class:       lookup.Class(),
		Catalogs:    []tool.Catalog{tool.CatalogPlan, tool.CatalogWork},
		Preview:     tool.PreviewArguments,
		// An answer keeps its own limits; these let it through.
		Bounding: tool.Bounding{Prefix: true},
		Needs:    tool.NeedSearch,
		Reasons:  tool.FileReasons(tool.CodeFileNotFound, tool.CodeNotDirectory, tool.CodeNotAFile, tool.CodeBadPattern, tool.CodeIO),
		Target:   target,
		Run:      run,
	}
}

type input struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
}

func decode(args tool.Args) (in input, err error) {
	in.Path = "."
	err = args.Decode(&in)
	return in, err
}

func target(args tool.Args) (tool.TargetRequest, error) {
	in, err := decode(args)
	if err != nil {
		return tool.TargetRequest{}, err
	}
	return tool.TargetRequest{Paths: []tool.PathUse{{Arg: in.Path, Access: tool.AccessRead}}}, nil
}

func run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	in, err := decode(args)
	if err != nil {
		return tool.Result{}, err
	}
	if env.Host.Files == nil || env.Host.Search == nil {
		return tool.Result{}, tool.Errorf(tool.CodeUnavailable, "the host has no files or no search")
	}
	p, err := guard.Judged(env)
	if err != nil {
		return tool.Result{}, err
	}
	switch p.Kind {
	case tool.KindDirectory:
	case tool.KindAbsent:
		return tool.Result{}, guard.Missing(ctx, env.Host.Files, p)
	case tool.KindFile, tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink, tool.KindOther:
		return tool.Result{}, tool.Errorf(tool.CodeNotDirectory, "the path is a %s", p.Kind).
			WithText("Cannot list files in " + p.Shown() + ": it is not a directory. Give the path of one.")
	}
	res, err := in.search(ctx, env, p)
	if err != nil {
		return tool.Result{}, lookup.Failed(err, p, "path")
	}
	res.Trust = guard.Trust(p)
	return res, nil
}

func (in input) search(ctx context.Context, env tool.Env, p tool.Path) (tool.Result, error) {
	want, err := newPattern(in.Pattern, p)
	if err != nil {
		return tool.Result{}, err
	}
	var found findings
	other := kin{of: want}
	query := tool.ListQuery{Root: p, Without: want.noise(p), Wanted: func(below string) bool {
		if want.fits(below) {
			return true
		}
		if len(found.files) == 0 {
			other.meet(below)
		}
		return false
	}}
	err = env.Host.Search.List(ctx, query, found.add)
	if err != nil {
		return tool.Result{}, err
	}
	if len(found.files) == 0 {
		return in.nothing(p, &other), nil
	}
	found.sort()
	return found.answer(ctx, env, in, p)
}
