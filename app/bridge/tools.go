package bridge

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"countersign/backend"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/tool"
)

// catalog lists the tools by the sets that switch them: those that are built in, then the others
// in the order in which they hide each other.
func (a *API) catalog(ctx context.Context) (CatalogView, error) {
	totals, err := a.engine.ToolTotals(ctx)
	if err != nil {
		return CatalogView{}, err
	}
	sets, err := a.engine.ToolSets(ctx, backend.SetPlace{}, false)
	if err != nil && !errors.Is(err, backend.ErrNoWorkspace) {
		return CatalogView{}, err
	}
	return CatalogView{
		Sets:    append(a.builtin(totals), a.external(&sets, totals)...),
		Loading: sets.Loading, Off: sets.Off, Stale: sets.Stale,
	}, nil
}

// builtin lists the built-in tools by their sets.
func (a *API) builtin(totals map[string]ToolTotal) []SetRow {
	out := []SetRow{}
	enabled, calls := a.engine.EnabledSets(), map[string]int64{}
	for _, spec := range a.engine.Specs() {
		if spec.Source != tool.SourceBuiltin {
			continue
		}
		i := slices.IndexFunc(out, func(s SetRow) bool { return s.Name == spec.Set })
		if i < 0 {
			i = len(out)
			out = append(out, setRow(&spec, slices.Contains(enabled, spec.Set)))
		}
		out[i].Tools = append(out[i].Tools, a.toolRow(&spec, totals[spec.ID]))
		calls[spec.Set] += totals[spec.ID].Calls
		out[i].Calls = strconv.FormatInt(calls[spec.Set], 10)
	}
	slices.SortFunc(out, func(x, y SetRow) int { return strings.Compare(x.Name, y.Name) })
	return out
}

func setRow(spec *tool.Spec, enabled bool) SetRow {
	row := SetRow{
		Key: "builtin/" + spec.Set, Name: spec.Set, Source: string(tool.SourceBuiltin), Origin: originWords(spec),
		Enabled: enabled, Status: "loaded", Words: setWords(spec.Set), Switchable: true,
	}
	if !enabled {
		row.Status = "disabled"
	}
	return row
}

func setWords(set string) string {
	switch set {
	case "coding":
		return "Read, change and search files; run commands."
	case "exact":
		return "Exact arithmetic and the time."
	case "demo":
		return "Writes to a pretended service, to try approvals."
	}
	return ""
}

func (a *API) toolRow(spec *tool.Spec, total ToolTotal) ToolRow {
	ok, reason := a.engine.Availability(spec)
	row := ToolRow{
		ID: spec.ID, Wire: spec.WireName(), Version: spec.Version, Description: spec.Description,
		Does: doesWords(spec.Class.SideEffect), Class: classRow(spec.Class), Fields: fieldRows(spec.Input), Schema: indented(spec.Input),
		ModelBytes: strconv.Itoa(spec.Bounding.Bytes()), ModelLines: strconv.Itoa(spec.Bounding.Lines()),
		Declared: declaredWords(spec), Standing: standingOf(spec, a.engine.Standing(spec)),
		Calls: strconv.FormatInt(total.Calls, 10), FailedAt: stampOf(total.FailedAt), FailedWords: failureWords(total.FailedBy),
		Available: ok, Reason: reason,
	}
	for _, c := range spec.Catalogs {
		row.Catalogs = append(row.Catalogs, string(c))
	}
	return row
}

// declaredWords is what is said about approval where the tool comes from. A built-in tool
// has no author but us: the preset decides.
func declaredWords(spec *tool.Spec) string {
	switch {
	case spec.Source == tool.SourceBuiltin:
		return "By preset"
	case spec.Always:
		return "Always"
	case spec.Source == tool.SourceSet:
		return "Inherits"
	}
	return "Not declared"
}

// failureWords says in a word or two how a call failed; the call itself says it in full.
func failureWords(code tool.Code) string {
	switch code {
	case "":
		return ""
	case tool.CodeArgumentsInvalid:
		return "Wrong arguments"
	case tool.CodeTimeout:
		return "Timed out"
	case tool.CodeUncertain:
		return "End not known"
	case tool.CodeUnavailable:
		return "Unavailable"
	case tool.CodeOutputTooLarge:
		return "Result too large"
	}
	return "Failed"
}

// standingOf tells what an ordinary call of a tool would get.
func standingOf(spec *tool.Spec, s registry.Standing) Standing {
	switch {
	case !s.SetOn:
		return Standing{Answer: "off", Short: "Off", Words: "It is refused: the set is off.", Why: []Why{{
			Layer: string(tool.LayerSet), Verdict: string(tool.VerdictDeny), Setting: "toolSets",
			Text: "The set is off, so its tools are offered to nobody and every call of them is refused.",
		}}}
	case !s.InCatalog:
		return Standing{Answer: "catalog", Short: "Not offered", Words: "It is refused: this catalog does not offer it.", Why: []Why{{
			Layer: string(tool.LayerSet), Verdict: string(tool.VerdictDeny), Setting: "catalog",
			Text: "The catalog in force offers only tools that change nothing. Catalog Work would offer it.",
		}}}
	}
	why := whyAll(&s.Decision)
	if s.Decision.Verdict == tool.VerdictAsk {
		why = slices.DeleteFunc(whyAsked(s.Decision), func(w Why) bool { return w.Layer == string(tool.LayerGrant) })
	}
	short, words := foreseenWords(s.Foreseen)
	return Standing{Answer: string(s.Foreseen), Short: short, Words: words, Why: why}
}

// foreseenWords says what a call would get, for a list and in a sentence.
func foreseenWords(f policy.Foreseen) (short, words string) {
	switch f {
	case policy.ForeseenAllow:
		return "Runs", "It runs without a question."
	case policy.ForeseenAsk:
		return "Asks", "It asks you, and you can allow it for the session."
	case policy.ForeseenOnce, policy.ForeseenInsist:
		return "Asks, once only", "It asks you each time, whatever was allowed before."
	case policy.ForeseenRestrict:
		return "Always asks", "It always asks you, once only, whatever the preset."
	case policy.ForeseenReview, policy.ForeseenReviewOnce:
		return "Reviewer", "A reviewer judges it first. None is set up, so it asks you."
	case policy.ForeseenDeny:
		return "Denied", "It is denied, and nobody is asked."
	}
	return "Unknown", "Nothing is known of it, so it is denied."
}
