package calculate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"countersign/backend/tool"
)

// calcCase is a line of the shared case file.
type calcCase struct {
	ID         string
	Expression *string
	Recipe     json.RawMessage `json:"expression_gen"`
	Characters int             `json:"expression_chars"`
	Arguments  json.RawMessage
	Expect     struct {
		Result       string
		ResultExact  bool `json:"result_exact"`
		Content      string
		ReasonCode   tool.Code `json:"reason_code"`
		AcceptExact  []bool    `json:"accept_exact"`
		RefusedAt    string    `json:"refused_at"`
		Retryable    bool
		AcceptReason []tool.Code `json:"accept_reason"`
	}
}

func readCases(t *testing.T) []calcCase {
	t.Helper()
	data, err := os.ReadFile("../testdata/cases/calc.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []calcCase
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c calcCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

// arguments returns the argument JSON of a case.
func (c calcCase) arguments(t *testing.T) []byte {
	t.Helper()
	if c.Arguments != nil {
		return c.Arguments
	}
	expression := ""
	if c.Expression != nil {
		expression = *c.Expression
	} else {
		expression = expand(t, c.Recipe)
		if n := utf8.RuneCountInString(expression); n != c.Characters {
			t.Fatalf("recipe gives %d characters, not %d", n, c.Characters)
		}
	}
	return argumentsOf(t, expression)
}

// expand follows a recipe: a string, {"repeat": [unit, n]} or {"concat": [...]}.
func expand(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var recipe struct {
		Repeat []json.RawMessage
		Concat []json.RawMessage
	}
	if err := json.Unmarshal(raw, &recipe); err != nil {
		t.Fatal(err)
	}
	if len(recipe.Repeat) == 2 {
		var n int
		if err := json.Unmarshal(recipe.Repeat[1], &n); err != nil {
			t.Fatal(err)
		}
		return strings.Repeat(expand(t, recipe.Repeat[0]), n)
	}
	var out strings.Builder
	for _, part := range recipe.Concat {
		out.WriteString(expand(t, part))
	}
	return out.String()
}

func argumentsOf(t testing.TB, expression string) []byte {
	t.Helper()
	raw, err := json.Marshal(map[string]string{"expression": expression})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// call runs the tool as the registry does and returns the code of a failure.
func call(t testing.TB, arguments []byte) (tool.Result, tool.Code) {
	t.Helper()
	spec := Spec()
	result, err := spec.Run(t.Context(), tool.Env{}, tool.Args{Canonical: arguments})
	if err == nil {
		return result, ""
	}
	failure, ok := errors.AsType[*tool.Error](err)
	if !ok {
		t.Fatalf("not a coded failure: %v", err)
	}
	return result, failure.Code
}

func structuredOf(t testing.TB, result tool.Result) output {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(result.Structured))
	decoder.DisallowUnknownFields()
	var out output
	if err := decoder.Decode(&out); err != nil {
		t.Fatalf("structured result: %v", err)
	}
	return out
}

// What the tool itself answers where the pipeline's schema would have refused: an
// absent or empty expression does not parse, and a value that is no text is still
// an argument that the schema does not have.
func (c calcCase) codeWithoutSchema(t *testing.T) tool.Code {
	t.Helper()
	var arguments struct{ Expression *string }
	if err := json.Unmarshal(c.Arguments, &arguments); err != nil {
		return tool.CodeArgumentsInvalid
	}
	return CodeSyntax
}

// spec: VB-4, VB-5, VB-6, VB-7, VB-8, VB-9, VB-10, VB-29, VB-33
func TestCasesGetTheirAnswer(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			arguments := c.arguments(t)
			result, code := call(t, arguments)
			want := c.Expect.ReasonCode
			if c.Expect.RefusedAt != "" {
				want = c.codeWithoutSchema(t)
			}
			if code != want {
				t.Fatalf("code %q, want %q", code, want)
			}
			if want != "" {
				return
			}
			got := structuredOf(t, result)
			exactFits := got.ResultExact == c.Expect.ResultExact
			if c.Expect.AcceptExact != nil {
				exactFits = slices.Contains(c.Expect.AcceptExact, got.ResultExact)
			}
			if got.Result != c.Expect.Result || !exactFits {
				t.Errorf("got %s exact %v, want %s exact %v", got.Result, got.ResultExact, c.Expect.Result, c.Expect.ResultExact)
			}
			var in input
			if err := json.Unmarshal(arguments, &in); err != nil || in.Expression != got.Expression {
				t.Errorf("the expression does not come back verbatim")
			}
			if len(result.Content) != 1 || result.Content[0].Text.Open() != c.Expect.Content {
				t.Errorf("content %v, want %q", result.Content, c.Expect.Content)
			}
		})
	}
}
