package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"countersign/app/desk"
	"countersign/backend/bound"
	"countersign/backend/record"
	"countersign/backend/session"
)

const exportHelp = `Write a session to standard output, without its secrets.

--decisions writes what was decided in the session instead: each call that the rules, a grant,
a reviewer or you let run or denied, each answer and whatever else closed a card, with the
chain of reasons, who decided, when, and the card that was shown. Every line holds the
SHA-256 of the one before, and the last line counts them.

--verify checks such a file. Changed, removed, added and reordered lines and a missing end are
told apart, and the first line that does not hold is named. There is no signature: a record
that somebody wrote anew from its beginning, or one with an end cut off and a new closing line,
holds as well. Keep the last hash elsewhere, or write the record again and compare.`

// exportDecisions writes the decision record of a session, checking it on the way.
func (p *program) exportDecisions(ctx context.Context, id string) error {
	return p.withHistory(ctx, func(h history) error {
		s, err := find(ctx, h, id)
		if err != nil {
			return failed(err)
		}
		start, err := h.RecordStart(ctx, s.ID)
		if err != nil {
			return failed(err)
		}
		// What is written is checked as a reader would check it.
		out, in := io.Pipe()
		checked := make(chan record.Finding, 1)
		go func() {
			found, err := record.Verify(out)
			// Whoever still writes must not wait for a reader that is gone.
			_ = out.CloseWithError(errors.Join(err, io.ErrClosedPipe))
			checked <- found
		}()
		w := bufio.NewWriter(p.stdout)
		err = writeDecisions(ctx, io.MultiWriter(w, in), h, s, start)
		_ = in.Close()
		found := <-checked
		if err := errors.Join(err, w.Flush()); err != nil {
			return failed(err)
		}
		p.tellStart(start)
		if found.Problem != record.ProblemNone {
			return &exit{code: exitFailed, sentence: "The record does not hold as it is stored. " + found.Words}
		}
		return nil
	})
}

// tellStart says that a record does not go back to the beginning of its session.
func (p *program) tellStart(start record.Start) {
	if start.Calls > 0 {
		fmt.Fprintln(p.stderr, startWords(start))
	}
}

func startWords(start record.Start) string {
	return fmt.Sprintf("The session is older than its record, which begins after event %d. What was decided earlier, about %s, is not in it.", start.After, bound.Plural(start.Calls, "call"))
}

func writeDecisions(ctx context.Context, w io.Writer, h history, s session.Session, start record.Start) error {
	begun, err := record.Begin(s.ID, start)
	if err != nil {
		return err
	}
	if _, err := w.Write(record.AppendLine(nil, begun, nil)); err != nil {
		return err
	}
	head := record.HeadOf(s.ID, begun)
	for {
		page, err := h.Decisions(ctx, s.ID, head.Seq, decisionPage)
		if err != nil {
			return err
		}
		for _, d := range page {
			if _, err := w.Write(record.AppendLine(nil, d.Sealed, d.Card)); err != nil {
				return err
			}
			head = record.HeadOf(s.ID, d.Sealed)
		}
		if len(page) < decisionPage {
			break
		}
	}
	closed, err := head.Close()
	if err != nil {
		return err
	}
	_, err = w.Write(record.AppendLine(nil, closed, nil))
	return err
}

// decisionPage is how many entries are read at a time: each may have a card with all that a
// call would write.
const decisionPage = 50

// verified is what a check found, as JSON.
type verified struct {
	OK      bool           `json:"ok"`
	Problem record.Problem `json:"problem"`
	// Line is the first that does not hold, 0 without one.
	Line    int    `json:"line"`
	Message string `json:"message"`
	Session string `json:"session"`
	Entries int64  `json:"entries"`
	Last    string `json:"last"`
	// CallsBefore is how many calls of the session were made before the record began.
	CallsBefore int64 `json:"calls_before"`
}

// verifyRecord checks a decision record. It opens no home.
func (p *program) verifyRecord(path string, asJSON bool) error {
	in := p.stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return refusal("The file cannot be opened. Name one that sessions export --decisions wrote.")
		}
		defer f.Close()
		in = f
	}
	found, err := record.Verify(in)
	if err != nil {
		return &exit{code: exitFailed, sentence: "The file could not be read to its end."}
	}
	ok := found.Problem == record.ProblemNone
	code := exitOK
	if !ok {
		code = exitFailed
	}
	if asJSON {
		err := printJSON(p.stdout, verified{ok, found.Problem, found.Line, found.Words, found.Session, found.Entries, found.Last, found.Start.Calls})
		return errors.Join(err, quiet(code))
	}
	if !ok {
		return &exit{code: code, sentence: found.Words}
	}
	fmt.Fprintf(p.stdout, "The record of session %s holds: %s, the last line with the hash %s.\n",
		desk.Visible(found.Session), bound.Plural(found.Entries, "decision"), found.Last)
	if found.Start.Calls > 0 {
		fmt.Fprintln(p.stdout, startWords(found.Start))
	}
	fmt.Fprintln(p.stdout, "Without a key this does not show whether it was written anew as a whole, or cut short and closed again: compare the last hash with one that was kept elsewhere.")
	return nil
}
