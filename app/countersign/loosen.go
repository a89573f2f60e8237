package main

import (
	"github.com/spf13/cobra"

	"countersign/backend/config"
	"countersign/backend/host/kin"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// insideCommand reports whether a command that one of our programs runs started this one.
func insideCommand() bool { return kin.Inside(config.Environment()) }

// mayLoosen refuses a flag or a command that would loosen what a person is asked, in a program
// that a command of ours started: an agent cannot answer for the person by calling us. What
// tightens is taken.
func (p *program) mayLoosen(what string) error {
	if p.inside == nil || !p.inside() {
		return nil
	}
	return refusal(what + " is not taken here: this program was started by a command that Countersign runs, " +
		"and only a person may change what is asked. Run it in a terminal of your own.")
}

// loosens is the first flag of a command that would loosen something, "" without one.
func loosens(c *cobra.Command) string {
	for _, name := range []string{"preset", "allow", "trust-workspace", "sets", "profile", "catalog", "read-only"} {
		f := c.Flags().Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		switch {
		case name == "profile" && f.Value.String() == string(session.ProfileStrict):
		case name == "catalog" && f.Value.String() == string(tool.CatalogPlan):
		case name == "read-only" && f.Value.String() == "true":
		case name == "trust-workspace" && f.Value.String() == "false":
		default:
			return "--" + name
		}
	}
	return ""
}

// checkLoosening refuses a command with a flag that loosens where mayLoosen does.
func (p *program) checkLoosening(c *cobra.Command) error {
	if flag := loosens(c); flag != "" {
		return p.mayLoosen(flag)
	}
	return nil
}
