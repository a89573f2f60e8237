package glob

import (
	"cmp"
	"path"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/lookup"
	"countersign/backend/spelling"
	"countersign/backend/tool"
)

// kin counts the extensions of files that fit a pattern but for its extension, and of all
// files, for when nothing fits.
type kin struct {
	of       pattern
	like     string
	fit, all map[string]int
}

func (k *kin) meet(below string) {
	ext := path.Ext(below)
	wanted := k.of.ext()
	if wanted == "" || ext == "" || ext == path.Base(below) {
		return
	}
	if k.all == nil {
		k.fit, k.all = map[string]int{}, map[string]int{}
		k.like = strings.TrimSuffix(k.of.glob, wanted)
	}
	k.all[ext]++
	if (pattern{k.like}).fits(strings.TrimSuffix(below, ext)) {
		k.fit[ext]++
	}
}

// nearest is the extension that is most like the wanted one, and how many files have it.
// Among equals the commonest counts.
func (k *kin) nearest() (string, int) {
	from := k.fit
	if len(from) == 0 {
		from = k.all
	}
	wanted, best := k.of.ext(), ""
	apart := func(ext string) int {
		return spelling.Distance([]rune(strings.ToLower(wanted)), []rune(strings.ToLower(ext)))
	}
	for ext := range from {
		order := cmp.Or(cmp.Compare(apart(ext), apart(best)), cmp.Compare(from[best], from[ext]), strings.Compare(ext, best))
		if best == "" || order < 0 {
			best = ext
		}
	}
	return best, from[best]
}

// nothing is the answer when no file fits.
func (in input) nothing(p tool.Path, other *kin) tool.Result {
	text := "No files match " + lookup.Quote(in.Pattern) + " under " + p.Shown() + "."
	if ext, n := other.nearest(); n > 0 {
		text += " Nearest existing extension: " + tool.ShowPath(ext) + " (" + bound.Plural(int64(n), "file") + ")."
	}
	zero := 0
	return tool.Result{
		Content:  []tool.Part{tool.TextPart(text)},
		Metadata: tool.Metadata{Title: "Glob " + tool.ShowPath(in.Pattern) + " · no files", Files: &zero, Extra: map[string]any{"pattern": in.Pattern, "path": p.Short(), "paths": []shownFile{}}},
	}
}
