package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// messageLine and callLine are the records of an export.
type messageLine struct {
	Type string       `json:"type"`
	Seq  int64        `json:"seq"`
	Role session.Role `json:"role"`
	Text string       `json:"text"`
	At   string       `json:"at"`
}

type callLine struct {
	Type string `json:"type"`
	Seq  int64  `json:"seq"`
	ID   string `json:"id"`
	// Tool is the id, or the name as it was asked for where there is no such tool.
	Tool string `json:"tool"`
	// State is where the call stands; the last six are ends.
	State     session.State `json:"state"`
	Arguments string        `json:"arguments"`
	// Hidden says what of the call is hidden: each piece is a marker such as [redacted:7f3a].
	Hidden []tool.Hidden `json:"hidden,omitempty"`
	// ArgumentsHash is "" for a call that was refused before its arguments were accepted.
	ArgumentsHash string `json:"arguments_hash"`
	// ChangedBy is who changed the arguments since the caller sent them, "person" or "hook" or
	// both, and Sent is what was sent with its hash; all are left out where nobody did.
	ChangedBy  string        `json:"changed_by,omitempty"`
	Sent       string        `json:"arguments_sent,omitempty"`
	SentHash   string        `json:"arguments_sent_hash,omitempty"`
	ReasonCode tool.Code     `json:"reason_code"`
	Content    []partLine    `json:"content"`
	Decision   *decisionLine `json:"decision"`
	// DecidedBy is "" for a call that nobody decided while it waited; Approval tells what was
	// asked, and an answer that came afterwards.
	DecidedBy   string        `json:"decided_by"`
	Approval    *questionLine `json:"approval"`
	Metadata    tool.Metadata `json:"metadata"`
	OutputTrust tool.Trust    `json:"output_trust"`
	ProposedAt  string        `json:"proposed_at"`
	EndedAt     string        `json:"ended_at"`
	DurationMs  int64         `json:"duration_ms"`
}

func callLineOf(seq int64, c *store.Call, asked *approval.Request) callLine {
	o := outcomeOf(json.RawMessage("null"), tool.Outcome{Content: c.Content, Decision: c.Decision})
	out := callLine{
		Type: "call", Seq: seq, ID: c.ID, Tool: toolName(c), State: c.State,
		Arguments: string(argumentText(c)), Hidden: c.Hidden, ArgumentsHash: c.ArgumentsHash, ReasonCode: c.ReasonCode, Content: o.Content,
		Decision: o.Decision, DecidedBy: c.DecidedBy, Approval: questionLineOf(asked), Metadata: c.Metadata, OutputTrust: c.OutputTrust,
		ProposedAt: clockText(c.ProposedAt), DurationMs: c.DurationMs,
	}
	if c.ChangedBy != "" {
		out.ChangedBy, out.Sent, out.SentHash = c.ChangedBy, string(c.Raw), c.AskedHash
	}
	if c.EndedAt != nil {
		out.EndedAt = clockText(*c.EndedAt)
	}
	return out
}

func toolName(c *store.Call) string {
	if c.ToolID != "" {
		return c.ToolID
	}
	return c.Name.Open()
}

// argumentText is the canonical form, or the text as sent where it was refused.
func argumentText(c *store.Call) []byte {
	if len(c.Canonical) > 0 {
		return c.Canonical
	}
	return c.Raw
}

func messageLineOf(seq int64, m *session.Message) messageLine {
	return messageLine{Type: "message", Seq: seq, Role: m.Role, Text: m.Text.Open(), At: clockText(m.At)}
}

// records are the lines of an export after the session's own.
func records(entries []entry) []any {
	out := make([]any, 0, len(entries))
	for _, e := range entries {
		switch {
		case e.call != nil:
			out = append(out, callLineOf(e.seq, e.call, e.request))
		case e.message != nil && e.message.Role != session.RoleTool:
			out = append(out, messageLineOf(e.seq, e.message))
		}
	}
	return out
}

func (p *program) sessionsExportCommand() *cobra.Command {
	var e export
	c := &cobra.Command{
		Use: "export ID", Short: "Write a session to standard output as JSON Lines or Markdown", Args: cobra.ArbitraryArgs,
		Long: exportHelp,
		RunE: func(c *cobra.Command, args []string) error {
			e.formatGiven = c.Flags().Changed("format")
			if err := e.refusal(args); err != nil {
				return err
			}
			if e.verify != "" {
				return p.verifyRecord(e.verify, e.asJSON)
			}
			if e.decisions {
				return p.exportDecisions(c.Context(), args[0])
			}
			return p.story(c.Context(), args[0], func(s session.Session, entries []entry) error {
				if e.format == "markdown" {
					return p.exportMarkdown(s, entries)
				}
				return p.exportLines(s, entries)
			})
		},
	}
	c.Flags().StringVar(&e.format, "format", "jsonl", "jsonl or markdown")
	c.Flags().BoolVar(&e.decisions, "decisions", false, "write the decision record of the session, as JSON Lines")
	c.Flags().StringVar(&e.verify, "verify", "", "check a decision record that was written to a `file`, - for standard input")
	c.Flags().BoolVar(&e.asJSON, "json", false, "print JSON (which it does anyway, but for Markdown and --verify)")
	return c
}

// export is what an export was asked for.
type export struct {
	format            string
	formatGiven       bool
	decisions, asJSON bool
	verify            string
}

// refusal says what does not go together.
func (e *export) refusal(args []string) error {
	switch {
	case e.format != "jsonl" && e.format != "markdown":
		return refusal("--format takes jsonl or markdown.")
	case e.asJSON && e.format == "markdown":
		return refusal("--json and --format markdown exclude each other.")
	case e.verify != "" && (e.decisions || e.formatGiven):
		return refusal("--verify goes with neither --decisions nor --format.")
	case e.verify != "" && len(args) > 0:
		return refusal("--verify takes a file and no session.")
	case e.decisions && e.format == "markdown":
		return refusal("A decision record is written as JSON Lines.")
	case e.verify != "":
		return nil
	}
	return oneSession(nil, args)
}

func (p *program) exportLines(s session.Session, entries []entry) error {
	head := struct {
		Type string `json:"type"`
		sessionLine
	}{"session", sessionLineOf(s)}
	if err := printJSON(p.stdout, head); err != nil {
		return err
	}
	for _, r := range records(entries) {
		if err := printJSON(p.stdout, r); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) showJSON(s session.Session, entries []entry) error {
	return printJSON(p.stdout, map[string]any{"session": sessionLineOf(s), "items": records(entries)})
}

func (p *program) showText(s session.Session, entries []entry) error {
	w := bufio.NewWriter(p.stdout)
	fmt.Fprintf(w, "%s\n%s, %s, %s\n\n", desk.Visible(s.Title.Open()), callerText(s.Caller), desk.Visible(s.Workspace), clockText(s.CreatedAt))
	for _, e := range entries {
		switch {
		case e.call != nil:
			fmt.Fprintf(w, "%s  %-20s %s %s", clockText(e.call.ProposedAt), e.call.State, desk.Visible(toolName(e.call)), desk.Visible(string(argumentText(e.call))))
			if e.call.ReasonCode != "" {
				fmt.Fprintf(w, "  %s", e.call.ReasonCode)
			}
			if changed := changedText(e.call); changed != "" {
				fmt.Fprintf(w, "  %s: %s", changed, desk.Visible(string(e.call.Raw)))
			}
			if asked := questionText(e.request); asked != "" {
				fmt.Fprintf(w, "  %s", asked)
			}
			fmt.Fprintln(w)
		case e.message != nil && e.message.Role != session.RoleTool && e.message.Text.Len() > 0:
			fmt.Fprintf(w, "%s  %-20s %s\n", clockText(e.message.At), e.message.Role, desk.Visible(e.message.Text.Open()))
		}
	}
	return w.Flush()
}

// exportMarkdown writes foreign text only inside fences that it cannot end.
func (p *program) exportMarkdown(s session.Session, entries []entry) error {
	w := bufio.NewWriter(p.stdout)
	fmt.Fprintf(w, "# Session %s\n\n", s.ID)
	fmt.Fprintf(w, "Started %s, last used %s.\n\n", clockText(s.CreatedAt), clockText(s.UpdatedAt))
	fence(w, "title", s.Title.Open())
	fence(w, "caller", callerText(s.Caller))
	fence(w, "workspace", s.Workspace)
	for _, e := range entries {
		switch {
		case e.call != nil:
			markdownCall(w, e.call, e.request)
		case e.message != nil && e.message.Role != session.RoleTool && e.message.Text.Len() > 0:
			fmt.Fprintf(w, "## %s, %s\n\n", e.message.Role, clockText(e.message.At))
			fence(w, "", e.message.Text.Open())
		}
	}
	return w.Flush()
}

func markdownCall(w io.Writer, c *store.Call, asked *approval.Request) {
	fmt.Fprintf(w, "## Call, %s\n\nState: %s", clockText(c.ProposedAt), c.State)
	if c.ReasonCode != "" {
		fmt.Fprintf(w, " (%s)", c.ReasonCode)
	}
	if c.DecidedBy != "" {
		fmt.Fprintf(w, ", decided by %s", c.DecidedBy)
	}
	if text := changedText(c); text != "" {
		fmt.Fprintf(w, ", %s below", text)
	}
	if text := questionText(asked); text != "" {
		fmt.Fprintf(w, ", %s", text)
	}
	fmt.Fprint(w, ".\n\n")
	fence(w, "tool", toolName(c))
	fence(w, "arguments", string(argumentText(c)))
	if c.ChangedBy != "" {
		fence(w, "arguments as they were sent", string(c.Raw))
	}
	if asked != nil {
		fence(w, "words", asked.Words.Open())
	}
	for _, part := range c.Content {
		switch part.Type {
		case tool.PartText:
			fence(w, "result", part.Text.Open())
		case tool.PartImage:
			fence(w, "image", part.Mime+" "+part.Handle)
		}
	}
}

// changedText says who changed a call since its caller sent it, "" where nobody did.
func changedText(c *store.Call) string {
	if c.ChangedBy == "" {
		return ""
	}
	return "changed by " + strings.ReplaceAll(c.ChangedBy, " ", " and ") + ", sent as"
}

// fence writes text between fences longer than any run of backticks in it.
func fence(w io.Writer, label, text string) {
	if text == "" {
		return
	}
	longest, run := 2, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	mark := strings.Repeat("`", longest+1)
	fmt.Fprintf(w, "%s%s\n%s\n%s\n\n", mark, label, strings.TrimSuffix(desk.Lines(text), "\n"), mark)
}
