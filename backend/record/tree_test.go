package record

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
)

// A fact that is added to what is told needs nothing here.
func TestNewFactsAreTold(t *testing.T) {
	type inner struct {
		Kept []int `json:"kept"`
	}
	type Base struct {
		Number int64 `json:"number"`
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	yes := true
	v := struct {
		Base
		Plain   string
		Named   string            `json:"named,omitempty"`
		Foreign tool.Untrusted    `json:"foreign"`
		JSON    []byte            `json:"json"`
		Raw     json.RawMessage   `json:"raw"`
		Bytes   []byte            `json:"bytes"`
		At      *time.Time        `json:"at"`
		Yes     *bool             `json:"yes"`
		Deep    []inner           `json:"deep"`
		Map     map[string]string `json:"map"`
		Any     any               `json:"any"`
		Empty   string            `json:"empty"`
		Nothing []string          `json:"nothing"`
		Out     string            `json:"-"`
		hidden  string
	}{
		Base{7}, "p", "n", tool.Mark("f"), []byte(`{"a":1}`), json.RawMessage(`[2]`), []byte{0xff, 'x'}, &at, &yes,
		[]inner{{[]int{1, 2}}}, map[string]string{"k": "v"}, "any", "", []string{}, "out", "hidden",
	}
	_ = v.hidden
	loud := copying{func(s string) string { return "<" + s + ">" }, func(s string) string { return "{" + s + "}" }}
	want := map[string]any{
		"number": json.Number("7"), "Plain": "<p>", "named": "<n>", "foreign": "<f>", "json": `{{"a":1}}`, "raw": "{[2]}", "bytes": "<\ufffdx>",
		"at": "2026-01-02T03:04:05.006Z", "yes": true, "deep": []any{map[string]any{"kept": []any{json.Number("1"), json.Number("2")}}},
		"map": map[string]any{"<k>": "<v>"}, "any": "<any>",
	}
	if d := cmp.Diff(want, tree(v, loud)); d != "" {
		t.Error(d)
	}
}
