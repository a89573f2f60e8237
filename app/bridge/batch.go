package bridge

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/bound"
)

// AnswerBatch gives one answer to several cards: to all of them or to none. The result says
// which, and because of which cards.
func (a *API) AnswerBatch(r BatchRequest) (BatchResult, error) {
	return respond(a, "AnswerBatch", func(ctx context.Context) (BatchResult, error) { return a.answerBatch(ctx, r) })
}

func (a *API) answerBatch(ctx context.Context, r BatchRequest) (BatchResult, error) {
	given, err := batchOf(r)
	if err != nil {
		return BatchResult{}, err
	}
	got, err := a.engine.AnswerBatch(ctx, given)
	if err != nil {
		return BatchResult{}, err
	}
	if got.ID == "" {
		return BatchResult{Words: noneWords(len(r.Cards)), Stops: stopsOf(got.Objections)}, nil
	}
	return BatchResult{Answered: true, Words: batchWords(got.Results, given.Resolution)}, nil
}

// batchOf checks an answer to several cards.
func batchOf(r BatchRequest) (approval.BatchAnswer, error) {
	given := approval.BatchAnswer{Resolution: approval.Resolution(r.Resolution), Words: r.Words}
	known := map[string]bool{}
	for _, c := range r.Cards {
		known[c.ID] = true
		given.Requests = append(given.Requests, approval.Shown{ID: c.ID, ArgumentsHash: c.Hash, Card: c.Shown, Seen: c.Seen})
	}
	switch {
	case given.Resolution != approval.AllowOnce && given.Resolution != approval.Deny:
		return given, invalid("resolution", "is not allow_once or deny")
	case len(r.Cards) == 0 || len(r.Cards) > approval.MaxBatch:
		return given, invalid("cards", fmt.Sprintf("are not 1 to %d", approval.MaxBatch))
	case len(known) < len(r.Cards):
		return given, invalid("cards", "name one of them twice")
	case slices.ContainsFunc(r.Cards, func(c BatchCard) bool { return c.ID == "" || len(c.ID) > maxID }):
		return given, invalid("cards", "have an id that is missing or too long")
	case slices.ContainsFunc(r.Cards, func(c BatchCard) bool { return c.Hash == "" }):
		return given, invalid("cards", "have a hash that is missing")
	case !utf8.ValidString(r.Words):
		return given, invalid("words", "is not text")
	case utf8.RuneCountInString(r.Words) > approval.MaxWords:
		return given, invalid("words", "is longer than 2,000 characters")
	case r.Words != "" && given.Resolution != approval.Deny:
		return given, invalid("words", "goes with a denial only")
	}
	return given, nil
}

// stopsOf tells why none was answered. A request that rules or files ended says so itself.
func stopsOf(objections []approval.Objection) []BatchStop {
	out := make([]BatchStop, 0, len(objections))
	for _, o := range objections {
		words := o.Words
		if r := o.Request; r.Status != "" && r.Status != approval.StatusPending && r.Resolution == "" {
			words = endedWords(r, nil)
		}
		out = append(out, BatchStop{ID: o.Request.ID, Words: words})
	}
	return out
}

// batchWords says what became of the calls of a batch that was answered.
func batchWords(results []approval.Result, given approval.Resolution) string {
	kept := 0
	for _, r := range results {
		if r.Outcome == approval.OutcomeKept {
			kept++
		}
	}
	words := fmt.Sprintf("%s allowed once.", bound.Plural(int64(len(results)), "call"))
	if given == approval.Deny {
		words = fmt.Sprintf("%s denied.", bound.Plural(int64(len(results)), "call"))
	}
	switch kept {
	case 0:
		return words
	case 1:
		return words + " Nobody waits for 1 of them any more: its answer is kept for the same call, once, until it expires."
	}
	return words + fmt.Sprintf(" Nobody waits for %d of them any more: their answers are kept for the same calls, once, until they expire.", kept)
}

func noneWords(calls int) string {
	if calls == 1 {
		return "The call was not answered."
	}
	return fmt.Sprintf("None of the %d calls was answered.", calls)
}
