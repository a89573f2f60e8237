package toolset

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"countersign/backend/schema"
	"countersign/backend/tool"
	"countersign/backend/toolset/manifest"
)

// called is the vector of a call without its program, or the error.
func called(t *testing.T, set, command []string, flags [][2]string, text string) ([]string, error) {
	t.Helper()
	arguments, err := schema.ReadObject([]byte(text))
	if err != nil {
		return nil, err
	}
	one := manifest.Tool{Command: command}
	for _, f := range flags {
		one.Flags = append(one.Flags, manifest.Flag{Property: f[0], Word: f[1]})
	}
	all, err := vector(&manifest.Set{Command: set}, one, arguments)
	if err != nil {
		return nil, err
	}
	return all[1:], nil
}

// spec: CX-14, CX-16, CX-19
func TestCasesOfArgumentVectors(t *testing.T) {
	data, err := os.ReadFile("../../tools/testdata/cases/exec.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range bytes.Lines(data) {
		var c struct {
			ID, Area, Title string
			Setup           struct {
				Set  []string    `json:"set_command"`
				Tool []string    `json:"tool_command"`
				Map  [][2]string `json:"argv_map"`
				Raw  string      `json:"args_raw"`
			}
			Expect struct {
				Argv    []string `json:"argv_after_executable"`
				Refused string
			}
		}
		if err := json.Unmarshal(line, &c); err != nil {
			var other struct{ Area string }
			if json.Unmarshal(line, &other) == nil && other.Area != "argv" {
				continue
			}
			t.Fatal(err)
		}
		// An empty path is refused where paths are resolved.
		if c.Area != "argv" || c.Expect.Refused == "empty path" {
			continue
		}
		ran++
		got, err := called(t, c.Setup.Set, c.Setup.Tool, c.Setup.Map, c.Setup.Raw)
		if (err != nil) != (c.Expect.Refused != "") || err == nil && !slices.Equal(got, c.Expect.Argv) {
			t.Errorf("%s %s: %q, %v", c.ID, c.Title, got, err)
		}
	}
	if ran < 20 {
		t.Errorf("only %d cases", ran)
	}
}

// spec: CX-17, CX-18
func TestValuesThatAreNoArgumentsRefuseTheCall(t *testing.T) {
	flags := [][2]string{{"b", "--b"}, {"a", "--a"}}
	for _, value := range []string{`null`, `{}`, `{"x":1}`, `[1]`, `["x",1]`, `["x",null]`, `[["x"]]`, `"a\u0000b"`, `["\u0000"]`, `[true]`} {
		got, err := called(t, []string{"run"}, nil, flags, `{"b":"first","a":`+value+`}`)
		refused, ok := err.(*tool.Error)
		if got != nil || !ok || refused.Code != tool.CodeArgumentsInvalid || len(refused.Content) != 1 {
			t.Errorf("%s gave %q, %v", value, got, err)
		}
	}
	rows := []struct {
		value string
		want  []string
	}{
		{`[]`, nil}, {`["x","","-y"]`, []string{"--a", "x", "--a", "", "--a", "-y"}}, {`true`, []string{"--a", "true"}}, {`false`, []string{"--a", "false"}},
		{`""`, []string{"--a", ""}}, {`1e400`, []string{"--a", "1e400"}}, {`"a\nb"`, []string{"--a", "a\nb"}},
	}
	for _, row := range rows {
		got, err := called(t, []string{"run"}, nil, flags, `{"a":`+row.value+`}`)
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("%s gave %q, %v; want %q", row.value, got, err, row.want)
		}
	}
}

func TestTheVectorOfOneCallIsNotThatOfTheNext(t *testing.T) {
	set := &manifest.Set{Command: append(make([]string, 0, 8), "run")}
	one := manifest.Tool{Flags: []manifest.Flag{{Property: "a", Word: "-a"}}}
	first, _ := vector(set, one, map[string]any{"a": "1"})
	second, _ := vector(set, one, map[string]any{"a": "2"})
	if strings.Join(first, " ") != "run -a 1" || strings.Join(second, " ") != "run -a 2" {
		t.Errorf("%q, %q", first, second)
	}
}
