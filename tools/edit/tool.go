package edit

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"countersign/backend/change"
	"countersign/backend/guard"
	"countersign/backend/keylock"
	"countersign/backend/tool"
)

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool edit. It uses the host's files. Edits of one file wait for each
// other where they come from the same Spec.
func Spec() tool.Spec {
	e := editor{locks: keylock.New()}
	return tool.Spec{
		ID:          "edit",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class: tool.Class{
			SideEffect:  tool.EffectWorkspaceWrite,
			Risk:        tool.RiskMedium,
			Idempotency: tool.IdempotencyConditional,
			Action:      tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool,
			Scopes:      []string{"workspace.write"},
			Target:      tool.TargetInProcess,
			Timeout:     10 * time.Second,
			OnTimeout:   tool.TimeoutKill,
			MaxBytes:    64 << 10,
		},
		Catalogs: []tool.Catalog{tool.CatalogWork},
		Preview:  tool.PreviewDiff,
		Aliases:  map[string]string{"path": "file_path"},
		// A file may hold any character, so a new text may too.
		AnyText: true,
		Reasons: append(reasons(), tool.FileReasons(
			tool.CodeNotRead, tool.CodeStale, tool.CodeIsDirectory, tool.CodeNotAFile, tool.CodeTooLarge, tool.CodeMarked, tool.CodeFileNotFound, tool.CodeIO,
		)...),
		Target: target,
		Draw:   e.draw,
		Run:    e.run,
	}
}

type input struct {
	FilePath   string `json:"file_path"`
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
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

// editor is the tool with the locks of the files that it works on.
type editor struct{ locks *keylock.Locks }

// draw shows what a run would do now. It refuses what a run would refuse, so that
// nobody is asked for what cannot be done.
func (e editor) draw(ctx context.Context, env tool.Env, args tool.Args) (tool.Preview, error) {
	p, err := prepare(ctx, env, args)
	if err != nil {
		return tool.Preview{}, err
	}
	return tool.Preview{
		Verb: "Edit 1 file", Diffs: []tool.FileDiff{p.diff}, Pins: []tool.Pin{{Path: p.path, SHA256: p.old.SHA256}},
	}, nil
}

func (e editor) run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	if env.EffectStarts == nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "no way to mark the effect")
	}
	if len(env.Target.Touches) == 1 {
		unlock, err := e.locks.Take(ctx, env.Target.Touches[0].Path.Real)
		if err != nil {
			return tool.Result{}, err
		}
		defer unlock()
	}
	p, err := prepare(ctx, env, args)
	if err != nil {
		return tool.Result{}, err
	}
	if err := p.keep(env.Keep); err != nil {
		return tool.Result{}, err
	}
	if env.Host.Versions != nil {
		env.Host.Versions.Keep(ctx, p.path.Real, p.old.Content)
	}
	stamp, err := env.Host.Files.Write(ctx, p.path, p.content, p.old.SHA256, env.EffectStarts)
	if err != nil {
		return tool.Result{}, guard.Explain(err, p.path)
	}
	// Whoever waits for the file in this session must know what it holds now.
	env.Stamps.Put(stamp)
	additions, deletions := p.diff.Additions, p.diff.Deletions
	return tool.Result{
		// The snippet shows text of the file.
		Trust:   guard.Trust(p.path),
		Content: []tool.Part{tool.TextPart(p.text())},
		Metadata: tool.Metadata{
			Title: p.title(), Diff: &p.diff.Unified, Additions: &additions, Deletions: &deletions,
			Extra: p.part.Record(change.Record(p.old, stamp.SHA256, p.diff, p.facts())),
		},
		Files: []tool.FileRecord{{
			Op: tool.FileModified, Stamp: stamp, Additions: additions, Deletions: deletions, Strategy: p.found.by.name,
		}},
	}, nil
}
