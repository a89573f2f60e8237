package main

import (
	"countersign/backend"
	"countersign/backend/session"
	"countersign/backend/shelf"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// withSets adds the tool sets that are not built in, in the order in which they take names.
func (c catalogLine) withSets(found backend.ToolSets, rules session.Rules) catalogLine {
	for i := range found.Sets {
		c.Sets = append(c.Sets, setLineOf(&found.Sets[i], rules))
	}
	for _, n := range found.Notes {
		c.Notes = append(c.Notes, noteLine{Set: n.Set, Field: n.Field, Text: n.Text})
	}
	return c
}

func setLineOf(s *shelf.Set, rules session.Rules) setLine {
	out := setLine{
		Origin: string(s.Tree.Origin), Directory: s.Directory, Tree: s.Tree.Folder, Status: string(s.Status), Tools: []toolLine{},
		// A manifest that was not read says nothing, and what it does not say is on.
		Enabled: s.Set == nil || s.Set.Enabled,
	}
	if s.Status != toolset.StatusLoaded {
		return out
	}
	for _, spec := range s.Specs {
		out.Tools = append(out.Tools, toolLineOf(spec, rules))
	}
	return out
}

// specsOf are the tools that are built in, and those of the sets that are loaded.
func specsOf(builtin []tool.Spec, found backend.ToolSets) []tool.Spec {
	for _, s := range found.Sets {
		for _, spec := range s.Specs {
			builtin = append(builtin, *spec)
		}
	}
	return builtin
}
