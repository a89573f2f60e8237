package read

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"countersign/backend/guard"
	"countersign/backend/tool"
)

// CodeOffset is the code of an offset that no line of the file has.
const CodeOffset tool.Code = "tool.invalid_arguments.offset_beyond_end"

// The limits of a page, in lines, characters and bytes, and the size in bytes over
// which a file is not read without saying which part.
const (
	defaultLines = 2000
	lineChars    = 2000
	pageBytes    = 50 << 10
	wholeBytes   = 10 << 20
)

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool read. It uses the host's files and clock.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "read",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Verb:        "Read 1 file",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class: tool.Class{
			SideEffect:  tool.EffectWorkspaceRead,
			Risk:        tool.RiskLow,
			Idempotency: tool.IdempotencyReadOnly,
			Action:      tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool,
			Scopes:      []string{"workspace.read"},
			Target:      tool.TargetInProcess,
			Timeout:     10 * time.Second,
			OnTimeout:   tool.TimeoutKill,
			MaxBytes:    64 << 10,
			Parallel:    true,
		},
		Catalogs: []tool.Catalog{tool.CatalogPlan, tool.CatalogWork},
		Preview:  tool.PreviewArguments,
		// A page holds its own limits; these let it through with the lines around it.
		Bounding: tool.Bounding{MaxBytes: pageBytes, MaxLines: pageBytes / minLine, Prefix: true},
		Aliases:  map[string]string{"path": "file_path"},
		Reasons: append(
			tool.FileReasons(tool.CodeFileNotFound, tool.CodeNotAFile, tool.CodeTooLarge, tool.CodeIO, tool.CodeIsDirectory, tool.CodeNotDirectory),
			tool.Reason{
				Code: CodeOffset, Status: tool.StatusFailed, Remediation: tool.RemediationModifyArguments,
				Sentence: "The offset is beyond the end of the file. Use a smaller one.",
			},
		),
		Target: target,
		Run:    run,
	}
}

// minLine is the length in bytes of the shortest line of a page: its number, the
// arrow and the line break.
const minLine = len("     1→\n")

type input struct {
	FilePath string      `json:"file_path"`
	Offset   json.Number `json:"offset"`
	Limit    json.Number `json:"limit"`
}

// window is the part of a file that is asked for.
type window struct {
	from, limit int64
	// asked says that the caller named a part at all; bounded that it named a limit.
	asked, bounded bool
}

func decode(args tool.Args) (input, window, error) {
	var in input
	if err := args.Decode(&in); err != nil {
		return in, window{}, err
	}
	from, errFrom := whole(in.Offset, 1)
	limit, errLimit := whole(in.Limit, defaultLines)
	if errFrom != nil || errLimit != nil {
		return in, window{}, tool.Errorf(tool.CodeArgumentsInvalid, "offset or limit is not a whole number in range")
	}
	return in, window{from: from, limit: limit, asked: in.Offset != "" || in.Limit != "", bounded: in.Limit != ""}, nil
}

// whole reads a number that the schema let through: 1e3 and 1000.0 are whole too.
func whole(n json.Number, absent int64) (int64, error) {
	if n == "" {
		return absent, nil
	}
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil && i >= 1 {
		return i, nil
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f < 1 || f > 1<<31 || f != float64(int64(f)) {
		return 0, errors.New("not a whole number in range")
	}
	return int64(f), nil
}

func target(args tool.Args) (tool.TargetRequest, error) {
	in, _, err := decode(args)
	if err != nil {
		return tool.TargetRequest{}, err
	}
	return tool.TargetRequest{Paths: []tool.PathUse{{Arg: in.FilePath, Access: tool.AccessRead}}}, nil
}

func run(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
	_, win, err := decode(args)
	if err != nil {
		return tool.Result{}, err
	}
	files, now := env.Host.Files, env.Host.Clock
	if files == nil || now == nil {
		return tool.Result{}, tool.Errorf(tool.CodeUnavailable, "the host has no files or no clock")
	}
	p, err := guard.Judged(env)
	if err != nil {
		return tool.Result{}, err
	}
	res, err := at(ctx, files, now, p, win)
	if err != nil {
		return tool.Result{}, explain(err, p)
	}
	res.Trust = guard.Trust(p)
	return res, nil
}

// at reads what stands at p.
func at(ctx context.Context, files tool.Files, now tool.Clock, p tool.Path, win window) (tool.Result, error) {
	switch p.Kind {
	case tool.KindAbsent:
		return tool.Result{}, guard.Missing(ctx, files, p)
	case tool.KindDirectory:
		return listing(ctx, files, p)
	case tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink:
		return tool.Result{}, notAFile(p)
	case tool.KindFile, tool.KindOther:
		// What may not be looked at is tried, so that the system says why.
	}
	return file(ctx, files, now, p, win)
}
