package currenttime

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"countersign/backend/tool"
)

// CodeUnknownTimezone is the one failure that a caller can cause.
const CodeUnknownTimezone tool.Code = "tool.invalid_arguments.unknown_timezone"

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed output.json
	outputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns system.current_time. It uses the host's clock and nothing else.
func Spec() tool.Spec {
	z := openZones()
	return tool.Spec{
		ID:          "system.current_time",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "exact",
		Verb:        "Read the clock",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Output:      outputSchema,
		Class: tool.Class{
			SideEffect:  tool.EffectNone,
			Risk:        tool.RiskLow,
			Idempotency: tool.IdempotencyReadOnly,
			Action:      tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool,
			Target:      tool.TargetInProcess,
			Timeout:     2 * time.Second,
			OnTimeout:   tool.TimeoutKill,
			MaxBytes:    4096,
			Parallel:    true,
		},
		AnyText:  true,
		Catalogs: []tool.Catalog{tool.CatalogPlan, tool.CatalogWork},
		Preview:  tool.PreviewArguments,
		Reasons: []tool.Reason{{
			Code:        CodeUnknownTimezone,
			Status:      tool.StatusFailed,
			Sentence:    "Unknown timezone. Provide an IANA name such as UTC, America/New_York, or Europe/London.",
			Remediation: tool.RemediationModifyArguments,
		}},
		Run: func(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
			return run(ctx, z, env, args)
		},
	}
}

// input has a pointer, since an empty name is an unknown zone and only an absent
// one means UTC.
type input struct {
	Timezone *string `json:"timezone"`
}

type output struct {
	ISO8601     string `json:"iso8601"`
	Timezone    string `json:"timezone"`
	UTCOffset   string `json:"utc_offset"`
	UnixSeconds int64  `json:"unix_seconds"`
	Weekday     string `json:"weekday"`
}

func run(ctx context.Context, z zones, env tool.Env, args tool.Args) (tool.Result, error) {
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	var in input
	if err := args.Decode(&in); err != nil {
		return tool.Result{}, err
	}
	name := "UTC"
	if in.Timezone != nil {
		name = *in.Timezone
	}
	zone, ok, err := z.load(name)
	if err != nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "timezone database: %w", err)
	}
	if !ok {
		return tool.Result{}, tool.Errorf(CodeUnknownTimezone, "no zone of that name in the database")
	}
	if env.Host.Clock == nil {
		return tool.Result{}, tool.Errorf(tool.CodeUnavailable, "the host has no clock")
	}
	return result(env.Host.Clock.Now().In(zone), name)
}

func result(now time.Time, name string) (tool.Result, error) {
	_, offset := now.Zone()
	out := output{
		ISO8601:     now.Format("2006-01-02T15:04:05.000000") + offsetText(offset, offset%60 != 0),
		Timezone:    name,
		UTCOffset:   offsetText(offset, false),
		UnixSeconds: now.Unix(),
		Weekday:     now.Weekday().String(),
	}
	structured, err := json.Marshal(out)
	if err != nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "write the result: %w", err)
	}
	text := fmt.Sprintf("%s (%s, %s)", out.ISO8601, out.Timezone, out.Weekday)
	return tool.Result{
		Content:    []tool.Part{tool.TextPart(text)},
		Structured: structured,
		Metadata:   tool.Metadata{Title: "Time in " + name},
	}, nil
}

// offsetText writes an offset in seconds east of UTC as ±hh:mm, never Z, with
// :ss when asked for: local mean time, before zones were agreed, has seconds.
func offsetText(offset int, seconds bool) string {
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	text := fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)
	if seconds {
		text += fmt.Sprintf(":%02d", offset%60)
	}
	return text
}
