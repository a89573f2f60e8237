// Package lookup knows what the tools that search files have in common: their class, how
// long a search may take, which globs are tried, what is told of a search that failed, and
// where the full list of what was found goes. It searches nothing itself.
package lookup

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"countersign/backend/tool"

	"github.com/bmatcuk/doublestar/v4"
)

// timeLimit is how long a search may take.
const timeLimit = 10 * time.Second

// Class is that of a tool that searches.
func Class() tool.Class {
	return tool.Class{
		SideEffect:  tool.EffectWorkspaceRead,
		Risk:        tool.RiskLow,
		Idempotency: tool.IdempotencyReadOnly,
		Action:      tool.ActionToolCall,
		OutputTrust: tool.TrustInternalTool,
		Scopes:      []string{"workspace.read"},
		Target:      tool.TargetHost,
		Timeout:     timeLimit,
		OnTimeout:   tool.TimeoutKill,
		MaxBytes:    64 << 10,
		Parallel:    true,
	}
}

// Failed adds what a reader can do to a failed search at p that says nothing yet. narrow
// names the arguments that make a search smaller.
func Failed(err error, p tool.Path, narrow string) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return tool.Errorf(tool.CodeTimeout, "over %s", timeLimit).
			WithText("The search did not end within 10 seconds and was stopped; nothing that it found is shown. Narrow it with " + narrow + ".")
	}
	e, ok := errors.AsType[*tool.Error](err)
	if ok && len(e.Content) == 0 && (e.Code == tool.CodeFileNotFound || e.Code == tool.CodeNotAFile) {
		return e.WithText("Could not search " + p.Shown() + ": it changed into something else meanwhile. Look again.")
	}
	return err
}

// The most groups of braces and alternatives of a glob. Each group multiplies the ways
// in which a path can be tried.
const (
	maxBraces       = 3
	maxAlternatives = 60
)

// Fault says why a glob is not tried, "" when it may be.
func Fault(glob string) string {
	switch {
	case !doublestar.ValidatePattern(glob):
		return "a bracket or brace is open, or a backslash stands at the end"
	case strings.Count(glob, "{") > maxBraces || strings.Count(glob, ",") > maxAlternatives:
		return "it has more than three groups of braces, or more than sixty alternatives"
	}
	return ""
}

// quotedChars is how much of a pattern is repeated.
const quotedChars = 200

// Quote repeats a pattern in quotes, as much of it as a line has room for.
func Quote(pattern string) string {
	shown := tool.ShowPath(pattern)
	if r := []rune(shown); len(r) > quotedChars {
		shown = string(r[:quotedChars]) + "…"
	}
	return `"` + shown + `"`
}

// Keep puts the full list of what was found at root into the output store and returns
// where and how long it is. A list that could not be kept, or may not be, is no failure:
// the path is "" then. list starts the list anew at each call.
func Keep(ctx context.Context, host tool.Host, root tool.Path, label string, list func() io.Reader) (path string, size int64, err error) {
	if host.Output != nil && !host.Search.Guarded(root) {
		if path, size, err := host.Output.Spill(ctx, label, list()); err == nil {
			return path, size, nil
		}
	}
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	size, _ = io.Copy(io.Discard, list())
	return "", size, nil
}

// Name is the name of a found file as the system knows it, "" where p.Short is that name
// already, or where it is no text and nobody could ask for it.
func Name(p tool.Path) string {
	name := p.Rel
	if name == "" {
		name = p.Real
	}
	if name == p.Short() || !utf8.ValidString(name) {
		return ""
	}
	return name
}
