package externalwrite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
)

// marks counts effect marks and fails them when told to.
type marks struct {
	count int
	fault error
}

func (m *marks) start(context.Context) error {
	m.count++
	return m.fault
}

func call(t *testing.T, m *marks, arguments string) (tool.Result, error) {
	t.Helper()
	spec := Spec()
	return spec.Run(t.Context(), tool.Env{EffectStarts: m.start}, tool.Args{Canonical: []byte(arguments)})
}

// The checksums are what sha256sum prints.
//
// spec: VB-22
func TestRecordIsTheResult(t *testing.T) {
	for arguments, want := range map[string]output{
		`{"content":"hello","destination":"crm"}`: {
			true, "crm", 5, "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		},
		`{"content":"","destination":""}`: {
			true, "", 0, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		},
		`{"content":"é","destination":"http://169.254.169.254/ file:///etc/passwd ../../x"}`: {
			true, "http://169.254.169.254/ file:///etc/passwd ../../x", 2,
			"sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c",
		},
	} {
		var m marks
		result, err := call(t, &m, arguments)
		if err != nil {
			t.Errorf("%s: %v", arguments, err)
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(result.Structured))
		decoder.DisallowUnknownFields()
		var got output
		if err := decoder.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", arguments, diff)
		}
		if m.count != 1 {
			t.Errorf("%s: %d effect marks", arguments, m.count)
		}
		if len(result.Content) != 1 || want.Destination != "" && strings.Contains(result.Content[0].Text.Open(), want.Destination) {
			t.Errorf("content repeats the destination")
		}
		if result.Files != nil {
			t.Errorf("files %v", result.Files)
		}
	}
}

// The call reaches nothing of the host: it has none here, and needs none.
//
// spec: VB-22, VB-41
func TestNothingIsTouchedAndTheTargetIsEmpty(t *testing.T) {
	spec := Spec()
	args := tool.Args{Canonical: []byte(`{"content":"x","destination":"https://example.com/hook"}`)}
	request, err := spec.Target(args)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tool.TargetRequest{}, request); diff != "" {
		t.Error(diff)
	}
	if _, err := spec.Run(t.Context(), tool.Env{EffectStarts: new(marks).start}, args); err != nil {
		t.Error(err)
	}
}

// spec: VB-22
func TestWithoutTheMarkNothingIsRecorded(t *testing.T) {
	fault := errors.New("disk is full")
	result, err := call(t, &marks{fault: fault}, `{"content":"x","destination":"y"}`)
	if !errors.Is(err, fault) || result.Structured != nil {
		t.Errorf("got %v with result %s", err, result.Structured)
	}
	spec := Spec()
	_, err = spec.Run(t.Context(), tool.Env{}, tool.Args{Canonical: []byte(`{"content":"x","destination":"y"}`)})
	if failure, ok := errors.AsType[*tool.Error](err); !ok || failure.Code != tool.CodeExecutionFailed {
		t.Errorf("without a mark: %v", err)
	}
}

func TestPreviewSaysThatNothingIsSent(t *testing.T) {
	spec := Spec()
	for content, want := range map[string]string{
		"":      "Record an external write of 0 bytes (demo, nothing is sent)",
		"x":     "Record an external write of 1 byte (demo, nothing is sent)",
		"hello": "Record an external write of 5 bytes (demo, nothing is sent)",
	} {
		preview, err := spec.Draw(t.Context(), tool.Env{}, tool.Args{Canonical: []byte(`{"content":"` + content + `","destination":"d"}`)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tool.Preview{Verb: want}, preview); diff != "" {
			t.Error(diff)
		}
	}
}

// spec: VB-26
func TestFailuresNeverCarryTheArguments(t *testing.T) {
	for _, arguments := range []string{`{"content":["zebra"]}`, `{"zebra":1}`, `{"content":"zebra"`} {
		var m marks
		_, err := call(t, &m, arguments)
		failure, ok := errors.AsType[*tool.Error](err)
		if !ok || failure.Code != tool.CodeArgumentsInvalid || strings.Contains(err.Error(), "zebra") {
			t.Errorf("%s: %v", arguments, err)
		}
		if m.count != 0 {
			t.Errorf("%s: marked as started", arguments)
		}
	}
}

func TestCancelledCallIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	spec := Spec()
	var m marks
	_, err := spec.Run(ctx, tool.Env{EffectStarts: m.start}, tool.Args{Canonical: []byte(`{"content":"x","destination":"y"}`)})
	if !errors.Is(err, context.Canceled) || m.count != 0 {
		t.Errorf("got %v after %d marks", err, m.count)
	}
}

// spec: VB-3, VB-22
func TestClassificationIsThatOfAnExternalWrite(t *testing.T) {
	spec := Spec()
	want := tool.Class{
		SideEffect: tool.EffectExternalWrite, Risk: tool.RiskHigh, Idempotency: tool.IdempotencyNone,
		Action: tool.ActionToolCall, OutputTrust: tool.TrustInternalTool, Scopes: []string{"demo.write"},
		Target: tool.TargetInProcess, Timeout: 10 * time.Second, OnTimeout: tool.TimeoutKill, MaxBytes: 4096,
	}
	if diff := cmp.Diff(want, spec.Class); diff != "" {
		t.Error(diff)
	}
	if spec.ID != "demo.external_write" || spec.WireName() != "demo_external_write" || spec.Version != "1.0.0" ||
		spec.Set != "demo" || spec.Offered(tool.CatalogPlan) || !spec.Offered(tool.CatalogWork) || spec.Effect != nil || spec.Reasons != nil {
		t.Errorf("identity: %s %s %s %s %v", spec.ID, spec.WireName(), spec.Version, spec.Set, spec.Catalogs)
	}
}

// spec: VB-22
func TestSchemaBoundsBothTexts(t *testing.T) {
	var in struct {
		Properties           map[string]struct{ MaxLength int }
		Required             []string
		AdditionalProperties *bool
	}
	if err := json.Unmarshal(Spec().Input, &in); err != nil {
		t.Fatal(err)
	}
	if in.Properties["destination"].MaxLength != 256 || in.Properties["content"].MaxLength != 4096 || len(in.Properties) != 2 {
		t.Errorf("properties %+v", in.Properties)
	}
	if diff := cmp.Diff([]string{"destination", "content"}, in.Required); diff != "" {
		t.Error(diff)
	}
	if in.AdditionalProperties == nil || *in.AdditionalProperties {
		t.Error("other properties are let in")
	}
}
