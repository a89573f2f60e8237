package currenttime

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"countersign/backend/tool"
)

// fixed is a clock that stands still.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f).UTC() }

type timeCase struct {
	ID        string
	Clock     time.Time
	Arguments json.RawMessage
	// Environment changes the machine's own database, which must not matter.
	Environment struct{ ZONEINFO string }
	Expect      struct {
		OK         bool
		Content    string
		ReasonCode tool.Code `json:"reason_code"`
		output
	}
}

func readCases(t *testing.T) []timeCase {
	t.Helper()
	data, err := os.ReadFile("../testdata/cases/time.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []timeCase
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var c timeCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) < 40 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

func call(t *testing.T, clock tool.Clock, arguments string) (tool.Result, tool.Code) {
	t.Helper()
	spec := Spec()
	result, err := spec.Run(t.Context(), tool.Env{Host: tool.Host{Clock: clock}}, tool.Args{Canonical: []byte(arguments)})
	if err == nil {
		return result, ""
	}
	failure, ok := errors.AsType[*tool.Error](err)
	if !ok {
		t.Fatalf("not a coded failure: %v", err)
	}
	return result, failure.Code
}

func structuredOf(t *testing.T, result tool.Result) output {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(result.Structured))
	decoder.DisallowUnknownFields()
	var out output
	if err := decoder.Decode(&out); err != nil {
		t.Fatalf("structured result: %v", err)
	}
	return out
}

// wrongSeconds are cases whose unix_seconds is not the whole seconds rounded down.
// 9999-12-31T23:59:59.999999 is 253402300799 and a fraction; the line has the next
// second, which is what the fraction becomes in a double.
var wrongSeconds = map[string]struct{ given, right int64 }{
	"time-052": {253402300800, 253402300799},
}

// spec: VB-11, VB-12
func TestCasesGetTheirAnswer(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			if c.Environment.ZONEINFO != "" {
				t.Setenv("ZONEINFO", c.Environment.ZONEINFO)
			}
			result, code := call(t, fixed(c.Clock), string(c.Arguments))
			if code != c.Expect.ReasonCode {
				t.Fatalf("code %q, want %q", code, c.Expect.ReasonCode)
			}
			if !c.Expect.OK {
				return
			}
			want := c.Expect.output
			if wrong, ok := wrongSeconds[c.ID]; ok && want.UnixSeconds == wrong.given {
				want.UnixSeconds = wrong.right
			}
			if got := structuredOf(t, result); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if len(result.Content) != 1 || result.Content[0].Text.Open() != c.Expect.Content {
				t.Errorf("content %v, want %q", result.Content, c.Expect.Content)
			}
		})
	}
}
