package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"countersign/app/desk"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// describeWidth is how many characters of a description stand on a line.
const describeWidth = 84

// describe prints everything about one tool, a line each.
func describe(w io.Writer, spec *tool.Spec, s setLine, notes []noteLine) error {
	c := spec.Class
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n", desk.Visible(spec.ID))
	for _, line := range wrapped(spec.Description, describeWidth) {
		fmt.Fprintf(t, "  %s\n", desk.Visible(line))
	}
	for _, row := range [][2]string{
		{"name on the wire", spec.WireName()},
		{"version", spec.Version + told(spec.Deprecated, ", deprecated")},
		{"set", s.Directory + ", " + s.Origin + ", " + s.Status},
		{"catalogs", joined(spec.Catalogs)},
		{"approval", cmp.Or(strings.Trim(approvalText(s.Origin, s.Tools[0].Approval), "-"), presetText(spec))},
		{"side effect", string(c.SideEffect)},
		{"risk", string(c.Risk)},
		{"idempotency", string(c.Idempotency)},
		{"action", string(c.Action)},
		{"target", string(c.Target)},
		{"scopes", joined(c.Scopes)},
		{"output trust", string(c.OutputTrust)},
		{"timeout", timeoutText(c.Timeout)},
		{"on timeout", string(c.OnTimeout)},
		{"max bytes", bytesText(c.MaxBytes)},
		{"parallel", told(c.Parallel, "yes") + told(!c.Parallel, "no")},
	} {
		fmt.Fprintf(t, "%s\t%s\n", row[0], desk.Visible(row[1]))
	}
	for i, p := range parametersOf(spec.Input) {
		fmt.Fprintf(t, "%s\t%s\n", told(i == 0, "parameters"), desk.Visible(p))
	}
	for _, n := range notes {
		fmt.Fprintf(t, "note\t%s\n", desk.Visible(n.Text))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the tool: %w", err)
	}
	return nil
}

func told(is bool, words string) string {
	if is {
		return words
	}
	return ""
}

func joined[T ~string](list []T) string {
	var out []string
	for _, v := range list {
		out = append(out, string(v))
	}
	return cmp.Or(strings.Join(out, ", "), "none")
}

func timeoutText(d time.Duration) string {
	if d <= 0 {
		return "none"
	}
	return d.String()
}

func bytesText(n int64) string {
	if n <= 0 {
		return "none"
	}
	return fmt.Sprintf("%d", n)
}

// parameter is what is said about one parameter of a tool.
type parameter struct {
	Type        json.RawMessage `json:"type"`
	Description string          `json:"description"`
	Enum        []any           `json:"enum"`
	Minimum     json.Number     `json:"minimum"`
	Maximum     json.Number     `json:"maximum"`
	MinLength   json.Number     `json:"minLength"`
	MaxLength   json.Number     `json:"maxLength"`
	MaxItems    json.Number     `json:"maxItems"`
}

// parametersOf says each parameter of a schema on a line, those first that must be given.
func parametersOf(schema json.RawMessage) []string {
	var object struct {
		Properties map[string]parameter `json:"properties"`
		Required   []string             `json:"required"`
	}
	if err := json.Unmarshal(schema, &object); err != nil || len(object.Properties) == 0 {
		return []string{"none"}
	}
	names := slices.SortedFunc(maps.Keys(object.Properties), func(a, b string) int {
		order := func(name string) int {
			if i := slices.Index(object.Required, name); i >= 0 {
				return i
			}
			return len(object.Required)
		}
		return cmp.Or(cmp.Compare(order(a), order(b)), strings.Compare(a, b))
	})
	for i, name := range names {
		p := object.Properties[name]
		must := told(slices.Contains(object.Required, name), "required") + told(!slices.Contains(object.Required, name), "optional")
		names[i] = fmt.Sprintf("%s (%s): %s", name, strings.Join(append([]string{must}, p.limits()...), ", "), p.Description)
	}
	return names
}

func (p parameter) limits() []string {
	var out []string
	if kind := string(bytes.Trim(p.Type, `"`)); kind != "" {
		out = append(out, kind)
	}
	for _, v := range p.Enum {
		out = append(out, fmt.Sprint(v))
	}
	for _, bound := range []struct {
		words string
		n     json.Number
	}{
		{"from %s", p.Minimum},
		{"to %s", p.Maximum},
		{"at least %s characters", moreThanOne(p.MinLength)},
		{"at most %s characters", p.MaxLength},
		{"at most %s items", p.MaxItems},
	} {
		if bound.n != "" {
			out = append(out, fmt.Sprintf(bound.words, bound.n))
		}
	}
	return out
}

// presetText says what becomes of an ordinary call of a tool that declares nothing itself.
func presetText(spec *tool.Spec) string {
	for _, p := range session.Presets() {
		_, foreseen := policy.ForeseeTool(spec, session.Rules{Preset: p, Profile: session.ProfileDesktop, Catalog: tool.CatalogWork}, spec.Class.Scopes)
		if foreseen != policy.ForeseenRestrict && foreseen != policy.ForeseenInsist {
			return "as the preset says"
		}
	}
	if spec.Effect != nil {
		return "asked for every time, in every preset, unless the arguments do less"
	}
	return "asked for every time, in every preset"
}

// moreThanOne drops a least length of one, which "required" says well enough.
func moreThanOne(n json.Number) json.Number {
	if n == "1" {
		return ""
	}
	return n
}

// wrapped breaks a text into lines of up to width characters, at its spaces.
func wrapped(text string, width int) []string {
	var out []string
	for paragraph := range strings.Lines(text) {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				out, line = append(out, line), ""
			}
			line += told(line != "", " ") + word
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
