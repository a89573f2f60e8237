package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/registry"
	"countersign/backend/tool"
)

// outcomeLine is an outcome as it is printed, in the order in which it is printed.
type outcomeLine struct {
	ID          json.RawMessage  `json:"id"`
	Tool        string           `json:"tool"`
	Status      tool.Status      `json:"status"`
	ReasonCode  tool.Code        `json:"reason_code"`
	Message     string           `json:"message"`
	Retryable   bool             `json:"retryable"`
	Remediation tool.Remediation `json:"remediation"`
	Content     []partLine       `json:"content"`
	Structured  json.RawMessage  `json:"structured,omitempty"`
	IsError     bool             `json:"is_error"`
	OutputTrust tool.Trust       `json:"output_trust"`
	Metadata    tool.Metadata    `json:"metadata"`
	Decision    *decisionLine    `json:"decision"`
	DurationMs  int64            `json:"duration_ms"`
}

// partLine is a text, or an image by its handle.
type partLine struct {
	Type   tool.PartType `json:"type"`
	Text   *string       `json:"text,omitempty"`
	Mime   string        `json:"mime,omitempty"`
	Handle string        `json:"handle,omitempty"`
}

type decisionLine struct {
	Verdict      tool.Verdict      `json:"verdict"`
	ReasonCode   tool.Code         `json:"reason_code"`
	Chain        []tool.Link       `json:"chain"`
	Capabilities []tool.Capability `json:"capabilities"`
	// The rest is printed by explain only: Dynamic where something would be run, Commands and
	// Parse for a command line.
	Target   *targetLine `json:"target,omitempty"`
	Commands *[]string   `json:"commands,omitempty"`
	Dynamic  *bool       `json:"dynamic,omitempty"`
	Parse    string      `json:"parse,omitempty"`
}

// targetLine is what a call would reach, resolved.
type targetLine struct {
	Path    string `json:"path,omitempty"`
	Command string `json:"command,omitempty"`
	Input   string `json:"input,omitempty"`
	URL     string `json:"url,omitempty"`
}

// explainLine is a decision as explain prints it.
type explainLine struct {
	ID         json.RawMessage `json:"id"`
	Tool       string          `json:"tool"`
	Status     tool.Status     `json:"status,omitempty"`
	ReasonCode tool.Code       `json:"reason_code,omitempty"`
	Decision   *decisionLine   `json:"decision"`
}

func outcomeOf(id json.RawMessage, o tool.Outcome) outcomeLine {
	content := make([]partLine, 0, len(o.Content))
	for _, p := range o.Content {
		row := partLine{Type: p.Type, Mime: p.Mime, Handle: p.Handle}
		if p.Type == tool.PartText {
			text := p.Text.Open()
			row.Text = &text
		}
		content = append(content, row)
	}
	return outcomeLine{
		ID: id, Tool: o.Action, Status: o.Status, ReasonCode: o.ReasonCode, Message: o.Message, Retryable: o.Retryable,
		Remediation: o.Remediation, Content: content, Structured: o.Structured, IsError: o.IsError,
		OutputTrust: o.OutputTrust, Metadata: o.Metadata, Decision: decisionOf(o.Decision), DurationMs: o.DurationMs,
	}
}

func decisionOf(d *tool.Decision) *decisionLine {
	if d == nil {
		return nil
	}
	return &decisionLine{
		Verdict: d.Verdict, ReasonCode: d.ReasonCode,
		Chain: append([]tool.Link{}, d.Chain...), Capabilities: append([]tool.Capability{}, d.Capabilities...),
	}
}

func explanationOf(id json.RawMessage, e registry.Explanation) explainLine {
	out := explainLine{ID: id, Tool: e.Tool, Decision: decisionOf(e.Decision)}
	if out.Decision == nil {
		out.Status, out.ReasonCode = e.Status, e.ReasonCode
		return out
	}
	out.Decision.Target = &targetLine{Command: e.Target.Command, Input: e.Target.Input, URL: e.Target.URL}
	if e.Target.Runs() {
		out.Decision.Dynamic = &e.Dynamic
	}
	if e.Target.Command != "" {
		out.Decision.Commands, out.Decision.Parse = commandsOf(e.Reading)
	}
	if len(e.Target.Touches) > 0 {
		out.Decision.Target.Path = e.Target.Touches[0].Path.Real
	}
	return out
}

// commandsOf is how the commands of a command line are listed, and whether it could be read.
func commandsOf(r *shellcmd.Reading) (list *[]string, parse string) {
	shown := []string{}
	if r == nil || !r.Parsed {
		return &shown, "fail"
	}
	for i := range r.Commands {
		if text := r.Commands[i].Shown; text != "" {
			shown = append(shown, text)
		}
	}
	return &shown, "ok"
}

// refusedLine is the outcome of a line that never became a call.
func refusedLine(e envelope, reasons map[tool.Code]tool.Reason) tool.Outcome {
	r := reasons[tool.CodeArgumentsInvalid]
	return tool.Outcome{
		Action: e.tool, Status: r.Status, ReasonCode: r.Code, Message: r.Sentence, Retryable: r.Retryable,
		Remediation: r.Remediation, Content: []tool.Part{tool.TextPart(e.wrong)}, IsError: true,
		OutputTrust: tool.TrustInternalTool,
	}
}

// printJSON writes v as one line of JSON, with <, > and & as they are.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
