package grep

import (
	"context"
	_ "embed"
	"strings"

	"countersign/backend/guard"
	"countersign/backend/lookup"
	"countersign/backend/tool"
)

// The limits of an answer: matching lines, characters of a line, and bytes of all.
const (
	shownLines = 100
	lineChars  = 250
	pageBytes  = 48 << 10
)

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool grep. It uses the host's files, search and output.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "grep",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Verb:        "Search the text of files",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class:       lookup.Class(),
		Catalogs:    []tool.Catalog{tool.CatalogPlan, tool.CatalogWork},
		Preview:     tool.PreviewArguments,
		// An answer keeps its own limits; these let it through.
		Bounding: tool.Bounding{Prefix: true},
		Needs:    tool.NeedSearch,
		Reasons:  tool.FileReasons(tool.CodeFileNotFound, tool.CodeNotAFile, tool.CodeBadPattern, tool.CodeIO),
		Target:   target,
		Run:      run,
	}
}

type input struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Include string `json:"include"`
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
	if err := searchable(ctx, env.Host.Files, p); err != nil {
		return tool.Result{}, err
	}
	res, err := in.search(ctx, env, p)
	if err != nil {
		return tool.Result{}, lookup.Failed(err, p, "path or include")
	}
	res.Trust = guard.Trust(p)
	return res, nil
}

// searchable refuses what holds no text.
func searchable(ctx context.Context, files tool.Files, p tool.Path) error {
	switch p.Kind {
	case tool.KindFile, tool.KindDirectory:
		return nil
	case tool.KindAbsent:
		return guard.Missing(ctx, files, p)
	case tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink, tool.KindOther:
	}
	return tool.Errorf(tool.CodeNotAFile, "the path is a %s", p.Kind).
		WithText("Cannot search " + p.Shown() + ": it is neither a file nor a directory that may be looked at. Give the path of one.")
}

func (in input) search(ctx context.Context, env tool.Env, p tool.Path) (tool.Result, error) {
	wanted, err := newFilter(in.Include)
	if err != nil {
		return tool.Result{}, err
	}
	var found findings
	query := tool.GrepQuery{Root: p, Pattern: in.Pattern, Names: wanted.names()}
	err = env.Host.Search.Grep(ctx, query, func(f tool.FileHits) bool { return !wanted.takes(f.File) || found.add(f) })
	if err != nil {
		return tool.Result{}, err
	}
	if found.lines == 0 {
		return in.nothing(ctx, env.Host.Search, query, wanted)
	}
	found.sort()
	return found.answer(ctx, env, in, p)
}
