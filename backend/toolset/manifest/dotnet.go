package manifest

import (
	"slices"
	"strings"
	"unicode"

	"countersign/backend/schema"
)

// dotnet reads what is of dotnet sets. Their tools name and describe themselves, so what the
// manifest says of one is checked against them once they are known.
func (s *Set) dotnet(root object) ([]Note, *Refusal) {
	for _, field := range []struct{ name, remedy string }{
		{"output", "Take the field out: a dotnet tool returns what it returns."},
		{"pathArguments", `Move it to the tool that it is about: "tools": {"name": {"pathArguments": [...]}}.`},
	} {
		if root.has(field.name) {
			return nil, refuse(field.name, "has no place at the root of a set with the runner dotnet", field.remedy)
		}
	}
	var refusal *Refusal
	if s.Assembly, refusal = root.assembly(); refusal != nil {
		return nil, refusal
	}
	if s.Types, refusal = root.types(); refusal != nil {
		return nil, refusal
	}
	return s.overlays(root)
}

// assembly reads the name of a file in the directory of the set.
func (o object) assembly() (string, *Refusal) {
	const name, remedy = "assembly", `Name a file in the directory of the set: "Acme.Tools.dll".`
	text, refusal := o.line(name, remedy)
	if refusal != nil {
		return "", refusal
	}
	if text == "." || text == ".." || len(text) > 255 || strings.ContainsAny(text, `/\:`) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", refuse(name, "must be a file name and no path", remedy)
	}
	return text, nil
}

func (o object) types() ([]string, *Refusal) {
	const name, remedy = "types", "List names of types, or leave the field out for every public tool."
	names, refusal := o.words(name, remedy)
	if refusal != nil {
		return nil, refusal
	}
	if o.has(name) && (len(names) == 0 || slices.Contains(names, "")) {
		return nil, refuse(name, "names no type", remedy)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (s *Set) overlays(root object) ([]Note, *Refusal) {
	const name = "tools"
	if !root.has(name) {
		return nil, nil
	}
	members, err := schema.Members(root.text[name])
	if err != nil {
		return nil, refuse(name, "must be an object of tools by their names in a set with the runner dotnet", `Write {"name": { ... }}.`)
	}
	s.Overlays = map[string]Overlay{}
	var notes []Note
	for _, m := range members {
		if !LegalTool(m.Name) {
			return nil, refuse(name, "has a name that no tool can have", "Use the names that the tools of the assembly give themselves.")
		}
		over, refusal := s.overlayOf(name+"."+m.Name, m.Text)
		if refusal != nil {
			notes, s.Omitted = append(notes, refusal.Note), append(s.Omitted, m.Name)
			continue
		}
		s.Overlays[m.Name] = over
	}
	return notes, nil
}

func (s *Set) overlayOf(at string, text []byte) (Overlay, *Refusal) {
	o, refusal := newObject(at, text)
	if refusal != nil {
		return Overlay{}, refusal
	}
	if o.has("output") {
		return Overlay{}, refuse(o.field("output"), "has no place in a set with the runner dotnet", "Take the field out: a dotnet tool returns what it returns.")
	}
	over, refusal := o.overlay(s.Defaults)
	if refusal != nil {
		return Overlay{}, refusal
	}
	over.PathArguments, refusal = o.paths(nil)
	return over, refusal
}
