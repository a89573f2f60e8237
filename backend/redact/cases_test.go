package redact_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"countersign/backend/redact"
)

// one is a case of the collection. Parts are joined, so that no file holds a token as it
// would stand in a text.
type one struct {
	ID, Group, Title string
	Parts            []any
	Expect           struct {
		Surfaces  []string
		Never     [][]any  `json:"must_not_contain_any_joined"`
		Contains  []string `json:"must_contain"`
		Exact     string
		Unchanged bool
	}
	LimitChars int `json:"limit_chars"`
}

// joined puts the parts of a text together.
func joined(t *testing.T, parts []any) string {
	t.Helper()
	var b strings.Builder
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			b.WriteString(v)
		case map[string]any:
			repeat, _ := v["repeat"].([]any)
			if len(repeat) != 2 {
				t.Fatalf("a part that is not known: %v", v)
			}
			unit, _ := repeat[0].(string)
			if many, is := repeat[0].([]any); is {
				unit = joined(t, many)
			}
			n, _ := repeat[1].(float64)
			b.WriteString(strings.Repeat(unit, int(n)))
		default:
			t.Fatalf("a part that is not known: %v", p)
		}
	}
	return b.String()
}

func cases(t *testing.T) []one {
	t.Helper()
	f, err := os.Open("../../tools/testdata/cases/redact.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []one
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c one
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("read %d cases: %v", len(out), err)
	}
	return out
}

func TestEveryCaseHidesWhatItSaysAndNoMore(t *testing.T) {
	for _, c := range cases(t) {
		if c.Parts == nil || c.Expect.Unchanged {
			// Values of a program and the files that keep output whole are no texts that are
			// copied: tests beside the registry and the command line show these cases.
			continue
		}
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			text := joined(t, c.Parts)
			copies := map[string]string{"text": redact.Text(text, "")}
			if json.Valid([]byte(text)) {
				copies["JSON"], _ = redact.JSON(text, "")
				if !json.Valid([]byte(copies["JSON"])) {
					t.Errorf("the copy is no JSON: %s", copies["JSON"])
				}
			}
			if c.LimitChars > 0 {
				copies["beginning"], _ = redact.Head(text, c.LimitChars, "")
			}
			for as, got := range copies {
				c.holds(t, as, got)
			}
		})
	}
}

func (c *one) holds(t *testing.T, as, got string) {
	t.Helper()
	for _, secret := range c.Expect.Never {
		if strings.Contains(got, joined(t, secret)) {
			t.Errorf("as %s it still shows a secret: %.200q", as, got)
		}
	}
	for _, want := range c.Expect.Contains {
		if !strings.Contains(got, want) {
			t.Errorf("as %s it does not show %q: %.200q", as, want, got)
		}
	}
	if c.Expect.Exact != "" && got != c.Expect.Exact {
		t.Errorf("as %s it is %q, want %q", as, got, c.Expect.Exact)
	}
}
