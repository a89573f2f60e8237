package manifest

import (
	"bytes"
	"regexp"
	"slices"

	"countersign/backend/tool"
)

// MaxBytes is the largest manifest that is read, in bytes.
const MaxBytes = 1 << 20

var (
	directoryName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)
	toolName      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
)

// LegalDirectory reports whether a directory may be a set: 1 to 64 letters, digits, "_", "." and
// "-", a letter first.
func LegalDirectory(name string) bool { return directoryName.MatchString(name) }

// LegalTool reports whether a tool may have the name.
func LegalTool(name string) bool { return toolName.MatchString(name) }

var utf8BOM = []byte("\xef\xbb\xbf")

// Parse reads the manifest of the set in a directory with a legal name. Notes tell which tools
// were left out. The error is a *Refusal: the whole set is left out.
func Parse(directory string, data []byte) (*Set, []Note, error) {
	set, notes, refusal := parse(directory, data)
	if refusal != nil {
		return nil, nil, refusal
	}
	return set, notes, nil
}

func parse(directory string, data []byte) (*Set, []Note, *Refusal) {
	if len(data) > MaxBytes {
		return nil, nil, refuse("", "is larger than 1 MiB", "Make it smaller, or split the set in two.")
	}
	root, refusal := newObject("", bytes.TrimPrefix(data, utf8BOM))
	if refusal != nil {
		return nil, nil, refusal
	}
	if !root.has("runner") {
		return nil, nil, refuse("runner", "is required", `Write "runner": "exec" for a program, or "runner": "dotnet" for an assembly.`)
	}
	s := &Set{}
	if s.Runner, refusal = choice(root, "runner", "", RunnerExec, RunnerDotnet); refusal != nil {
		return nil, nil, refusal
	}
	if s.Enabled, refusal = root.boolean("enabled", true); refusal != nil {
		return nil, nil, refusal
	}
	if s.Timeout, refusal = root.timeout(); refusal != nil {
		return nil, nil, refusal
	}
	s.Defaults, refusal = root.overlay(Overlay{Catalogs: tool.Catalogs(), Approval: ApprovalInherit})
	if refusal != nil {
		return nil, nil, refusal
	}
	var notes []Note
	if s.Runner == RunnerDotnet {
		notes, refusal = s.dotnet(root)
	} else {
		notes, refusal = s.exec(directory, root)
	}
	return s, notes, refusal
}

// overlay reads what a set and its tools may both say of how they are offered.
func (o object) overlay(otherwise Overlay) (out Overlay, refusal *Refusal) {
	if out.Catalogs, refusal = o.catalogs(otherwise.Catalogs); refusal != nil {
		return out, refusal
	}
	out.Approval, refusal = choice(o, "approval", otherwise.Approval, ApprovalInherit, ApprovalAlways)
	return out, refusal
}

// paths reads the names of the properties whose values are paths. Where the properties are
// known, another name is refused: it would be a fence around nothing.
func (o object) paths(known map[string]any) ([]string, *Refusal) {
	const name, remedy = "pathArguments", "List names of properties of the schema."
	names, refusal := o.words(name, remedy)
	if refusal != nil {
		return nil, refusal
	}
	var out []string
	for _, n := range names {
		if _, ok := known[n]; n == "" || known != nil && !ok {
			return nil, refuse(o.field(name), "names a property that the schema does not have", "Correct the name, or describe the property in the schema.")
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}
