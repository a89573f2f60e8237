//go:build linux

package toolset_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// pathCase is a case about a path, with a verdict for each way in which a path is given.
type pathCase struct {
	ID, Title, Path string
	Setup           struct {
		Symlink map[string]string
		Chain   int `json:"symlink_chain"`
	}
	Expect struct{ Arg, Img string }
}

// place is where a path of a case lies here: its workspace is /w.
func (b *bed) place(path string) string {
	if rest, ok := strings.CutPrefix(path, "/w"); ok {
		return b.places.Workspace + rest
	}
	if rest, ok := strings.CutPrefix(path, "/outside"); ok {
		return b.workspace("../outside") + rest
	}
	return path
}

// lay makes the links of a case, and a picture wherever its path leads that is ours.
func (c *pathCase) lay(b *bed, picture bool) (path string) {
	for name, to := range c.Setup.Symlink {
		b.must(os.Symlink(b.place(to), b.workspace(name)))
	}
	b.must(os.MkdirAll(b.workspace("../outside"), 0o755))
	for i := range c.Setup.Chain {
		b.must(os.Symlink("l"+strconv.Itoa(i+2), b.workspace("l"+strconv.Itoa(i+1))))
	}
	if c.Setup.Chain > 0 {
		b.file("l"+strconv.Itoa(c.Setup.Chain+1), png)
	}
	path = b.place(c.Path)
	if p, err := b.host.Files.Resolve(path); picture && err == nil && p.Kind == tool.KindAbsent && strings.HasPrefix(p.Real, filepath.Dir(b.places.Workspace)+"/") {
		put(b.t, p.Real, []byte(png))
	}
	return path
}

func pathCases(t *testing.T) (out []pathCase) {
	t.Helper()
	data, err := os.ReadFile("../../tools/testdata/cases/paths.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var c pathCase
		var has struct{ Expect map[string]json.RawMessage }
		if err := json.Unmarshal(line, &has); err != nil {
			t.Fatal(err)
		}
		if has.Expect["arg"] == nil && has.Expect["img"] == nil {
			continue
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// The verdicts on a path argument. Runs without a question is what the loosest preset would do.
const (
	runs    = "runs"
	asks    = "asks"
	denied  = "denied"
	refused = "refused"
)

var argVerdicts = map[string][]string{
	"ok, inside":           {runs},
	"ok":                   {runs},
	"literal name":         {runs},
	"OUT (home) or a name": {runs, asks},
	"classified outside workspace: ask once, never auto":       {asks},
	"restricted: asks every time, Once only (strict: blocked)": {asks},
	"restricted: credential":                                   {asks},
	"restricted or outside: asks, Once only, never auto":       {asks},
	"blocked or restricted, never auto":                        {asks, denied},
	"error: empty path":                                        {refused},
	"error":                                                    {refused},
}

// spec: CT-27, CX-15
func TestCasesOfPathArguments(t *testing.T) {
	ran := 0
	for _, c := range pathCases(t) {
		if c.Expect.Arg == "" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			b := newBed(t)
			path := c.lay(b, false)
			spec := b.script(`cat > "$CRYSTAL_TOOL_DATA/in"; printf %s "$2" > "$CRYSTAL_TOOL_DATA/argv"`, map[string]any{
				"schema": json.RawMessage(`{"type":"object","properties":{"p":{}}}`), "argv": map[string]string{"p": "--p"}, "pathArguments": []string{"p"},
			})
			raw, err := json.Marshal(map[string]any{"p": path})
			b.must(err)
			got, real := b.verdict(spec, raw)
			if !slices.Contains(argVerdicts[c.Expect.Arg], got) {
				t.Errorf("%s: %s, want %s", c.Title, got, c.Expect.Arg)
			}
			if got != runs {
				return
			}
			if _, err := b.call(t.Context(), spec, string(raw)); err != nil {
				t.Fatal(err)
			}
			// The program is told where the path leads, in both ways.
			var read struct{ P string }
			b.must(json.Unmarshal([]byte(b.dataFile("in")), &read))
			if read.P != real || b.dataFile("argv") != real || !filepath.IsAbs(real) {
				t.Errorf("%s: it was told %q and %q, want %q", c.Title, read.P, b.dataFile("argv"), real)
			}
		})
	}
	if ran != 35 {
		t.Errorf("%d cases", ran)
	}
}

// verdict is what becomes of a call in the loosest preset of a trusted workspace, and where its
// first path leads.
func (b *bed) verdict(spec tool.Spec, raw []byte) (verdict, real string) {
	request, err := spec.Target(tool.Args{Canonical: raw, Written: raw})
	if err != nil {
		return refused, ""
	}
	var target tool.Target
	for _, use := range request.Paths {
		p, err := b.host.Files.Resolve(use.Arg)
		if err != nil {
			return refused, ""
		}
		target.Touches = append(target.Touches, tool.Touch{Path: p, Access: use.Access})
	}
	out := policy.Decide(policy.Facts{
		ToolID: spec.ID, Set: spec.Set, Source: spec.Source, Class: spec.Class, Effect: spec.Class.SideEffect, Target: target,
		Rules:   session.Rules{Preset: session.PresetFull, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop},
		Trusted: true, Workspace: b.places.Workspace, UserHome: "/home/user", OwnHome: b.places.Home, Origin: tool.TrustUser,
		SetOrigin: spec.Origin, Fingerprint: spec.Fingerprint,
	})
	if !slices.Contains(out.Decision.Capabilities, tool.CapProcessExecute) {
		b.t.Errorf("its capabilities are %v", out.Decision.Capabilities)
	}
	switch out.Decision.Verdict {
	case tool.VerdictAllow:
		return runs, target.Touches[0].Path.Real
	case tool.VerdictDeny:
		return denied, ""
	case tool.VerdictAsk, tool.VerdictReview:
	}
	return asks, ""
}

// nothingThere are paths at which nothing is: names that are taken as they are written, though a
// shell would read more into them, and a link that leads to nothing.
var nothingThere = map[string]bool{"path-039": true, "path-042": true, "path-062": true}

// spec: CX-25, CX-27
func TestCasesOfPathsOfImages(t *testing.T) {
	ran := 0
	for _, c := range pathCases(t) {
		if c.Expect.Img == "" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			b := newBed(t)
			b.images = true
			// What is said to be missing is; everything else is a picture wherever that can be one.
			path := c.lay(b, !strings.Contains(c.Expect.Img, "missing") && !nothingThere[c.ID])
			answer, err := json.Marshal(map[string]any{"images": []any{map[string]any{"mimeType": "image/png", "path": path}}})
			b.must(err)
			put(t, filepath.Join(b.home("probe"), "answer"), answer)
			spec := b.script(`cat "${0%/*}/answer"`, map[string]any{"output": "content"})
			r, err := b.call(t.Context(), spec, `{}`)
			if c.Expect.Img == "ok, inside" {
				if err != nil || len(r.Content) != 1 || r.Content[0].Type != tool.PartImage {
					t.Errorf("%s: %q %v", c.Title, said(r, err), err)
				}
				return
			}
			if code(err) != tool.CodeOutputInvalid || len(b.opened.paths) > 0 || len(b.media.kept) > 0 {
				t.Errorf("%s: %q %v, opened %q", c.Title, said(r, err), err, b.opened.paths)
			}
		})
	}
	if ran != 33 {
		t.Errorf("%d cases", ran)
	}
}

func TestEveryPathAmongTheArgumentsIsFenced(t *testing.T) {
	b := newBed(t)
	spec := b.script(`cat`, map[string]any{
		"schema": json.RawMessage(`{"type":"object","properties":{"p":{},"list":{},"other":{}}}`), "pathArguments": []string{"p", "list"},
	})
	w := b.places.Workspace
	rows := []struct{ raw, want string }{
		{`{"other":"../x","p":"a"}`, `{"other":"../x","p":"` + w + `/a"}`},
		{` { "z" : 1.50 , "list" : [ "b" , [ "c/../d" ] , null ] , "p":"a" } `, ` { "z" : 1.50 , "list" : ["` + w + `/b",["` + w + `/d"],null] , "p":"` + w + `/a" } `},
		{`{"\u0070":"a","list":[]}`, `{"\u0070":"` + w + `/a","list":[]}`},
		{`{"p":null}`, `{"p":null}`},
		{`{"p":"q\"\\\u00e9"}`, `{"p":"` + w + `/q\"\\é"}`},
		{`{}`, `{}`},
	}
	for _, row := range rows {
		if r, err := b.call(t.Context(), spec, row.raw); said(r, err) != row.want || err != nil {
			t.Errorf("%s: %q %v", row.raw, said(r, err), err)
		}
	}
	for _, raw := range []string{`{"p":1}`, `{"p":true}`, `{"p":{}}`, `{"p":{"path":"/etc/passwd"}}`, `{"list":[{"path":"/etc"}]}`, `{"list":["a",1]}`, `{"p":""}`, `{"list":[""]}`} {
		if _, err := b.call(t.Context(), spec, raw); code(err) != tool.CodeArgumentsInvalid {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if b.marks != len(rows) {
		t.Errorf("%d programs ran", b.marks)
	}
}

// What was judged is what is given: a call whose paths are others than those of its target does
// not run.
func TestPathsThatWereNotJudgedAreNotGiven(t *testing.T) {
	b := newBed(t)
	spec := b.script(`cat`, map[string]any{"schema": json.RawMessage(`{"type":"object","properties":{"p":{}}}`), "pathArguments": []string{"p"}})
	p, err := b.host.Files.Resolve("a")
	b.must(err)
	for _, touches := range [][]tool.Touch{nil, {{Path: p}, {Path: p}}} {
		for _, raw := range []string{`{"p":"a"}`, `{"p":"b"}`, `{"p":["a","b"]}`} {
			_, err := spec.Run(t.Context(), tool.Env{Host: b.host, Target: tool.Target{Touches: touches}}, tool.Args{Canonical: []byte(raw)})
			if code(err) != tool.CodePolicyPathMoved {
				t.Errorf("%s with %d paths: %v", raw, len(touches), err)
			}
		}
	}
}
