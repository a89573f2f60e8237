package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"countersign/backend/config"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// deciding are the flags that a decision depends on. One that was not given leaves its
// setting.
type deciding struct {
	preset, catalog, profile, sets, clock string
	readOnly, trust                       bool
	setsGiven, readOnlyGiven              bool
}

func (d *deciding) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.preset, "preset", "", "default, edit, review, audit or full")
	f.StringVar(&d.catalog, "catalog", "", "plan or work")
	f.StringVar(&d.profile, "profile", "", "desktop or strict")
	f.StringVar(&d.sets, "sets", "", "exactly these tool sets, separated by commas")
	f.BoolVar(&d.readOnly, "read-only", false, "nothing may be changed")
	f.BoolVar(&d.trust, "trust-workspace", false, "trust the workspace for this run")
	f.StringVar(&d.clock, "clock", "", "a clock that stands still at this time (RFC 3339), for tests")
	f.Bool("json", false, "print JSON (which it does anyway)")
}

// read remembers which flags were given, and refuses values that do not exist.
func (d *deciding) read(c *cobra.Command, there func(string) bool) error {
	d.setsGiven, d.readOnlyGiven = c.Flags().Changed("sets"), c.Flags().Changed("read-only")
	switch {
	case d.preset != "" && !session.Preset(d.preset).Known():
		return refusal("--preset takes default, edit, review, audit or full.")
	case d.catalog != "" && !tool.Catalog(d.catalog).Known():
		return refusal("--catalog takes plan or work.")
	case d.profile != "" && !session.Profile(d.profile).Known():
		return refusal("--profile takes desktop or strict.")
	}
	return checkSets(d.sets, there)
}

// builtinSets are the tool sets that there are, also those that have no tool yet.
var builtinSets = []string{"agents", "coding", "demo", "desktop", "exact", "files", "git", "planning", "web", "workspace"}

// checkSets refuses a list that names a tool set that there is not: a misspelt name would
// switch everything off and say nothing. there reports whether a set has a directory.
func checkSets(list string, there func(name string) bool) error {
	for _, name := range setNames(list) {
		if !slices.Contains(builtinSets, name) && !there(name) {
			return refusal("--sets names a tool set that is not known. Known are the directories of your tool sets, and " + strings.Join(builtinSets, ", ") + ".")
		}
	}
	return nil
}

// hasSet reports whether a tool set of the home or of the workspace has a directory of that name.
// Nothing of it is read.
func (p *program) hasSet(name string) bool {
	paths, err := config.Locate(p.places.home)
	if err != nil {
		return false
	}
	dir, err := p.places.directory()
	if err != nil {
		return false
	}
	_, err = toolset.Find(toolset.Places{Home: paths.Home, UserHome: paths.UserHome, Workspace: dir, Crystal: true}.Trees(), "", name, true)
	return err == nil
}

// rules are the settings with the given flags in their place.
func (d *deciding) rules(r session.Rules) session.Rules {
	if d.preset != "" {
		r.Preset = session.Preset(d.preset)
	}
	if d.catalog != "" {
		r.Catalog = tool.Catalog(d.catalog)
	}
	if d.profile != "" {
		r.Profile = session.Profile(d.profile)
	}
	if d.readOnlyGiven {
		r.ReadOnly = d.readOnly
	}
	if d.setsGiven {
		r.Sets = setNames(d.sets)
		r.Only = r.Sets
	}
	return r
}

// setNames reads a list of tool sets. No name means no set.
func setNames(list string) []string {
	out := []string{}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
