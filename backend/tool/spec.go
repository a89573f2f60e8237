package tool

import (
	"cmp"
	"context"
	"encoding/json"
)

// Source says where a tool comes from.
type Source string

// The sources.
const (
	SourceBuiltin Source = "builtin"
	SourceSet     Source = "set"
	SourceMCP     Source = "mcp"
	SourceDevice  Source = "device"
)

// Known reports whether s is one of the sources.
func (s Source) Known() bool {
	switch s {
	case SourceBuiltin, SourceSet, SourceMCP, SourceDevice:
		return true
	}
	return false
}

// Foreign reports whether the tool's code is not ours.
func (s Source) Foreign() bool { return s == SourceSet || s == SourceMCP || s == SourceDevice }

// PreviewKind says how an approval shows a call.
type PreviewKind string

// The kinds of preview.
const (
	PreviewNone      PreviewKind = "none"
	PreviewArguments PreviewKind = "arguments"
	PreviewDiff      PreviewKind = "diff"
	PreviewCommand   PreviewKind = "command"
	PreviewEgress    PreviewKind = "egress"
)

// Known reports whether k is one of the kinds.
func (k PreviewKind) Known() bool {
	switch k {
	case PreviewNone, PreviewArguments, PreviewDiff, PreviewCommand, PreviewEgress:
		return true
	}
	return false
}

// FileDiff is the change of one file that a call would make.
type FileDiff struct {
	// Path is relative to the workspace, absolute outside it.
	Path string `json:"path"`
	// Unified is a unified diff with three lines of context.
	Unified   string `json:"unified"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	// Created says that there is no file yet.
	Created bool `json:"created"`
	// Changes counts the runs of lines that changed, where the tool can make some of them and
	// leave the others: 0 where it cannot, or where not all of them are shown. Lines between
	// two runs stay as they are; runs may be near enough to share a hunk.
	Changes int `json:"changes,omitempty"`
	// Notes are facts about bytes that a diff does not show: line ends, BOM, mode.
	Notes []string `json:"notes,omitempty"`
}

// About is a fact that an approval shows beside what a call would do. Label is ours.
type About struct {
	Label string    `json:"label"`
	Text  Untrusted `json:"text"`
}

// Preview is what an approval shows of a call, and the file states that it was
// made from.
type Preview struct {
	// Verb is the plain-word sentence of what the call would do, "" for that of the tool. How
	// many commands are run is told apart from it.
	Verb  string
	Diffs []FileDiff
	Pins  []Pin
	About []About
}

// Bounding says how a result that is too long for a reader is cut.
type Bounding struct {
	// MaxBytes and MaxLines bound the model-facing text; 0 means 50 KB and 2,000.
	MaxBytes int
	MaxLines int
	// Prefix keeps whole entries from the start and nothing of the end.
	Prefix bool
	// HeadPercent is the part kept from the start when the middle is cut; 0 means 70.
	HeadPercent int
	// HeadLines is how many of the lines are kept from the start, where the percentage does
	// not give them exactly; 0 leaves it at that.
	HeadLines int
}

// What a reader gets of a result where a tool says nothing else.
const (
	DefaultBytes = 50 << 10
	DefaultLines = 2000
)

// Bytes is the bound in bytes that holds.
func (b Bounding) Bytes() int { return cmp.Or(b.MaxBytes, DefaultBytes) }

// Lines is the bound in lines that holds.
func (b Bounding) Lines() int { return cmp.Or(b.MaxLines, DefaultLines) }

// Spec is a tool: its name, its classification, its schemas and its code.
type Spec struct {
	// ID is the dotted name that policy, events, store and window use.
	ID string
	// Wire is the name a model or MCP client sees; "" means ID with dots as
	// underscores.
	Wire     string
	Version  string
	Source   Source
	ServerID string
	// Set is the tool set that switches this tool.
	Set string
	// Origin is where a set that is not built in lies, and Fingerprint names what it is made
	// of, its manifest and its executable; both are "" for what is built in. A grant for a tool
	// of a set dies with either.
	Origin      string
	Fingerprint string
	// Always says that the author of a set declares that ordinary calls need no question. It
	// counts only where the settings follow the authors of sets from Origin.
	Always     bool
	Deprecated bool
	// Verb is the plain-word sentence of what a call would do where Draw gives none, such as
	// "Read 1 file".
	Verb string
	// Description is the exact text sent to callers.
	Description string
	// Input and Output are JSON Schemas; a nil Output means no structured result.
	Input    json.RawMessage
	Output   json.RawMessage
	Class    Class
	Catalogs []Catalog
	Preview  PreviewKind
	Bounding Bounding
	// Aliases maps another spelling of a parameter to its name.
	Aliases map[string]string
	// AnyText says that the tool itself judges every character of its text. Without it a
	// call with NUL in an argument is refused before policy.
	AnyText bool
	// Needs is the part of the machine that may be missing and without which the tool is
	// unavailable; "" for none.
	Needs Need
	// Reasons are the tool's own codes with their fixed sentences.
	Reasons []Reason
	// Effect narrows the class to what these arguments do; nil means Class.SideEffect.
	Effect func(Args) SideEffect
	// Target says what a call would reach. It is pure. A tool that runs a process,
	// writes or sends must have one.
	Target func(Args) (TargetRequest, error)
	// Intact reports whether the tool is still made of what Fingerprint names, and whether the
	// person let that in; nil for what is built in. Its error says why a call may not run, with
	// CodePolicySetChanged where that is because something changed.
	Intact func(context.Context) error
	// Raise judges a call more strictly than its class does; nil leaves it at the class. It has
	// no way to judge it less strictly, and a failure of it denies the call.
	Raise func(context.Context, Args) (Raise, error)
	// Draw makes the preview of a call. It may read through the host and changes nothing. An *Error
	// ends the call before anyone is asked.
	Draw func(context.Context, Env, Args) (Preview, error)
	// Run does the work. It returns an *Error for a failure of its own.
	Run func(context.Context, Env, Args) (Result, error)
}

// Raise is what a tool of a set says of one call, beside its class: a higher risk, or that a
// person must answer. The zero value says nothing.
type Raise struct {
	// Risk counts where it is higher than that of the class.
	Risk Risk
	// Person says that only a person may let the call run, and only this once.
	Person bool
}

// WireName returns the name that callers see.
func (s *Spec) WireName() string {
	if s.Wire != "" {
		return s.Wire
	}
	return wireOf(s.ID)
}

func wireOf(id string) string {
	b := []byte(id)
	for i, c := range b {
		if c == '.' {
			b[i] = '_'
		}
	}
	return string(b)
}

// Offered reports whether the tool is in catalog c.
func (s *Spec) Offered(c Catalog) bool {
	for _, have := range s.Catalogs {
		if have == c {
			return true
		}
	}
	return false
}
