package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/backend/tool"
)

// MaxWords is how many characters of a person's words go with a denial.
const MaxWords = 300

// result is the wire form of what a call ends with. The SDK's own type says that a
// result is complete, as the newer protocol wants, only for calls of its own table.
type result struct {
	sdk.ResultBase
	Content    []block         `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Type       string          `json:"resultType,omitempty"`
}

// block is a piece of a result: a text, or an image whose bytes are written as base64.
type block struct {
	Type string
	Text string
	Data []byte
	Mime string
}

// MarshalJSON writes the fields of the block's type.
func (b block) MarshalJSON() ([]byte, error) {
	if b.Type == "image" {
		return json.Marshal(struct {
			Type string `json:"type"`
			Data []byte `json:"data"`
			Mime string `json:"mimeType"`
		}{b.Type, b.Data, b.Mime})
	}
	return encode(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{b.Type, b.Text}), nil
}

func textBlock(text string) block { return block{Type: "text", Text: text} }

// statelessSince is the first version of the protocol without a handshake.
const statelessSince = "2026-07-28"

// resultOf writes an outcome for a client that speaks the given version. Clients
// differ in what they show a model: some drop the text when there is structured
// content, some the reverse. So one text block holds the whole result, and structured
// content is sent only on success and only for a tool that has declared its form, where
// it holds the whole result as well.
//
// Images follow that block, which names each of them. What images are not with it says why
// in the block.
func resultOf(o tool.Outcome, structured bool, version string, images shownImages) *result {
	r := &result{IsError: o.Status != tool.StatusSucceeded}
	if version >= statelessSince {
		r.Type = "complete"
	}
	if r.IsError {
		r.Content = refusal(o)
		return r
	}
	body := partsText(o.Content, images.notes)
	if body == "" && o.Structured != nil {
		body = string(o.Structured)
	}
	r.Content = append([]block{textBlock(body)}, images.blocks...)
	if structured {
		r.Structured = o.Structured
	}
	return r
}

// refusal writes every end but success: the six fields, then what the tool or the
// pipeline has to say. A person's words stand alone, since their author is neither.
func refusal(o tool.Outcome) []block {
	fields, body := sixFields(o), partsText(o.Content, nil)
	switch {
	case body == "":
		return []block{textBlock(fields)}
	case o.ReasonCode == tool.CodeApprovalUserRejected:
		return []block{textBlock(fields), textBlock(cut(body, MaxWords))}
	}
	return []block{textBlock(fields + "\n\n" + body)}
}

var wireName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,95}$`)

// sixFields writes the fields that every outcome has. The action is left out when it
// has not the form of a name, since it is then only what a caller made up.
func sixFields(o tool.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nstatus: %s\n", o.Message, o.Status)
	if wireName.MatchString(o.Action) {
		fmt.Fprintf(&b, "action: %s\n", o.Action)
	}
	fmt.Fprintf(&b, "reason_code: %s\nretryable: %t\nremediation: %s", o.ReasonCode, o.Retryable, o.Remediation)
	return b.String()
}

// partsText joins content into one text. An image is named by its handle, with the note about it
// if there is one.
func partsText(parts []tool.Part, notes map[string]string) string {
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		switch p.Type {
		case tool.PartText:
			if p.Text.Len() > 0 || len(parts) == 1 {
				texts = append(texts, p.Text.Open())
			}
		case tool.PartImage:
			texts = append(texts, fmt.Sprintf("[image %s: %s%s]", p.Mime, p.Handle, notes[p.Handle]))
		}
	}
	return strings.Join(texts, "\n")
}
