package bridge

import (
	"cmp"
	"encoding/json"
	"time"

	"countersign/backend/tool"
)

// foundFacts are the facts that grep and glob store of what they found.
type foundFacts struct {
	Groups []struct {
		Path  string `json:"path"`
		File  string `json:"file"`
		Lines []struct {
			Line  int      `json:"line"`
			Text  string   `json:"text"`
			Spans [][2]int `json:"spans"`
		} `json:"lines"`
	} `json:"groups"`
	Paths []struct {
		Path    string    `json:"path"`
		File    string    `json:"file"`
		ModTime time.Time `json:"mtime"`
	} `json:"paths"`
}

// foundOf tells what a search found. Facts that do not read as such are those of another
// tool, which may call its own by the same names.
func foundOf(m tool.Metadata) Found {
	out := Found{}
	switch {
	case m.Extra["groups"] != nil:
		out.Kind = "lines"
	case m.Extra["paths"] != nil:
		out.Kind = "files"
	default:
		return out
	}
	text, err := json.Marshal(m.Extra)
	if err != nil {
		return Found{}
	}
	var facts foundFacts
	if err := json.Unmarshal(text, &facts); err != nil {
		return Found{}
	}
	for _, g := range facts.Groups {
		group := MatchGroup{Path: cmp.Or(g.File, g.Path)}
		for _, l := range g.Lines {
			line := MatchLine{Line: l.Line, Text: l.Text}
			for _, s := range l.Spans {
				line.Spans = append(line.Spans, MatchSpan{From: s[0], To: s[1]})
			}
			group.Lines = append(group.Lines, line)
		}
		out.Groups = append(out.Groups, group)
	}
	for _, f := range facts.Paths {
		out.Files = append(out.Files, FoundFile{Path: cmp.Or(f.File, f.Path), ModifiedAt: stamp(f.ModTime)})
	}
	if m.Truncation != nil {
		out.Left = int(m.Truncation.OmittedLines)
	}
	return out
}
