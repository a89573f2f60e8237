package tool

import (
	"encoding/json"
	"time"
)

// Status is how a call ended.
type Status string

// The six ends of a call.
const (
	StatusSucceeded   Status = "succeeded"
	StatusFailed      Status = "failed"
	StatusDenied      Status = "denied"
	StatusUnavailable Status = "unavailable"
	StatusUncertain   Status = "uncertain"
	StatusCancelled   Status = "cancelled"
)

// Statuses returns the six ends.
func Statuses() []Status {
	return []Status{
		StatusSucceeded, StatusFailed, StatusDenied, StatusUnavailable, StatusUncertain, StatusCancelled,
	}
}

// Untrusted is text whose author is not this program: tool output, arguments,
// file contents, a person's words. It has no String method, so that it cannot
// slip into a log line, an error or a prompt by formatting. Open is called where
// text is placed for a reader, and arch_test.go lists those places.
type Untrusted struct{ text string }

// Mark labels text as foreign.
func Mark(text string) Untrusted { return Untrusted{text} }

// Open returns the text for the one place that shows it.
func (u Untrusted) Open() string { return u.text }

// Len returns the length in bytes.
func (u Untrusted) Len() int { return len(u.text) }

// MarshalJSON writes the text as a JSON string, for storage and wires.
func (u Untrusted) MarshalJSON() ([]byte, error) { return json.Marshal(u.text) }

// UnmarshalJSON reads a JSON string.
func (u *Untrusted) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &u.text) }

// GoString hides the text from %#v.
func (u Untrusted) GoString() string { return "tool.Untrusted{…}" }

// Format hides the text from every formatting verb.
func (u Untrusted) Format(f formatState, _ rune) { _, _ = f.Write([]byte("[untrusted text]")) }

// PartType says what a content part holds.
type PartType string

// The types of content.
const (
	PartText  PartType = "text"
	PartImage PartType = "image"
)

// Part is one piece of what a caller receives.
type Part struct {
	Type PartType  `json:"type"`
	Text Untrusted `json:"text,omitzero"`
	// Mime and Handle are set for images; Handle is media://sha256-….
	Mime   string `json:"mime,omitempty"`
	Handle string `json:"handle,omitempty"`
}

// MarshalJSON writes the fields of the part's type: a text has its text, empty or not.
func (p Part) MarshalJSON() ([]byte, error) {
	if p.Type == PartText {
		return json.Marshal(struct {
			Type PartType  `json:"type"`
			Text Untrusted `json:"text"`
		}{p.Type, p.Text})
	}
	type plain Part
	return json.Marshal(plain(p))
}

// TextPart makes a text part.
func TextPart(text string) Part { return Part{Type: PartText, Text: Mark(text)} }

// Truncation tells the window what a reader of the content did not see.
type Truncation struct {
	OriginalBytes  int64  `json:"originalBytes"`
	OriginalLines  int64  `json:"originalLines"`
	ShownHeadLines int64  `json:"shownHeadLines"`
	ShownTailLines int64  `json:"shownTailLines"`
	OmittedLines   int64  `json:"omittedLines"`
	SpillPath      string `json:"spillPath,omitempty"`
}

// Metadata is what the window shows about a result. It never enters a model's
// context.
type Metadata struct {
	Title string `json:"title,omitempty"`
	// Diff is a unified diff, "" for a change that changes nothing; nil without a change.
	Diff       *string        `json:"diff,omitempty"`
	Additions  *int           `json:"additions,omitempty"`
	Deletions  *int           `json:"deletions,omitempty"`
	Matches    *int           `json:"matches,omitempty"`
	Files      *int           `json:"files,omitempty"`
	Images     int            `json:"images,omitempty"`
	ExitCode   *int           `json:"exitCode,omitempty"`
	ProcessID  string         `json:"processId,omitempty"`
	DurationMs int64          `json:"durationMs"`
	Truncation *Truncation    `json:"truncation,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

// FileOp says what a tool did to a file.
type FileOp string

// What a tool can have done to a file.
const (
	FileRead     FileOp = "read"
	FileModified FileOp = "modified"
)

// FileRecord is what a tool reports about a file that it read or changed. The
// pipeline stores it with the result, as an event and as the session's stamp.
type FileRecord struct {
	Op    FileOp
	Stamp Stamp
	// Lines is how many lines were shown, for a read.
	Lines int
	// Additions, Deletions and Created describe a change.
	Additions int
	Deletions int
	Created   bool
	// Strategy is how the place of a change was found; "" when it needed no finding.
	Strategy string
}

// Stamp remembers a file as a session last read or wrote it.
type Stamp struct {
	// Path is the real absolute path.
	Path string `json:"path"`
	// ModTime is the file's modification time.
	ModTime time.Time `json:"mtime"`
	Size    int64     `json:"size"`
	// SHA256 is lower-case hex over the file's bytes.
	SHA256 string    `json:"sha256"`
	At     time.Time `json:"at"`
}

// Result is what Spec.Run returns on success.
type Result struct {
	// Content is the model-facing text and images, before bounding.
	Content []Part
	// Structured is JSON for the tool's output schema; nil without one.
	Structured json.RawMessage
	Metadata   Metadata
	// Trust may lower the class's OutputTrust; "" leaves it.
	Trust Trust
	// Files are the files that were read or changed.
	Files []FileRecord
}

// Verdict is what policy says of a call, weakest first.
type Verdict string

// The verdicts.
const (
	VerdictAllow  Verdict = "allow"
	VerdictReview Verdict = "review"
	VerdictAsk    Verdict = "ask"
	VerdictDeny   Verdict = "deny"
)

// Rank orders verdicts by strictness; an unknown one is the strictest.
func (v Verdict) Rank() int {
	switch v {
	case VerdictAllow:
		return 0
	case VerdictReview:
		return 1
	case VerdictAsk:
		return 2
	case VerdictDeny:
		return 3
	}
	return 3
}

// Layer names who spoke in a decision's chain.
type Layer string

// The layers, in the order they speak.
const (
	LayerScopes    Layer = "scopes"
	LayerHardline  Layer = "hardline"
	LayerMatrix    Layer = "matrix"
	LayerPaths     Layer = "paths"
	LayerTrust     Layer = "trust"
	LayerSet       Layer = "set"
	LayerHook      Layer = "hook"
	LayerLock      Layer = "lock"
	LayerAllowlist Layer = "allowlist"
	LayerGrant     Layer = "grant"
	LayerAuthor    Layer = "author"
	LayerPreset    Layer = "preset"
	LayerReviewer  Layer = "reviewer"
	LayerOperator  Layer = "operator"
)

// Link is one voice in a decision's chain. Reason is a sentence for the person;
// it may name a path and is never shown to a model.
type Link struct {
	Layer   Layer   `json:"layer"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

// Capability is something a call is able to do, as printed in decisions.
type Capability string

// The capabilities.
const (
	CapProcessExecute   Capability = "process.execute"
	CapNetworkAccess    Capability = "network.access"
	CapGitModify        Capability = "git.modify"
	CapFileRead         Capability = "file.read"
	CapFileWrite        Capability = "file.write"
	CapFileReadOutside  Capability = "file.read.outsideProject"
	CapFileWriteOutside Capability = "file.write.outsideProject"
)

// Decision is a verdict with its chain.
type Decision struct {
	Verdict      Verdict      `json:"verdict"`
	ReasonCode   Code         `json:"reason_code"`
	Chain        []Link       `json:"chain"`
	Capabilities []Capability `json:"capabilities"`
}

// Outcome is the end of a call, as every door gives it. Status, Action,
// ReasonCode, Message, Retryable and Remediation are the six fields that a model
// always gets; Message is the fixed sentence of the code.
type Outcome struct {
	ID           string          `json:"id"`
	Action       string          `json:"tool"`
	Status       Status          `json:"status"`
	ReasonCode   Code            `json:"reason_code"`
	Message      string          `json:"message"`
	Retryable    bool            `json:"retryable"`
	Remediation  Remediation     `json:"remediation"`
	Content      []Part          `json:"content"`
	Structured   json.RawMessage `json:"structured,omitempty"`
	IsError      bool            `json:"is_error"`
	OutputTrust  Trust           `json:"output_trust"`
	Metadata     Metadata        `json:"metadata"`
	Decision     *Decision       `json:"decision"`
	DurationMs   int64           `json:"duration_ms"`
	InvocationID string          `json:"-"`
	// Began says that the call was claimed: something of it may have been done. One that
	// ended without it did nothing.
	Began bool `json:"-"`
}
