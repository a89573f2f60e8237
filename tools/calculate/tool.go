package calculate

import (
	"context"
	_ "embed"
	"encoding/json"
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

// Spec returns math.calculate. It is pure: it uses nothing of the host.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "math.calculate",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "exact",
		Verb:        "Calculate a number",
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
		Reasons:  reasons(),
		Run:      run,
	}
}

type input struct {
	Expression string `json:"expression"`
}

// output is the structured result. Result is text, since a JSON number would be
// rounded to a double on its way; Expression repeats the input verbatim.
type output struct {
	Result      string `json:"result"`
	ResultExact bool   `json:"result_exact"`
	Expression  string `json:"expression"`
}

func run(ctx context.Context, _ tool.Env, args tool.Args) (tool.Result, error) {
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	var in input
	if err := args.Decode(&in); err != nil {
		return tool.Result{}, err
	}
	value, worked, err := evaluate(in.Expression)
	if err != nil {
		return tool.Result{}, err
	}
	text := render(value)
	structured, err := json.Marshal(output{text, !worked.inexact, in.Expression})
	if err != nil {
		return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "write the result: %w", err)
	}
	if worked.inexact {
		text += "\nrounded to 50 significant digits"
	}
	return tool.Result{
		Content:    []tool.Part{tool.TextPart(text)},
		Structured: structured,
		Metadata:   tool.Metadata{Title: title(in.Expression)},
	}, nil
}

// maxTitle is how many bytes of an expression a title shows; an expression that
// was worked out is ASCII.
const maxTitle = 80

// title is the expression on one line.
func title(expression string) string {
	if strings.ContainsAny(expression, "\t\n\v\f\r") {
		expression = strings.Join(strings.Fields(expression), " ")
	}
	if len(expression) > maxTitle {
		expression = expression[:maxTitle] + "…"
	}
	return expression
}
