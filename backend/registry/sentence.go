package registry

import (
	"strings"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// oneCommand is how a tool tells a call that runs a command line.
const oneCommand = "Run a command"

// sentence says in plain words what the call would do. What a tool that is not ours says of
// itself is no sentence of ours, so such a call goes by its name and where it comes from.
func (c *run) sentence(p tool.Preview) string {
	spec := c.entry.spec
	verb := p.Verb
	if verb == "" {
		verb = spec.Verb
	}
	switch {
	case spec.Source == tool.SourceBuiltin && verb != "":
		return c.counted(verb)
	case spec.Source == tool.SourceBuiltin:
		return "Call " + spec.ID
	}
	return "Call " + spec.WireName() + " from " + spec.Set + " (" + originOf(spec) + ")"
}

// originOf says where a tool comes from. A set of the project may have the name of one that the
// person put into the home.
func originOf(s *tool.Spec) string {
	switch s.Source {
	case tool.SourceMCP:
		return "MCP server"
	case tool.SourceDevice:
		return "device"
	case tool.SourceSet, tool.SourceBuiltin:
	}
	return s.Origin + " tool set"
}

// counted says how many commands a command line was read as, as its list does. Of one that
// was not read no number is known.
func (c *run) counted(verb string) string {
	l := c.listing()
	if l == nil || !l.Parsed {
		return verb
	}
	rest, is := strings.CutPrefix(verb, oneCommand)
	n := len(l.Steps) + l.Left
	if !is || n < 2 {
		return verb
	}
	return "Run " + bound.Plural(int64(n), "command") + rest
}
