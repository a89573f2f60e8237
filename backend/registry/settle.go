package registry

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"countersign/backend/bound"
	"countersign/backend/schema"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// checkResult holds a result against what the tool declared. It never retries and never
// rewrites.
func (r *Registry) checkResult(_ context.Context, c *run) error {
	if c.entry.output == nil {
		if c.result.Structured != nil {
			return tool.Errorf(tool.CodeOutputInvalid, "structured result without an output schema")
		}
		return nil
	}
	v, err := schema.Read(c.result.Structured)
	if err == nil {
		err = c.entry.output.Validate(v)
	}
	if err != nil {
		return tool.Errorf(tool.CodeOutputInvalid, "result: %w", err)
	}
	return nil
}

// overflow is how many times its byte limit a tool may produce before its result is
// withheld.
const overflow = 4

// bound cuts the model-facing text to what a reader gets and puts the whole of it into
// the output store.
func (r *Registry) bound(_ context.Context, c *run) error {
	spec := c.entry.spec
	total := int64(len(c.result.Structured))
	for _, p := range c.result.Content {
		total += int64(p.Text.Len())
	}
	c.inv.OutputBytes = total
	if int64(len(c.result.Structured)) > spec.Class.MaxBytes || total > overflow*spec.Class.MaxBytes {
		for _, p := range c.result.Content {
			r.spill(c.keep, c, bound.Head(p.Text.Open(), int(overflow*spec.Class.MaxBytes)))
		}
		return tool.Errorf(tool.CodeOutputTooLarge, "%d bytes", total)
	}
	c.result.Content, c.result.Structured = r.pass(c, false, c.result.Content, c.result.Structured)
	c.result.Content = r.cut(c, r.withChange(c, c.result.Content), &c.result.Metadata)
	c.result.Metadata.Images = countImages(c.result.Content)
	return nil
}

func countImages(parts []tool.Part) (n int) {
	for _, p := range parts {
		if p.Type == tool.PartImage {
			n++
		}
	}
	return n
}

// restRoom is kept free of the backstop for the marker of texts that have no room at all.
const restRoom = 1 << 10

// cut bounds the parts of a result for a reader: each text by the limits of its tool, all
// by the backstop. What a reader does not see is kept in the output store.
func (r *Registry) cut(c *run, parts []tool.Part, metadata *tool.Metadata) []tool.Part {
	if fits(parts, c.entry.spec.Bounding) {
		c.inv.Truncated = metadata.Truncation != nil
		return parts
	}
	out := make([]tool.Part, 0, len(parts))
	room := bound.BackstopBytes - restRoom
	rest := ""
	for _, p := range parts {
		text := legible(p.Text.Open())
		limits := c.entry.spec.Bounding
		switch {
		case p.Type != tool.PartText || bound.Fits(text, limits) && len(text) <= room:
		case room == 0:
			rest += text + "\n"
			continue
		default:
			limits.MaxBytes = min(orDefault(limits.MaxBytes, bound.DefaultBytes), room)
			cut := bound.Cut(text, limits, r.spill(c.keep, c, text))
			text, metadata.Truncation = cut.Shown, cut.Truncation
		}
		room -= len(text)
		p.Text = tool.Mark(text)
		out = append(out, p)
	}
	if rest != "" {
		cut := bound.Cut(rest, tool.Bounding{MaxBytes: restRoom, MaxLines: 1, Prefix: true}, r.spill(c.keep, c, rest))
		out, metadata.Truncation = append(out, tool.TextPart(cut.Shown)), cut.Truncation
	}
	c.inv.Truncated = c.inv.Truncated || metadata.Truncation != nil
	return out
}

// fits reports whether nothing of the parts needs to be cut or mended.
func fits(parts []tool.Part, limits tool.Bounding) bool {
	room := bound.BackstopBytes - restRoom
	for _, p := range parts {
		room -= p.Text.Len()
		if room < 0 || !bound.Fits(p.Text.Open(), limits) || !utf8.ValidString(p.Text.Open()) {
			return false
		}
	}
	return true
}

func legible(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

func orDefault(n, fallback int) int {
	if n <= 0 {
		return fallback
	}
	return n
}

// spill keeps text in the output store and returns its path, "" when it could not be
// kept: the call goes on, and the marker says so.
func (r *Registry) spill(ctx context.Context, c *run, text string) string {
	output := c.output()
	if output == nil {
		return ""
	}
	path, size, err := output.Spill(ctx, c.entry.spec.WireName(), strings.NewReader(text))
	if err != nil {
		r.log.Warn("output was not kept", "invocation", c.inv.ID, "cause", err)
		return ""
	}
	r.kept(c, path, size)
	return path
}

// kept records what was put into the output store. A call runs one step at a time, so
// nothing else adds to the list.
func (r *Registry) kept(c *run, path string, size int64) {
	c.outputs = append(c.outputs, session.Output{
		SessionID: c.s.SessionID, InvocationID: c.inv.ID, Path: path, Bytes: size, CreatedAt: r.clock.Now(),
	})
}

// log is a text that a call began, and when.
type log struct {
	tool.Log
	at time.Time
}

// allOutputs lists what the call kept. Only now is it known how far a text grew and under
// which name; one that is empty and closed is not there.
func (c *run) allOutputs() []session.Output {
	out := slices.Clone(c.outputs)
	for _, l := range c.logs {
		if path := l.Path(); path != "" {
			out = append(out, session.Output{
				SessionID: c.s.SessionID, InvocationID: c.inv.ID, Path: path, Bytes: l.Size(), Lost: l.Lost(), CreatedAt: l.at,
			})
		}
	}
	return out
}

// persist stores the result. What was not stored is not shown: then the outcome is not
// known if the effect had started.
func (r *Registry) persist(_ context.Context, c *run) error {
	c.outcome = r.succeeded(c)
	c.settleInvocation(&c.outcome, r.clock.Now())
	if err := r.journal.Finish(c.keep, c.inv, c.result.Files, c.allOutputs()); err != nil {
		if c.marked {
			return tool.Errorf(tool.CodeUncertain, "store the result: %w", err)
		}
		return tool.Errorf(tool.CodeStorageUnavailable, "store the result: %w", err)
	}
	return nil
}

// render ends a call that did what was asked.
func (r *Registry) render(_ context.Context, c *run) error {
	c.remember(&c.outcome)
	return nil
}

// remember tells the memory of the session how the call ended, as the caller knows it: by what
// it sent. An effect that is not known is also that of what ran instead.
func (c *run) remember(o *tool.Outcome) {
	asked := c.askedHash()
	c.s.Memory.settle(c.inv.ToolID, asked, o, c.result.Files)
	if o.Status == tool.StatusUncertain && asked != c.args.Hash {
		c.s.Memory.Recall(Past{Uncertain: []PastCall{{c.inv.ToolID, c.args.Hash}}})
	}
}
