package manifest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/schema"
)

// Described is what a tool of an assembly says of itself. None of it is checked.
type Described struct {
	Type, Name, Description string
	// Schema is the text of the JSON Schema of its arguments.
	Schema string
	// Text says that it can answer with text alone, Images that it can answer with images.
	Text, Images bool
}

// Describe makes the tools of a dotnet set from what its assembly says and what its manifest lays
// over that. Notes tell which tools were left out. The error is a *Refusal: the whole set is left
// out.
func (s *Set) Describe(all []Described) ([]Tool, []Note, error) {
	if len(all) == 0 {
		return nil, nil, refuse("assembly", "has no tool", "Make at least one public class that implements ITool or IMultimodalTool and has a constructor without parameters.")
	}
	var out []Tool
	var notes []Note
	names := map[string]bool{}
	for _, d := range all {
		if !LegalTool(d.Name) {
			notes = append(notes, refuse("assembly", "has a tool whose name is not 1 to 64 letters, digits, \"_\" and \"-\" that begin with a letter: "+Quoted(d.Type), "Rename the tool.").Note)
			continue
		}
		if names[d.Name] {
			return nil, notes, refuse("assembly", `has two tools of the name "`+d.Name+`"`, "Rename one of them.")
		}
		names[d.Name] = true
		if slices.Contains(s.Omitted, d.Name) {
			continue
		}
		t, refusal := s.described(d)
		if refusal != nil {
			notes = append(notes, refusal.Note)
			continue
		}
		out = append(out, t)
	}
	for name := range s.Overlays {
		if !names[name] {
			return nil, notes, refuse("tools."+name, "is no tool of the assembly", "Correct the name, or take the entry out.")
		}
	}
	return out, notes, nil
}

// described makes one tool.
func (s *Set) described(d Described) (Tool, *Refusal) {
	t := Tool{
		Name: d.Name, Description: d.Description, Schema: json.RawMessage(d.Schema), Output: OutputText,
		Type: d.Type, Text: d.Text, Images: d.Images, Overlay: s.Defaults,
	}
	if strings.TrimSpace(t.Description) == "" {
		t.Description = d.Name
	}
	value, err := schema.Read(t.Schema)
	if err != nil {
		return Tool{}, refuse("assembly", `has a tool "`+d.Name+`" whose schema is not JSON, so this tool is left out`, "Correct the schema.")
	}
	o := object{at: "assembly." + d.Name, values: map[string]any{"schema": value}, text: map[string][]byte{"schema": t.Schema}}
	properties, refusal := o.schema()
	if refusal != nil {
		return Tool{}, refusal
	}
	over, ok := s.Overlays[d.Name]
	if !ok {
		return t, nil
	}
	for _, name := range over.PathArguments {
		if _, known := properties[name]; !known {
			return Tool{}, refuse("tools."+d.Name+".pathArguments", "names a property that the schema of the tool does not have, so this tool is left out", "Correct the name.")
		}
	}
	t.Overlay = over
	return t, nil
}

// quotedBytes bounds a name that was made elsewhere.
const quotedBytes = 200

// Quoted is a name that was made elsewhere as it may stand in a note: in quotes, short, and
// escaped where it holds what is not plain.
func Quoted(name string) string {
	return strconv.QuoteToASCII(name[:min(len(name), quotedBytes)])
}
