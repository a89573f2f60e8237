package bridge

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"countersign/backend"
	"countersign/backend/policy/pathclass"
	"countersign/backend/registry"
	"countersign/backend/tool"
)

// maxTried bounds the text of a path that is tried, in bytes.
const maxTried = 4096

// PathRules returns the rules of protected paths, which come with the program.
func (a *API) PathRules() (PathRules, error) {
	return respond(a, "PathRules", func(context.Context) (PathRules, error) {
		return PathRules{Workspace: a.workspace, Groups: a.pathGroups()}, nil
	})
}

// TryPath says what reading and writing a path would get. Nothing is opened or looked up.
func (a *API) TryPath(t PathTry) (PathVerdict, error) {
	return respond(a, "TryPath", func(context.Context) (PathVerdict, error) {
		switch {
		case strings.TrimSpace(t.Path) == "" || !utf8.ValidString(t.Path) || strings.ContainsRune(t.Path, 0):
			return PathVerdict{}, invalid("path", "is empty or no path")
		case len(t.Path) > maxTried:
			return PathVerdict{}, invalid("path", "is longer than 4096 bytes")
		}
		f := a.engine.ForeseePath(t.Path)
		return PathVerdict{
			Path: f.Path.Abs, Where: zoneWords(f.Path.Zone),
			Read:  pathAnswer(f.Class.Read, f.Read),
			Write: pathAnswer(f.Class.Write, f.Write),
		}, nil
	})
}

func pathAnswer(j pathclass.Judgement, s registry.Standing) PathAnswer {
	short, words := foreseenWords(s.Foreseen)
	out := PathAnswer{Answer: string(s.Foreseen), Hold: holdWord(j.Hold), Short: short, Words: words, Why: []Why{}}
	if j.Kind != pathclass.Ordinary {
		out.Is = sentenceOf(j.Words)
	}
	switch s.Decision.Verdict {
	case tool.VerdictAsk, tool.VerdictReview:
		out.Why = slices.DeleteFunc(whyAsked(s.Decision), func(w Why) bool { return w.Layer == string(tool.LayerGrant) })
	case tool.VerdictAllow, tool.VerdictDeny:
		out.Why = whyAll(&s.Decision)
	}
	return out
}

func holdWord(h pathclass.Hold) string {
	switch h {
	case pathclass.Blocked:
		return "blocked"
	case pathclass.Restricted:
		return "restricted"
	case pathclass.Free:
	}
	return "free"
}

func zoneWords(z tool.Zone) string {
	switch z {
	case tool.ZoneWorkspace:
		return "Inside the workspace"
	case tool.ZoneOutput:
		return "In the store of kept output"
	case tool.ZoneOwnHome:
		return "In Countersign's own folder"
	case tool.ZoneOutside:
	}
	return "Outside the workspace"
}

// sentenceOf begins words that complete a sentence with a capital letter.
func sentenceOf(words string) string {
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

// pathGroups tells the rules by what they hold. The folder of the product is no row of them,
// since where it lies is known only here.
func (a *API) pathGroups() []PathGroup {
	groups := []PathGroup{
		{Kind: "blocked", Label: "Blocked", Words: "Writing is denied, whatever was allowed. Nobody is asked."},
		{Kind: "credential", Label: "Secrets", Words: "Reading and writing ask you each time, once only. Profile Strict denies both."},
		{Kind: "protected", Label: "Protected from writing", Words: "Writing asks you each time, once only. Reading is as anywhere else."},
		{Kind: "marked", Label: "Marked", Words: "As anywhere else; a card that writes one says what it is."},
		{Kind: "free", Label: "Spared", Words: "Ordinary files, although a rule above would match them."},
	}
	if a.home != "" {
		groups[0].add(ownFolder(a.home))
	}
	for _, r := range pathclass.Rules() {
		groups[groupOf(r)].add(sentenceOf(r.Words), PathPattern{
			ID: r.ID, Text: r.Pattern, Except: r.Except, Example: r.Match, Systems: systemsWords(r.Systems),
		})
	}
	return groups
}

func ownFolder(home string) (words string, p PathPattern) {
	example := filepath.Join(home, "config.json")
	f := pathclass.Classify(pathclass.Place{Lexical: example, OwnHome: home})
	return sentenceOf(f.Write.Words) + "; reading is denied as well, but for kept output",
		PathPattern{ID: f.Write.Rule, Text: strings.TrimSuffix(home, "/") + "/", Example: example}
}

// groupOf is the place of a rule among the groups.
func groupOf(r pathclass.Rule) int {
	switch {
	case r.Write == pathclass.Blocked:
		return 0
	case r.Read == pathclass.Restricted:
		return 1
	case r.Write == pathclass.Restricted:
		return 2
	case r.Kind == pathclass.Marked:
		return 3
	}
	return 4
}

// add puts a pattern to those that mean the same.
func (g *PathGroup) add(words string, p PathPattern) {
	i := slices.IndexFunc(g.Rows, func(r PathMeaning) bool { return r.Words == words })
	if i < 0 {
		i = len(g.Rows)
		g.Rows = append(g.Rows, PathMeaning{Words: words})
	}
	g.Rows[i].Patterns = append(g.Rows[i].Patterns, p)
}

func systemsWords(all []pathclass.System) string {
	var out []string
	for _, s := range all {
		switch s {
		case pathclass.Linux:
			out = append(out, "Linux")
		case pathclass.Darwin:
			out = append(out, "macOS")
		case pathclass.Windows:
			out = append(out, "Windows")
		}
	}
	return strings.Join(out, ", ")
}

// pathForeseer is the part of an Engine that judges paths.
type pathForeseer interface {
	// ForeseePath says what the file tools would get at a path, which is not looked up.
	ForeseePath(text string) backend.ForeseenPath
}
