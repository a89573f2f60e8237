package bridge

import "context"

// DiffLines returns lines of a file around the hunks of a diff, from the very content that
// the diff was made from or led to. Where that is gone, the answer says so.
func (a *API) DiffLines(r DiffLinesRequest) (DiffLines, error) {
	return respond(a, "DiffLines", func(ctx context.Context) (DiffLines, error) { return a.diffLines(ctx, r) })
}

// Excerpt returns lines of a file of a session as it is now. What the session may not read
// without being asked is refused.
func (a *API) Excerpt(r ExcerptRequest) (Excerpt, error) {
	return respond(a, "Excerpt", func(ctx context.Context) (Excerpt, error) { return a.excerpt(ctx, r) })
}
