package calculate

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
)

// spec: VB-3
func TestClassificationIsThatOfPureArithmetic(t *testing.T) {
	spec := Spec()
	want := tool.Class{
		SideEffect: tool.EffectNone, Risk: tool.RiskLow, Idempotency: tool.IdempotencyReadOnly,
		Action: tool.ActionToolCall, OutputTrust: tool.TrustInternalTool, Target: tool.TargetInProcess,
		Timeout: 2 * time.Second, OnTimeout: tool.TimeoutKill, MaxBytes: 4096, Parallel: true,
	}
	if diff := cmp.Diff(want, spec.Class); diff != "" {
		t.Error(diff)
	}
	if spec.ID != "math.calculate" || spec.WireName() != "math_calculate" || spec.Version != "1.0.0" ||
		spec.Set != "exact" || !spec.Offered(tool.CatalogPlan) || !spec.Offered(tool.CatalogWork) {
		t.Errorf("identity: %s %s %s %s %v", spec.ID, spec.WireName(), spec.Version, spec.Set, spec.Catalogs)
	}
}

// spec: VB-8, VB-10
func TestSchemasSayWhatTheCodeDoes(t *testing.T) {
	type property struct {
		Type      string
		MinLength int
		MaxLength int
	}
	type schema struct {
		Properties           map[string]property
		Required             []string
		AdditionalProperties *bool
	}
	var in, out schema
	for raw, into := range map[*json.RawMessage]*schema{new(Spec().Input): &in, new(Spec().Output): &out} {
		if err := json.Unmarshal(*raw, into); err != nil {
			t.Fatal(err)
		}
		if into.AdditionalProperties == nil || *into.AdditionalProperties {
			t.Error("other properties are let in")
		}
	}
	if got := in.Properties["expression"]; got != (property{"string", 1, maxChars}) {
		t.Errorf("expression: %+v", got)
	}
	if !slices.Equal(in.Required, []string{"expression"}) || !slices.Equal(out.Required, []string{"result", "result_exact", "expression"}) {
		t.Errorf("required: %v, %v", in.Required, out.Required)
	}
	if out.Properties["result"].Type != "string" || out.Properties["result_exact"].Type != "boolean" || out.Properties["expression"].Type != "string" {
		t.Errorf("output: %+v", out.Properties)
	}
}

// spec: VB-10, VB-26, VB-35
func TestEveryCodeHasAFixedSentence(t *testing.T) {
	var codes []tool.Code
	for _, reason := range Spec().Reasons {
		codes = append(codes, reason.Code)
		if reason.Status != tool.StatusFailed || reason.Retryable || reason.Remediation != tool.RemediationModifyArguments {
			t.Errorf("%s: %+v", reason.Code, reason)
		}
		if !reason.Code.Known() || reason.Sentence == "" || strings.ContainsAny(reason.Sentence, "%{}") {
			t.Errorf("%s: sentence %q", reason.Code, reason.Sentence)
		}
	}
	if diff := cmp.Diff(allCodes, codes); diff != "" {
		t.Error(diff)
	}
}

// spec: VB-10, VB-26
func TestUnknownNameListsAllThatIsSupported(t *testing.T) {
	var names, values []string
	for _, f := range functions {
		names = append(names, f.name)
	}
	for _, c := range constants {
		values = append(values, c.name)
	}
	want := "Unknown function or constant. Functions: " + strings.Join(names, ", ") + ". Constants: " + strings.Join(values, ", ") + "."
	for _, reason := range Spec().Reasons {
		if reason.Code == CodeUnknownName && reason.Sentence != want {
			t.Errorf("got %q, want %q", reason.Sentence, want)
		}
	}
	for _, name := range append(names, values...) {
		if !strings.Contains(Spec().Description, name) {
			t.Errorf("the description does not name %s", name)
		}
	}
}

// spec: VB-26
func TestFailuresNeverCarryTheExpression(t *testing.T) {
	for _, arguments := range []string{
		`{"expression":"zebra(771)"}`, `{"expression":"771 zebra"}`, `{"expression":"abs(771,zebra)"}`,
		`{"expression":"zebra 771 #"}`, `{"expression":["zebra771"]}`, `{"expression":771}`, `{"zebra":771}`, `{"expression":"ln(-771)"}`,
	} {
		spec := Spec()
		_, err := spec.Run(t.Context(), tool.Env{}, tool.Args{Canonical: []byte(arguments)})
		if err == nil {
			t.Errorf("%s did not fail", arguments)
			continue
		}
		if text := err.Error(); strings.Contains(text, "zebra") || strings.Contains(text, "771") {
			t.Errorf("input in %q", text)
		}
	}
}

// spec: VB-9, VB-29
func TestResultIsTheValueAndNothingElse(t *testing.T) {
	result, code := call(t, argumentsOf(t, "17 * 23"))
	if code != "" || len(result.Content) != 1 || result.Content[0].Text.Open() != "391" {
		t.Errorf("content %v, code %s", result.Content, code)
	}
	if got := string(result.Structured); got != `{"result":"391","result_exact":true,"expression":"17 * 23"}` {
		t.Errorf("structured %s", got)
	}
	if result.Metadata.Title != "17 * 23" || result.Trust != "" || result.Files != nil {
		t.Errorf("title %q, trust %q, files %v", result.Metadata.Title, result.Trust, result.Files)
	}
}

func TestTitleIsOneShortLine(t *testing.T) {
	result, _ := call(t, argumentsOf(t, "1 +\n\t2"+strings.Repeat("+ 1", 60)))
	if title := result.Metadata.Title; strings.ContainsAny(title, "\n\t") || len(title) > maxTitle+len("…") || !strings.HasPrefix(title, "1 + 2+ 1") {
		t.Errorf("title %q", title)
	}
}

func TestCancelledCallIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	spec := Spec()
	if _, err := spec.Run(ctx, tool.Env{}, tool.Args{Canonical: argumentsOf(t, "1")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
