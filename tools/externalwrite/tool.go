package externalwrite

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"countersign/backend/tool"
)

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed output.json
	outputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns demo.external_write. It is pure: it uses nothing of the host.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "demo.external_write",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "demo",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Output:      outputSchema,
		Class: tool.Class{
			SideEffect:  tool.EffectExternalWrite,
			Risk:        tool.RiskHigh,
			Idempotency: tool.IdempotencyNone,
			Action:      tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool,
			Scopes:      []string{"demo.write"},
			Target:      tool.TargetInProcess,
			Timeout:     10 * time.Second,
			OnTimeout:   tool.TimeoutKill,
			MaxBytes:    4096,
		},
		Catalogs: []tool.Catalog{tool.CatalogWork},
		Preview:  tool.PreviewArguments,
		Target:   target,
		Draw:     draw,
		Run:      run,
	}
}

type input struct {
	Destination string `json:"destination"`
	Content     string `json:"content"`
}

type output struct {
	Recorded    bool   `json:"recorded"`
	Destination string `json:"destination"`
	ByteCount   int    `json:"byte_count"`
	Checksum    string `json:"checksum"`
}

// target names nothing, since the destination is only a text: an address here
// would be judged and shown as something that is reached.
func target(tool.Args) (tool.TargetRequest, error) { return tool.TargetRequest{}, nil }

func decode(args tool.Args) (in input, err error) {
	err = args.Decode(&in)
	return in, err
}

func draw(_ context.Context, _ tool.Env, args tool.Args) (tool.Preview, error) {
	in, err := decode(args)
	if err != nil {
		return tool.Preview{}, err
	}
	return tool.Preview{Verb: fmt.Sprintf("Record an external write of %s (demo, nothing is sent)", size(len(in.Content)))}, nil
}

func size(bytes int) string {
	if bytes == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", bytes)
}

func run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	in, err := decode(args)
	if err != nil {
		return tool.Result{}, err
	}
	sum := sha256.Sum256([]byte(in.Content))
	structured, err := json.Marshal(output{
		Recorded:    true,
		Destination: in.Destination,
		ByteCount:   len(in.Content),
		Checksum:    "sha256:" + hex.EncodeToString(sum[:]),
	})
	if err != nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "write the record: %w", err)
	}
	// Nothing leaves the program, but the call stands for one that would: the mark goes
	// where such a call has it, between the last check and the effect.
	if env.EffectStarts == nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "no way to mark the effect")
	}
	if err := env.EffectStarts(ctx); err != nil {
		return tool.Result{}, fmt.Errorf("mark the effect: %w", err)
	}
	return tool.Result{
		Content:    []tool.Part{tool.TextPart(fmt.Sprintf("Recorded %s. Nothing was sent.", size(len(in.Content))))},
		Structured: structured,
		Metadata:   tool.Metadata{Title: "Recorded " + size(len(in.Content))},
	}, nil
}
