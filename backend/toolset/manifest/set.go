package manifest

import (
	"encoding/json"
	"time"

	"countersign/backend/tool"
)

// FileName is the name of a manifest in the directory of its set.
const FileName = "tools.json"

// Runner says what runs the tools of a set.
type Runner string

// The runners.
const (
	// RunnerExec is one executable, started for each call.
	RunnerExec Runner = "exec"
	// RunnerDotnet is one assembly, loaded by a process of its own.
	RunnerDotnet Runner = "dotnet"
)

// Approval is what the author of a set declares about ordinary calls.
type Approval string

// The declarations.
const (
	// ApprovalInherit leaves the question to the preset and to grants.
	ApprovalInherit Approval = "inherit"
	// ApprovalAlways says that an ordinary call needs no question. It counts only where the
	// operator follows the author.
	ApprovalAlways Approval = "always"
)

// Output says what the standard output of a tool is.
type Output string

// The outputs.
const (
	// OutputText is text as it is.
	OutputText Output = "text"
	// OutputContent is one JSON object with text and images.
	OutputContent Output = "content"
)

// DefaultTimeout is how long a call may take where the manifest says nothing.
const DefaultTimeout = 120 * time.Second

// Set is a manifest that was read.
type Set struct {
	Runner  Runner
	Enabled bool
	// Timeout bounds one call; 0 means that nothing but the person and the turn ends it.
	Timeout time.Duration
	// Command begins the argument vector of every tool, Stdin says that a call's arguments are
	// written to the standard input. Both are of exec sets only.
	Command []string
	Stdin   bool
	// Tools are those of an exec set, in the order of the file.
	Tools []Tool
	// Assembly is the file of a dotnet set within its directory, Types the names of the types
	// that are taken from it; none means every one.
	Assembly string
	Types    []string
	// Defaults and Overlays say how the tools of a dotnet set are offered: an overlay replaces
	// the default of the tool whose name it has.
	Defaults Overlay
	Overlays map[string]Overlay
	// Omitted are tools of the set that a bad override left out, by their names.
	Omitted []string
}

// Tool is a tool of a set.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the arguments as it was written.
	Schema json.RawMessage
	// Command follows the command of the set.
	Command []string
	// Flags are the properties that become arguments of the program, in the order of the file.
	Flags  []Flag
	Output Output
	// Type is the full name of the type that is the tool in a dotnet set. Text says that it can
	// answer with text alone, Images that it can answer with images.
	Type   string
	Text   bool
	Images bool
	Overlay
}

// Flag is a property of the arguments with the word that goes before its value.
type Flag struct {
	Property string
	Word     string
}

// Overlay is what both a set and a tool of it may say.
type Overlay struct {
	Catalogs []tool.Catalog
	Approval Approval
	// PathArguments are the properties whose values are paths.
	PathArguments []string
}

// Note tells the operator, in English, what of a set was left out, why, and what to do.
type Note struct {
	// Field is the dotted name of the field, "" for the whole file.
	Field string
	Text  string
}
