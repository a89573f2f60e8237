package manifest

import (
	"slices"
	"strconv"
	"strings"

	"countersign/backend/schema"
)

// ofTools are the fields that stand at the root only where the set is one tool.
var ofTools = []string{"description", "schema", "argv", "pathArguments", "output"}

// exec reads what is of exec sets.
func (s *Set) exec(directory string, root object) ([]Note, *Refusal) {
	var refusal *Refusal
	if s.Stdin, refusal = root.boolean("stdin", true); refusal != nil {
		return nil, refusal
	}
	if s.Command, refusal = root.command(); refusal != nil {
		return nil, refusal
	}
	if !root.has("tools") {
		return nil, s.shorthand(directory, root)
	}
	for _, name := range ofTools {
		if root.has(name) {
			return nil, refuse(name, `stands beside "tools"`, `Move it into a tool of the list, or take "tools" away.`)
		}
	}
	return s.list(root)
}

// shorthand reads a set that is one tool with the name of its directory.
func (s *Set) shorthand(directory string, root object) *Refusal {
	if !LegalTool(directory) {
		return refuse("", "has no list of tools, and the name of its directory cannot be the name of a tool", `Name the tool in a "tools" list, or rename the directory to letters, digits, "_" and "-".`)
	}
	t, refusal := root.tool(directory)
	if refusal != nil {
		return refusal
	}
	t.Catalogs, t.Approval = s.Defaults.Catalogs, s.Defaults.Approval
	// The command stands at the root once: it is that of the set.
	t.Command = nil
	s.Tools = []Tool{t}
	return s.checkCommand("", nil)
}

// list reads the tools of a set that names them.
func (s *Set) list(root object) ([]Note, *Refusal) {
	elements, err := schema.Elements(root.text["tools"])
	if err != nil {
		return nil, refuse("tools", "must be a list of tools in a set with the runner exec", "Write [ { ... } ].")
	}
	if len(elements) == 0 {
		return nil, refuse("tools", "is empty", "Describe at least one tool.")
	}
	var notes []Note
	names := map[string]bool{}
	for i, text := range elements {
		o, refusal := newObject("tools."+strconv.Itoa(i), text)
		if refusal != nil {
			return nil, refusal
		}
		name, ok := o.values["name"].(string)
		if !ok || !LegalTool(name) {
			return nil, refuse(o.field("name"), "must be 1 to 64 letters, digits, \"_\" and \"-\" that begin with a letter", "Give the tool such a name.")
		}
		if names[name] {
			return nil, refuse(o.field("name"), "is the name of two tools of the set", "Rename one of them.")
		}
		names[name] = true
		t, refusal := o.tool(name)
		if refusal == nil {
			t.Command, refusal = o.command()
		}
		if refusal == nil {
			refusal = s.checkCommand(o.at, t.Command)
		}
		if refusal != nil {
			return nil, refusal
		}
		over, refusal := o.overlay(s.Defaults)
		if refusal != nil {
			notes, s.Omitted = append(notes, refusal.Note), append(s.Omitted, name)
			continue
		}
		over.PathArguments = t.PathArguments
		t.Overlay = over
		s.Tools = append(s.Tools, t)
	}
	return notes, nil
}

// command reads a part of an argument vector.
func (o object) command() ([]string, *Refusal) {
	return o.words("command", `Write the program and its arguments as a list of texts: ["program", "argument"].`)
}

// checkCommand holds the vector that a command of the set and one of a tool make to what can be
// started.
func (s *Set) checkCommand(at string, command []string) *Refusal {
	all := slices.Concat(s.Command, command)
	const remedy = `Write the program first: ["program", "argument"].`
	switch {
	case len(all) == 0:
		return refuse(joined(at, "command"), "is required: there is no program to run", remedy)
	case strings.TrimSpace(all[0]) == "":
		return refuse(joined(at, "command"), "begins with an empty text", remedy)
	}
	return nil
}

// tool reads what a tool says of itself wherever it stands.
func (o object) tool(name string) (t Tool, refusal *Refusal) {
	t.Name = name
	if t.Description, refusal = o.line("description", "Say in a sentence what the tool does."); refusal != nil {
		return t, refusal
	}
	properties, refusal := o.schema()
	if refusal != nil {
		return t, refusal
	}
	t.Schema = o.text["schema"]
	if t.Flags, refusal = o.flags(properties); refusal != nil {
		return t, refusal
	}
	if t.PathArguments, refusal = o.paths(properties); refusal != nil {
		return t, refusal
	}
	t.Output, refusal = choice(o, "output", OutputText, OutputText, OutputContent)
	return t, refusal
}

// schema checks the schema of the arguments and returns the properties that it describes.
func (o object) schema() (map[string]any, *Refusal) {
	const name, remedy = "schema", `Write a JSON Schema of an object: {"type": "object", "properties": { ... }}.`
	root, ok := o.values[name].(map[string]any)
	switch {
	case !o.has(name):
		return nil, refuse(o.field(name), "is required", remedy)
	case !ok:
		return nil, refuse(o.field(name), "must be a JSON object", remedy)
	case root["type"] != nil && root["type"] != "object":
		return nil, refuse(o.field(name), "must describe an object, since arguments are one", remedy)
	}
	if _, err := schema.Compile(name, o.text[name]); err != nil {
		return nil, refuse(o.field(name), "is not a schema that can be checked", "Correct it: at most 32 KB and 16 levels, no reference to another file.")
	}
	properties, _ := root["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	return properties, nil
}

// flags reads the properties that become arguments of the program, in their order.
func (o object) flags(properties map[string]any) ([]Flag, *Refusal) {
	const name, remedy = "argv", `Give each property one flag: {"property": "--flag"}.`
	if !o.has(name) {
		return nil, nil
	}
	members, err := schema.Members(o.text[name])
	if err != nil {
		return nil, refuse(o.field(name), "must be a JSON object", remedy)
	}
	values, _ := o.values[name].(map[string]any)
	var out []Flag
	for _, m := range members {
		word, ok := values[m.Name].(string)
		switch _, known := properties[m.Name]; {
		case !known:
			return nil, refuse(o.field(name), "names a property that the schema does not have", "Correct the name, or describe the property in the schema.")
		case !ok, word == "":
			return nil, refuse(o.field(name), "has a flag that is not text or is empty", remedy)
		case strings.IndexByte(word, 0) >= 0:
			return nil, refuse(o.field(name), "has a flag with a NUL character", "Take the character out.")
		}
		out = append(out, Flag{m.Name, word})
	}
	return out, nil
}
