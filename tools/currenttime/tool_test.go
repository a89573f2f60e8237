package currenttime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
)

var noon = fixed(time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC))

// spec: VB-34
func TestSameClockGivesTheSameBytes(t *testing.T) {
	for _, arguments := range []string{`{}`, `{"timezone":"America/Los_Angeles"}`, `{"timezone":"Asia/Kathmandu"}`} {
		first, _ := call(t, noon, arguments)
		second, _ := call(t, noon, arguments)
		if !bytes.Equal(first.Structured, second.Structured) || first.Content[0].Text.Open() != second.Content[0].Text.Open() {
			t.Errorf("%s: %s and %s", arguments, first.Structured, second.Structured)
		}
	}
}

// A clock that hands out another location must not change the answer.
//
// spec: VB-11, VB-34
func TestAnswerDoesNotDependOnTheClocksZone(t *testing.T) {
	want, _ := call(t, noon, `{}`)
	got, _ := call(t, shifted{noon}, `{}`)
	if !bytes.Equal(want.Structured, got.Structured) {
		t.Errorf("got %s, want %s", got.Structured, want.Structured)
	}
}

type shifted struct{ fixed }

func (s shifted) Now() time.Time { return s.fixed.Now().In(time.FixedZone("elsewhere", 5*3600)) }

// spec: VB-11
func TestDatabaseIsTheToolchains(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, database) {
		t.Errorf("zoneinfo.zip has %d bytes, the toolchain's %d: copy lib/time/zoneinfo.zip of the toolchain", len(database), len(want))
	}
}

// spec: VB-11
func TestEveryNameOfTheDatabaseLoads(t *testing.T) {
	z := openZones()
	if len(z) < 500 {
		t.Fatalf("only %d names", len(z))
	}
	for name := range z {
		if len(name) > 64 {
			t.Errorf("%s is longer than the schema lets in", name)
		}
		if zone, ok, err := z.load(name); err != nil || !ok || zone.String() != name {
			t.Errorf("%s: %v, %v, %v", name, zone, ok, err)
		}
	}
}

// spec: VB-11
func TestOnlyExactNamesOfPlacesAreKnown(t *testing.T) {
	for _, name := range []string{
		"", "Local", "local", "localtime", "utc", "Z", "+00:00", "+05:30", "UTC+0", "GMT", "EST", "EST5EDT", "Japan", "Factory",
		"Etc", "Etc/", "/UTC", "./UTC", "UTC/", "Etc//UTC", "Etc/../UTC", "Europe/London ", " Europe/London", "europe/london",
		"posix/Europe/London", "right/UTC", "posixrules", "tzdata.zi", "zone.tab", "America/New_York\n", "Ａmerica/New_York",
	} {
		arguments, err := json.Marshal(map[string]string{"timezone": name})
		if err != nil {
			t.Fatal(err)
		}
		if _, code := call(t, noon, string(arguments)); code != CodeUnknownTimezone {
			t.Errorf("%q: code %q", name, code)
		}
	}
	for _, name := range []string{"UTC", "Etc/UTC", "Etc/GMT+5", "US/Eastern", "America/Indiana/Knox", "America/Port-au-Prince"} {
		if _, code := call(t, noon, `{"timezone":"`+name+`"}`); code != "" {
			t.Errorf("%q: code %q", name, code)
		}
	}
}

// spec: VB-12
func TestRenderingAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		clock string
		zone  string
		want  output
	}{
		{"1969-12-31T23:59:59.5Z", "UTC", output{"1969-12-31T23:59:59.500000+00:00", "UTC", "+00:00", -1, "Wednesday"}},
		{"2026-01-01T00:00:00.0000009Z", "UTC", output{"2026-01-01T00:00:00.000000+00:00", "UTC", "+00:00", 1767225600, "Thursday"}},
		{"0001-01-01T00:00:00Z", "UTC", output{"0001-01-01T00:00:00.000000+00:00", "UTC", "+00:00", -62135596800, "Monday"}},
		{"1900-01-01T00:00:00Z", "Europe/Amsterdam", output{"1900-01-01T00:19:32.000000+00:19:32", "Europe/Amsterdam", "+00:19", -2208988800, "Monday"}},
		{"1900-01-01T00:00:00Z", "Africa/Monrovia", output{"1899-12-31T23:16:52.000000-00:43:08", "Africa/Monrovia", "-00:43", -2208988800, "Sunday"}},
		{"2500-07-01T12:00:00Z", "America/New_York", output{"2500-07-01T08:00:00.000000-04:00", "America/New_York", "-04:00", 16740907200, "Thursday"}},
		{"2026-07-15T12:00:00Z", "Asia/Kathmandu", output{"2026-07-15T17:45:00.000000+05:45", "Asia/Kathmandu", "+05:45", 1784116800, "Wednesday"}},
		{"2026-07-15T12:00:00Z", "Etc/GMT+12", output{"2026-07-15T00:00:00.000000-12:00", "Etc/GMT+12", "-12:00", 1784116800, "Wednesday"}},
	} {
		clock, err := time.Parse(time.RFC3339Nano, c.clock)
		if err != nil {
			t.Fatal(err)
		}
		result, code := call(t, fixed(clock), `{"timezone":"`+c.zone+`"}`)
		if code != "" {
			t.Errorf("%s %s: code %s", c.clock, c.zone, code)
			continue
		}
		if diff := cmp.Diff(c.want, structuredOf(t, result)); diff != "" {
			t.Errorf("%s %s: %s", c.clock, c.zone, diff)
		}
	}
}

// spec: VB-11
func TestWithoutAClockTheToolIsUnavailable(t *testing.T) {
	if _, code := call(t, nil, `{}`); code != tool.CodeUnavailable {
		t.Errorf("code %q", code)
	}
}

func TestCancelledCallIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	spec := Spec()
	_, err := spec.Run(ctx, tool.Env{Host: tool.Host{Clock: noon}}, tool.Args{Canonical: []byte(`{}`)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// spec: VB-12, VB-26, VB-35
func TestTheOneFailureHasAFixedSentence(t *testing.T) {
	want := []tool.Reason{{
		Code: CodeUnknownTimezone, Status: tool.StatusFailed, Remediation: tool.RemediationModifyArguments,
		Sentence: "Unknown timezone. Provide an IANA name such as UTC, America/New_York, or Europe/London.",
	}}
	if diff := cmp.Diff(want, Spec().Reasons); diff != "" {
		t.Error(diff)
	}
	for _, arguments := range []string{`{"timezone":"Mars/Zebra"}`, `{"timezone":["Zebra"]}`, `{"Zebra":1}`} {
		spec := Spec()
		_, err := spec.Run(t.Context(), tool.Env{Host: tool.Host{Clock: noon}}, tool.Args{Canonical: []byte(arguments)})
		if err == nil || strings.Contains(err.Error(), "Zebra") {
			t.Errorf("%s: error %v", arguments, err)
		}
	}
}

// spec: VB-3
func TestClassificationIsThatOfAPureRead(t *testing.T) {
	spec := Spec()
	want := tool.Class{
		SideEffect: tool.EffectNone, Risk: tool.RiskLow, Idempotency: tool.IdempotencyReadOnly,
		Action: tool.ActionToolCall, OutputTrust: tool.TrustInternalTool, Target: tool.TargetInProcess,
		Timeout: 2 * time.Second, OnTimeout: tool.TimeoutKill, MaxBytes: 4096, Parallel: true,
	}
	if diff := cmp.Diff(want, spec.Class); diff != "" {
		t.Error(diff)
	}
	if spec.ID != "system.current_time" || spec.WireName() != "system_current_time" || spec.Version != "1.0.0" ||
		spec.Set != "exact" || !spec.Offered(tool.CatalogPlan) || !spec.Offered(tool.CatalogWork) {
		t.Errorf("identity: %s %s %s %s %v", spec.ID, spec.WireName(), spec.Version, spec.Set, spec.Catalogs)
	}
}

// spec: VB-11
func TestSchemaBoundsTheName(t *testing.T) {
	var in struct {
		Properties struct {
			Timezone struct {
				Type      string
				Default   string
				MaxLength int
			}
		}
		Required             []string
		AdditionalProperties *bool
	}
	if err := json.Unmarshal(Spec().Input, &in); err != nil {
		t.Fatal(err)
	}
	if z := in.Properties.Timezone; z.Type != "string" || z.Default != "UTC" || z.MaxLength != 64 || len(in.Required) != 0 {
		t.Errorf("%+v", in)
	}
	if in.AdditionalProperties == nil || *in.AdditionalProperties {
		t.Error("other properties are let in")
	}
}
