package bridge

import "context"

// History returns a page of the calls of all sessions, the newest first. A page looks at a
// bounded number of calls; the page asks again with Next while it wants more.
func (a *API) History(q HistoryQuery) (HistoryPage, error) {
	return respond(a, "History", func(ctx context.Context) (HistoryPage, error) { return a.history(ctx, q) })
}

// HistoryCall returns one call as a row of the history.
func (a *API) HistoryCall(id string) (HistoryRow, error) {
	return respond(a, "HistoryCall", func(ctx context.Context) (HistoryRow, error) { return a.historyCall(ctx, id) })
}

// HistoryChoices returns the values that the history can be asked for.
func (a *API) HistoryChoices() (HistoryChoices, error) {
	return respond(a, "HistoryChoices", a.historyChoices)
}
