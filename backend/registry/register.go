package registry

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

const (
	maxID   = 96
	maxWire = 64
)

var (
	builtinID = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)
	foreignID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)*$`)
	wireName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	version   = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})$`)
)

// domains are the first parts that a dotted built-in id may have. The domains mcp and
// device are filled by servers and devices, never by a built-in tool.
var domains = []string{
	"artifact", "browser", "context", "conversation", "delegate", "demo", "email", "image", "knowledge",
	"math", "memory", "people", "sandbox", "schedule", "skill", "system", "tool", "video", "web", "workspace",
}

// entry is a registered tool with what was compiled from it.
type entry struct {
	spec    *tool.Spec
	input   *schema.Schema
	output  *schema.Schema
	version [3]int
}

// catalog is the registered tools by their names.
type catalog struct {
	// latest holds the newest version by id and by wire name; all holds id@version.
	latest map[string]*entry
	all    map[string]*entry
	order  []*entry
}

func newCatalog() *catalog {
	return &catalog{latest: map[string]*entry{}, all: map[string]*entry{}}
}

// register checks every spec and returns the catalog, or every refusal at once.
func register(specs []tool.Spec, reasons map[tool.Code]tool.Reason) (*catalog, error) {
	c := newCatalog()
	var refusals []error
	refuse := func(id, format string, args ...any) {
		refusals = append(refusals, fmt.Errorf("tool %q: %s", id, fmt.Sprintf(format, args...)))
	}
	for i := range specs {
		spec := &specs[i]
		before := len(refusals)
		checkNames(spec, refuse)
		checkClass(spec, refuse)
		checkParts(spec, refuse)
		checkReasons(spec, reasons, refuse)
		e := compile(spec, refuse)
		if len(refusals) > before {
			continue
		}
		for _, r := range spec.Reasons {
			reasons[r.Code] = r
		}
		c.add(e, refuse)
	}
	return c, errors.Join(refusals...)
}

type refusal func(id, format string, args ...any)

func (c *catalog) add(e *entry, refuse refusal) {
	id, wire := e.spec.ID, e.spec.WireName()
	key := id + "@" + e.spec.Version
	if c.all[key] != nil {
		refuse(id, "version %s is registered twice", e.spec.Version)
		return
	}
	for _, name := range []string{id, wire} {
		if other := c.latest[name]; other != nil && other.spec.ID != id {
			refuse(id, "the name %q belongs to %q already", name, other.spec.ID)
			return
		}
	}
	c.all[key] = e
	c.order = append(c.order, e)
	if other := c.latest[id]; other == nil || slices.Compare(e.version[:], other.version[:]) > 0 {
		c.latest[id], c.latest[wire] = e, e
	}
}

func checkNames(s *tool.Spec, refuse refusal) {
	grammar := foreignID
	if s.Source == tool.SourceBuiltin {
		grammar = builtinID
	}
	if len(s.ID) > maxID || !grammar.MatchString(s.ID) {
		refuse(s.ID, "the id does not have the form of a tool id of at most %d characters", maxID)
	}
	if wire := s.WireName(); len(wire) > maxWire || !wireName.MatchString(wire) {
		refuse(s.ID, "the wire name does not have its form of at most %d characters", maxWire)
	}
	domain, _, dotted := strings.Cut(s.ID, ".")
	switch {
	case s.Source == tool.SourceBuiltin && (domain == "mcp" || domain == "device"):
		refuse(s.ID, "the domain %q is not for built-in tools", domain)
	case s.Source == tool.SourceBuiltin && dotted && !slices.Contains(domains, domain):
		refuse(s.ID, "the domain %q is not in the table of domains", domain)
	case s.Source == tool.SourceMCP && domain != "mcp", s.Source == tool.SourceDevice && domain != "device":
		refuse(s.ID, "a tool of this source must be in the domain of its source")
	}
	if !version.MatchString(s.Version) {
		refuse(s.ID, "the version must be three numbers")
	}
}

func checkClass(s *tool.Spec, refuse refusal) {
	c := s.Class
	for _, f := range []struct {
		name  string
		known bool
	}{
		{"source", s.Source.Known()},
		{"side effect", c.SideEffect.Known()},
		{"risk", c.Risk.Known()},
		{"idempotency", c.Idempotency.Known()},
		{"action", c.Action.Known()},
		{"output trust", c.OutputTrust.Known()},
		{"target kind", c.Target.Known()},
		{"answer to a timeout", c.OnTimeout.Known()},
		{"preview kind", s.Preview.Known()},
		{"timeout", c.Timeout > 0},
		{"byte limit", c.MaxBytes > 0},
	} {
		if !f.known {
			refuse(s.ID, "the %s is missing or unknown", f.name)
		}
	}
	if c.MaxBytes > tool.MaxBytesCeiling {
		refuse(s.ID, "the byte limit is over the ceiling of %d", tool.MaxBytesCeiling)
	}
	if (s.Source.Foreign() || c.Target.Foreign()) && c.OutputTrust != tool.TrustExternalUntrusted {
		refuse(s.ID, "output from this source or place must be EXTERNAL_UNTRUSTED")
	}
	if c.Idempotency == tool.IdempotencyReadOnly && !c.SideEffect.ReadOnly() {
		refuse(s.ID, "a call with a side effect cannot be read-only to repeat")
	}
	for _, scope := range c.Scopes {
		if !builtinID.MatchString(scope) || !strings.Contains(scope, ".") {
			refuse(s.ID, "a scope does not have the form of a scope")
		}
		if s.Source == tool.SourceMCP && !strings.HasPrefix(scope, "mcp."+s.ServerID+".") {
			refuse(s.ID, "an MCP tool may only require scopes of its own server")
		}
	}
}

func checkParts(s *tool.Spec, refuse refusal) {
	if s.Run == nil {
		refuse(s.ID, "there is no code to run")
	}
	if strings.TrimSpace(s.Description) == "" {
		refuse(s.ID, "the description is missing")
	}
	if s.Set == "" {
		refuse(s.ID, "the tool set is missing")
	}
	if (s.Class.SideEffect != tool.EffectNone || s.Effect != nil) && s.Target == nil {
		refuse(s.ID, "a tool with this side effect must say what its calls reach")
	}
	if s.Preview == tool.PreviewDiff && s.Draw == nil {
		refuse(s.ID, "a diff preview needs code that draws it")
	}
	if len(s.Catalogs) == 0 {
		refuse(s.ID, "the catalogs are missing")
	}
	for i, c := range s.Catalogs {
		if !c.Known() || slices.Contains(s.Catalogs[:i], c) {
			refuse(s.ID, "a catalog is unknown or named twice")
		}
	}
	if s.Source == tool.SourceBuiltin && s.Offered(tool.CatalogPlan) && !s.Class.SideEffect.ReadOnly() {
		refuse(s.ID, "a built-in tool that changes something cannot be in the catalog plan")
	}
}

// checkReasons keeps sentences static: a code has one sentence, and no sentence has a
// place to put input into.
func checkReasons(s *tool.Spec, known map[tool.Code]tool.Reason, refuse refusal) {
	for i, r := range s.Reasons {
		if !r.Code.Known() || !strings.HasPrefix(string(r.Code), "tool.") {
			refuse(s.ID, "reason code %q does not have the form of a tool's code", r.Code)
		}
		if strings.TrimSpace(r.Sentence) == "" || strings.ContainsAny(r.Sentence, "%{}") {
			refuse(s.ID, "the sentence of %q is missing or has a place for input", r.Code)
		}
		if r.Status != tool.StatusFailed && r.Status != tool.StatusUnavailable {
			refuse(s.ID, "the status of %q is not one that a tool may end with", r.Code)
		}
		if old, ok := known[r.Code]; ok && old.Sentence != r.Sentence {
			refuse(s.ID, "reason code %q has another sentence already", r.Code)
		}
		if slices.ContainsFunc(s.Reasons[:i], func(o tool.Reason) bool { return o.Code == r.Code }) {
			refuse(s.ID, "reason code %q is given twice", r.Code)
		}
	}
}

func compile(s *tool.Spec, refuse refusal) *entry {
	e := &entry{spec: s}
	if _, err := fmt.Sscanf(s.Version, "%d.%d.%d", &e.version[0], &e.version[1], &e.version[2]); err != nil {
		e.version = [3]int{}
	}
	var err error
	if e.input, err = schema.Compile(s.ID+"/input", s.Input); err != nil {
		refuse(s.ID, "the input schema does not compile: %v", err)
	} else if ok, where := schema.Closed(s.Input); !ok && s.Source == tool.SourceBuiltin {
		// What the author of another tool lets through is for that tool to judge.
		refuse(s.ID, "the input schema allows unknown properties at %s", where)
	}
	if s.Output != nil {
		if e.output, err = schema.Compile(s.ID+"/output", s.Output); err != nil {
			refuse(s.ID, "the output schema does not compile: %v", err)
		} else if ok, where := schema.Closed(s.Output); !ok {
			refuse(s.ID, "the output schema allows unknown properties at %s", where)
		}
	}
	if e.input == nil {
		return e
	}
	has := func(name string) bool {
		return slices.ContainsFunc(e.input.Properties, func(p schema.Property) bool { return p.Name == name })
	}
	for alias, name := range s.Aliases {
		if has(alias) || !has(name) {
			refuse(s.ID, "the alias %q must stand for a property and not be one", alias)
		}
	}
	return e
}
