package toolset

import (
	"bytes"
	"context"

	"countersign/backend/bound"
	"countersign/backend/schema"
	"countersign/backend/tool"
)

// Limits of what is shown of an answer that could not be read, and of what a program printed as
// errors beside one that could.
var (
	previewLimits = tool.Bounding{MaxBytes: 8 << 10, MaxLines: 100}
	errorLimits   = tool.Bounding{MaxBytes: 16 << 10, MaxLines: 400}
)

// content is the answer of a program whose output is one JSON object: a text, and images.
func (f finished) content(ctx context.Context, env tool.Env) (tool.Result, error) {
	text, entries, words := f.object()
	if words != "" {
		return tool.Result{}, f.unreadableAnswer(words)
	}
	images, err := f.images(ctx, env, entries)
	if err != nil {
		return tool.Result{}, err
	}
	errs := bound.CutEnds(both(&tool.Printed{}, &f.ran.Err), errorLimits, f.log.Path())
	text = joinLines(joinLines(text, errs.Shown), f.notes())
	if text == "" && len(images) == 0 {
		text = nothing
	}
	r := tool.Result{Metadata: f.metadata()}
	if text != "" {
		r.Content = append(r.Content, tool.TextPart(text))
	}
	r.Content = append(r.Content, images...)
	r.Metadata.Truncation = errs.Truncation
	return r, nil
}

// object reads the standard output. words say why it cannot be read.
func (f finished) object() (text string, images []any, words string) {
	if !f.ran.Out.Whole() {
		return "", nil, "Its standard output is longer than 100,000 characters. Large images must be given by their path."
	}
	object, err := schema.ReadObject(bytes.TrimPrefix(f.ran.Out.Start, []byte("\uFEFF")))
	if err != nil {
		return "", nil, "Its standard output is not one JSON object in UTF-8. What it logs must go to standard error."
	}
	// A field that is null is one that is not there.
	text, ok := object["text"].(string)
	if !ok && object["text"] != nil {
		return "", nil, `"text" in its answer is not text.`
	}
	images, ok = object["images"].([]any)
	if !ok && object["images"] != nil {
		return "", nil, `"images" in its answer is not a list.`
	}
	return text, images, ""
}

// unreadableAnswer is the failure of a program whose answer is not what its manifest promises. It
// shows what was printed.
func (f finished) unreadableAnswer(words string) error {
	shown, truncation := f.printed(previewLimits)
	own := f.badAnswer(words)
	own.Metadata.Truncation = truncation
	if shown != "" {
		own.WithText("It printed:\n" + shown)
	}
	return own
}

// badAnswer is the failure of a program for a reason.
func (f finished) badAnswer(words string) *tool.Error {
	m := f.metadata()
	own := tool.Errorf(tool.CodeOutputInvalid, "the program did not answer as its manifest promises")
	own.Metadata = &m
	return own.WithText("The tool's program did not answer as its manifest promises. " + words)
}
