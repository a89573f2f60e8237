package write

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"countersign/backend/change"
	"countersign/backend/guard"
	"countersign/backend/tool"
)

// maxContent is how long the content may be, in bytes. The schema bounds it in
// characters, of which one can have four bytes.
const maxContent = 2 << 20

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool write. It uses the host's files.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "write",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class: tool.Class{
			SideEffect:  tool.EffectWorkspaceWrite,
			Risk:        tool.RiskMedium,
			Idempotency: tool.IdempotencyIdempotent,
			Action:      tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool,
			Scopes:      []string{"workspace.write"},
			Target:      tool.TargetInProcess,
			Timeout:     10 * time.Second,
			OnTimeout:   tool.TimeoutKill,
			MaxBytes:    16 << 10,
		},
		Catalogs: []tool.Catalog{tool.CatalogWork},
		Preview:  tool.PreviewDiff,
		Aliases:  map[string]string{"path": "file_path"},
		Reasons: tool.FileReasons(
			tool.CodeNotRead, tool.CodeStale, tool.CodeIsDirectory, tool.CodeNotAFile, tool.CodeTooLarge, tool.CodeMarked, tool.CodeFileNotFound, tool.CodeIO,
		),
		Target: target,
		Draw:   draw,
		Run:    run,
	}
}

type input struct {
	FilePath string `json:"file_path"`
	Content  string `json:"content"`
}

func decode(args tool.Args) (in input, err error) {
	err = args.Decode(&in)
	return in, err
}

func target(args tool.Args) (tool.TargetRequest, error) {
	in, err := decode(args)
	if err != nil {
		return tool.TargetRequest{}, err
	}
	return tool.TargetRequest{Paths: []tool.PathUse{{Arg: in.FilePath, Access: tool.AccessWrite}}}, nil
}

// draw shows what a run would do now. It refuses what a run would refuse, so that
// nobody is asked for what cannot be done.
func draw(ctx context.Context, env tool.Env, args tool.Args) (tool.Preview, error) {
	p, err := prepare(ctx, env, args)
	if err != nil {
		return tool.Preview{}, err
	}
	verb := "Overwrite 1 file"
	if p.old == nil {
		verb = "Create 1 file"
	}
	return tool.Preview{
		Verb: verb, Diffs: []tool.FileDiff{p.diff}, Pins: []tool.Pin{{Path: p.path, SHA256: p.expect()}},
	}, nil
}

func run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	p, err := prepare(ctx, env, args)
	if err != nil {
		return tool.Result{}, err
	}
	if err := p.keep(env.Keep); err != nil {
		return tool.Result{}, err
	}
	if env.EffectStarts == nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "no way to mark the effect")
	}
	stamp, err := env.Host.Files.Write(ctx, p.path, p.content, p.expect(), env.EffectStarts)
	if err != nil {
		return tool.Result{}, guard.Explain(err, p.path)
	}
	created := p.old == nil
	additions, deletions := p.diff.Additions, p.diff.Deletions
	return tool.Result{
		Content: []tool.Part{tool.TextPart(p.text(env.Notes))},
		Metadata: tool.Metadata{
			Title: p.title(), Diff: &p.diff.Unified, Additions: &additions, Deletions: &deletions,
			Extra: p.part.Record(change.Record(p.old, stamp.SHA256, p.diff, map[string]any{"created": created, "path": p.path.Short()})),
		},
		Files: []tool.FileRecord{{
			Op: tool.FileModified, Stamp: stamp, Additions: additions, Deletions: deletions, Created: created,
		}},
	}, nil
}
