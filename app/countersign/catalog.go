package main

import (
	"slices"
	"strings"

	"countersign/backend"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// catalogLine is the catalog as tools list prints it in JSON.
type catalogLine struct {
	Sets  []setLine  `json:"sets"`
	Notes []noteLine `json:"notes"`
}

type setLine struct {
	// Origin is builtin, home, project or mcp; Tree is "" but for home and project.
	Origin    string     `json:"origin"`
	Directory string     `json:"directory"`
	Tree      string     `json:"tree"`
	Enabled   bool       `json:"enabled"`
	Status    string     `json:"status"`
	Tools     []toolLine `json:"tools"`
}

type toolLine struct {
	ID       string         `json:"id"`
	Wire     string         `json:"wire"`
	Catalogs []tool.Catalog `json:"catalogs"`
	Approval approvalLine   `json:"approval"`
	Class    classLine      `json:"class"`
}

// approvalLine is what the author declares and what takes effect. Built-in tools follow
// the preset, as a set does that declares nothing.
type approvalLine struct {
	Declared  string `json:"declared"`
	Effective string `json:"effective"`
}

type classLine struct {
	SideEffect  tool.SideEffect  `json:"side_effect"`
	Risk        tool.Risk        `json:"risk"`
	Idempotency tool.Idempotency `json:"idempotency"`
	Action      tool.Action      `json:"action"`
	OutputTrust tool.Trust       `json:"output_trust"`
	Scopes      []string         `json:"scopes"`
	Target      tool.TargetKind  `json:"target"`
	TimeoutMs   int64            `json:"timeout_ms"`
	OnTimeout   tool.OnTimeout   `json:"on_timeout"`
	MaxBytes    int64            `json:"max_bytes"`
	Parallel    bool             `json:"parallel"`
}

type noteLine struct {
	Set   string `json:"set"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

const originBuiltin = "builtin"

// offering is what the catalog is made of.
type offering interface {
	Specs() []tool.Spec
	Rules() session.Rules
	Availability(*tool.Spec) (ok bool, reason string)
}

// catalogOf lists the built-in tools by the set that switches them, both by name. A tool that
// cannot work on this machine has a note; a set of nothing else is unavailable.
func catalogOf(o offering) catalogLine {
	out := catalogLine{Sets: []setLine{}, Notes: []noteLine{}}
	on := o.Rules().SetsOn()
	works := map[string]bool{}
	for _, spec := range o.Specs() {
		i := slices.IndexFunc(out.Sets, func(s setLine) bool { return s.Directory == spec.Set })
		if i < 0 {
			i = len(out.Sets)
			out.Sets = append(out.Sets, setLine{Origin: originBuiltin, Directory: spec.Set, Enabled: slices.Contains(on, spec.Set)})
		}
		out.Sets[i].Tools = append(out.Sets[i].Tools, toolLineOf(&spec, o.Rules()))
		ok, reason := o.Availability(&spec)
		if !ok {
			out.Notes = append(out.Notes, noteLine{Set: spec.Set, Text: spec.ID + ": " + reason})
		}
		works[spec.Set] = works[spec.Set] || ok
	}
	for i, s := range out.Sets {
		switch {
		case !s.Enabled:
			out.Sets[i].Status = "disabled"
		case !works[s.Directory]:
			out.Sets[i].Status = "unavailable"
		default:
			out.Sets[i].Status = "loaded"
		}
	}
	slices.SortFunc(out.Sets, func(a, b setLine) int { return strings.Compare(a.Directory, b.Directory) })
	return out
}

func toolLineOf(spec *tool.Spec, rules session.Rules) toolLine {
	c := spec.Class
	declared, effective := backend.EffectiveApproval(spec, rules)
	return toolLine{
		ID: spec.ID, Wire: spec.WireName(), Catalogs: append([]tool.Catalog{}, spec.Catalogs...),
		Approval: approvalLine{Declared: declared, Effective: effective},
		Class: classLine{
			SideEffect: c.SideEffect, Risk: c.Risk, Idempotency: c.Idempotency, Action: c.Action, OutputTrust: c.OutputTrust,
			Scopes: append([]string{}, c.Scopes...), Target: c.Target, TimeoutMs: c.TimeoutMs(),
			OnTimeout: c.OnTimeout, MaxBytes: c.MaxBytes, Parallel: c.Parallel,
		},
	}
}

// from keeps the sets of one source; "" keeps all. Built-in sets have neither.
func (c catalogLine) from(source string) catalogLine {
	if source != "" {
		c.Sets = slices.DeleteFunc(c.Sets, func(s setLine) bool { return s.Origin != source })
		c.Notes = slices.DeleteFunc(c.Notes, func(n noteLine) bool {
			return !slices.ContainsFunc(c.Sets, func(s setLine) bool { return s.Directory == n.Set })
		})
	}
	return c
}

// only keeps the set of that name, or the one tool of that id or wire name.
func (c catalogLine) only(name string) (out catalogLine, found bool) {
	out = catalogLine{Sets: []setLine{}, Notes: []noteLine{}}
	for _, s := range c.Sets {
		if s.Directory != name {
			s.Tools = slices.DeleteFunc(slices.Clone(s.Tools), func(t toolLine) bool { return t.ID != name && t.Wire != name })
			if len(s.Tools) == 0 {
				continue
			}
		}
		out.Sets = append(out.Sets, s)
		for _, n := range c.Notes {
			if n.Set == s.Directory && (s.Directory == name || s.Origin != originBuiltin || strings.HasPrefix(n.Text, s.Tools[0].ID+": ")) && !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
	}
	return out, len(out.Sets) > 0
}

// single is the spec of the one tool that name asked for, and its set; nil when it asked
// for a set.
func (c catalogLine) single(name string, specs []tool.Spec) (*tool.Spec, setLine) {
	if len(c.Sets) != 1 || len(c.Sets[0].Tools) != 1 || c.Sets[0].Directory == name {
		return nil, setLine{}
	}
	i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.ID == c.Sets[0].Tools[0].ID })
	if i < 0 {
		return nil, setLine{}
	}
	return &specs[i], c.Sets[0]
}
