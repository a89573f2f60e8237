package bridge

import (
	"slices"
	"strings"

	"countersign/backend/tool"
)

// sets lists the registered tools by the set that switches them.
func (a *API) sets() []SetRow {
	out := []SetRow{}
	enabled := a.engine.EnabledSets()
	for _, spec := range a.engine.Specs() {
		i := slices.IndexFunc(out, func(s SetRow) bool { return s.Name == spec.Set })
		if i < 0 {
			i = len(out)
			out = append(out, setRow(&spec, slices.Contains(enabled, spec.Set)))
		}
		out[i].Tools = append(out[i].Tools, a.toolRow(&spec))
	}
	slices.SortFunc(out, func(x, y SetRow) int { return strings.Compare(x.Name, y.Name) })
	return out
}

func setRow(spec *tool.Spec, enabled bool) SetRow {
	row := SetRow{Name: spec.Set, Origin: originWords(spec), Enabled: enabled, Status: "loaded", Words: setWords(spec.Set)}
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

func (a *API) toolRow(spec *tool.Spec) ToolRow {
	ok, reason := a.engine.Availability(spec)
	row := ToolRow{
		ID: spec.ID, Wire: spec.WireName(), Version: spec.Version, Description: spec.Description,
		Class: classRow(spec.Class), Parameters: parameterRows(spec), Available: ok, Reason: reason,
	}
	for _, c := range spec.Catalogs {
		row.Catalogs = append(row.Catalogs, string(c))
	}
	return row
}
