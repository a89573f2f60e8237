package edit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// The reason codes of the tool, beside those of all tools that work on files.
const (
	CodeNotFound         tool.Code = "tool.not_found.not_found"
	CodeAmbiguous        tool.Code = "tool.invalid_arguments.ambiguous"
	CodeDisproportionate tool.Code = "tool.invalid_arguments.disproportionate"
	CodeIdentical        tool.Code = "tool.invalid_arguments.identical"
	CodeEmptyOldString   tool.Code = "tool.invalid_arguments.empty_old_string"
	CodeNotText          tool.Code = "tool.invalid_arguments.not_text"
)

func reasons() []tool.Reason {
	reason := func(code tool.Code, sentence string) tool.Reason {
		return tool.Reason{Code: code, Status: tool.StatusFailed, Sentence: sentence, Remediation: tool.RemediationModifyArguments}
	}
	return []tool.Reason{
		reason(CodeNotFound, "The text to replace is not in the file. Read the file and quote it exactly."),
		reason(CodeAmbiguous, "The text to replace is in the file more than once. Quote more lines around it."),
		reason(CodeDisproportionate, "The text to replace is too short for what it would match. Quote all of it exactly."),
		reason(CodeIdentical, "The new text is the old text, so there is nothing to change."),
		reason(CodeEmptyOldString, "The text to replace is empty. Quote text of the file, or use write to replace it whole."),
		reason(CodeNotText, "The file is not text that can be edited without damage. Use another way to change it."),
	}
}

// none begins what is said of an edit whose text was not found, or not once.
const none = "No replacement was performed: "

func isDirectory(p tool.Path) error {
	return tool.Errorf(tool.CodeIsDirectory, "the path is a directory").
		WithText("Cannot edit " + p.Shown() + ": it is a directory. Give the path of a file in it.")
}

func notAFile(p tool.Path) error {
	return tool.Errorf(tool.CodeNotAFile, "the path is a %s", p.Kind).
		WithText("Cannot edit " + p.Shown() + ": it is not a regular file (" + string(p.Kind) + "). Give the path of a file.")
}

func emptyOldString(p tool.Path) error {
	return tool.Errorf(CodeEmptyOldString, "old_string is empty").
		WithText(none + "old_string is empty. To replace all of " + p.Shown() + " use write; to change a part of it put text from the file into old_string.")
}

func identical() error {
	return tool.Errorf(CodeIdentical, "both strings are the same").
		WithText("old_string and new_string are identical — there is nothing to change.")
}

func stringTooLarge(size int64) error {
	return tool.Errorf(tool.CodeTooLarge, "%d bytes", size).
		WithText("The text is too large to edit with: " + bound.Excess(size, maxString) + ". Quote less of the file.")
}

func tooLarge(p tool.Path, size int64) error {
	return tool.Errorf(tool.CodeTooLarge, "%d bytes", size).
		WithText("The file is too large to edit: " + p.Shown() + " (" + bound.Excess(size, maxFile) + "). Change it with a command instead.")
}

func notText(p tool.Path, why string) error {
	return tool.Errorf(CodeNotText, "the file is no text that fits").WithText("Cannot edit " + p.Shown() + ": " + why)
}

// failed says how a search failed.
func failed(s *search, p tool.Path, all bool, err error) error {
	if two, ok := errors.AsType[*ambiguousError](err); ok {
		return ambiguous(s, p, two)
	}
	if big, ok := errors.AsType[*disproportionateError](err); ok {
		return disproportionate(s, p, big)
	}
	if errors.Is(err, errNotFound) {
		near, ok := s.near(all)
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		return notFound(p, near, ok)
	}
	return err
}

// maxListed is how many line numbers an answer lists.
const maxListed = 20

func ambiguous(s *search, p tool.Path, e *ambiguousError) error {
	var numbers []int
	for _, place := range e.places.list {
		if n := s.text.lineOf(place.start) + 1; len(numbers) == 0 || numbers[len(numbers)-1] != n {
			numbers = append(numbers, n)
		}
	}
	count := bound.Count(int64(e.places.count))
	matches := count
	if e.places.more {
		matches = "at least " + count
	}
	text := none + "old_string matches " + matches + " locations in " + p.Shown() + " (" + listed(numbers, e.places) +
		"). Add more surrounding lines to old_string so it uniquely identifies one location, or "
	if e.by.name == "exact" {
		text += "set replace_all to true to change all " + count + "."
	} else {
		text += "quote it exactly as it appears in the file: it was only " + e.by.words + ", and replace_all changes exact occurrences alone."
	}
	return withMetadata(tool.Errorf(CodeAmbiguous, "%d places", e.places.count).WithText(text),
		map[string]any{"path": p.Short(), "strategy": e.by.name, "matches": e.places.count, "lines": numbers})
}

// listed is "line 3" or "lines 3, 7, 9".
func listed(numbers []int, of places) string {
	var b strings.Builder
	b.WriteString("line ")
	if len(numbers) > 1 {
		b.Reset()
		b.WriteString("lines ")
	}
	for i, n := range numbers[:min(len(numbers), maxListed)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	if len(numbers) > maxListed || of.count > len(of.list) {
		b.WriteString(" and others")
	}
	return b.String()
}

func disproportionate(s *search, p tool.Path, e *disproportionateError) error {
	matched := s.text.plain[e.place.start:e.place.end]
	first := s.text.lineOf(e.place.start) + 1
	return withMetadata(tool.Errorf(CodeDisproportionate, "%d bytes for a quote of %d", len(matched), len(s.old)).WithText(
		none+"old_string was only "+e.by.words+", and what it matches in "+p.Shown()+" ("+span(first, s.text.lineOf(max(e.place.start, e.place.end-1))+1)+", "+
			bound.Plural(int64(characters(matched)), "character")+") is out of proportion to its "+bound.Plural(int64(characters(s.old)), "character")+
			". Re-read that region and provide the full exact text in old_string."),
		map[string]any{"path": p.Short(), "strategy": e.by.name})
}

func notFound(p tool.Path, near nearMiss, ok bool) error {
	text := none + "old_string was not found in " + p.Shown() + ". "
	extra := map[string]any{"path": p.Short()}
	if !ok {
		return withMetadata(tool.Errorf(CodeNotFound, "no place").WithText(
			text+"Read the file and provide old_string exactly as it appears in it."), extra)
	}
	extra["nearMiss"] = []int{near.first, near.last}
	text += "Closest near-miss is at " + span(near.first, near.last) + near.difference() + ". "
	if near.numbered {
		text += "old_string holds the line numbers that read shows (\"     1→\"); leave them out. "
	}
	return withMetadata(tool.Errorf(CodeNotFound, "no place").WithText(
		text+"Read that region and provide old_string exactly as it appears in the file."), extra)
}

// span is "lines 3–9".
func span(first, last int) string { return fmt.Sprintf("lines %d–%d", first, last) }

func withMetadata(e *tool.Error, extra map[string]any) error {
	e.Metadata = &tool.Metadata{Extra: extra}
	return e
}

// facts are what is kept of an edit that was done.
func (p plan) facts() map[string]any {
	facts := map[string]any{"path": p.path.Short(), "strategy": p.found.by.name}
	if p.part == nil {
		// A part is made of lines: how many of the places lie in it is not told.
		facts["replacements"] = p.found.count
	}
	return facts
}

// text is what the caller is told of an edit that was done.
func (p plan) text() string {
	if p.part != nil {
		return "Edited a part of " + p.path.Shown() + ".\n" + p.part.Text() + "\n" + p.snippet()
	}
	how := bound.Plural(int64(p.found.count), "replacement")
	if p.found.by.words != "" {
		how += ", " + p.found.by.words
	}
	return "Edited " + p.path.Shown() + " (" + how + ").\n" + p.snippet() +
		"Review the changes. Edit the file again if the result is not what you intended."
}

// notes are for the person who is asked: how the text was found where it was not exact.
func (p plan) notes() []string {
	switch {
	case p.all:
		return []string{bound.Plural(int64(p.found.count), "place") + " in the file: every exact occurrence is replaced."}
	case p.found.by.name != "exact":
		return []string{"The quoted text is not in the file exactly; it was " + p.found.by.words + "."}
	}
	return nil
}
