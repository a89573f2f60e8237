package lookup

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"countersign/backend/tool"
)

func TestAFailedSearchSaysWhatToDo(t *testing.T) {
	plain := errors.New("other")
	for _, c := range []struct {
		err  error
		code tool.Code
		said string
	}{
		{context.DeadlineExceeded, tool.CodeTimeout, "Narrow it with path or include."},
		{tool.Errorf(tool.CodeFileNotFound, "gone"), tool.CodeFileNotFound, "Could not search /w: it changed"},
		{tool.Errorf(tool.CodeNotAFile, "a pipe now"), tool.CodeNotAFile, "Could not search /w: it changed"},
		{tool.Errorf(tool.CodeNotAFile, "a pipe").WithText("said"), tool.CodeNotAFile, "said"},
	} {
		e, ok := errors.AsType[*tool.Error](Failed(c.err, tool.Path{Real: "/w", Abs: "/w"}, "path or include"))
		if !ok || e.Code != c.code || len(e.Content) != 1 || !strings.Contains(e.Content[0].Text.Open(), c.said) {
			t.Errorf("%v: got %+v", c.err, e)
		}
	}
	for _, err := range []error{plain, context.Canceled} {
		if got := Failed(err, tool.Path{}, "path"); got != err {
			t.Errorf("got %v", got)
		}
	}
}

func TestAGlobThatTakesTooManyWaysIsNotTried(t *testing.T) {
	for glob, ok := range map[string]bool{
		"*": true, "{a,b}{a,b}{a,b}": true, "{a,b}{a,b}{a,b}{a,b}": false, "[a": false, "{a": false, `a\`: false,
		"{" + strings.Repeat("a,", maxAlternatives) + "a}": true, "{" + strings.Repeat("a,", maxAlternatives+1) + "a}": false,
	} {
		if why := Fault(glob); (why == "") != ok {
			t.Errorf("%.40s: %q", glob, why)
		}
	}
}

func TestALongPatternIsRepeatedInPart(t *testing.T) {
	for pattern, want := range map[string]string{
		"a b":                              `"a b"`,
		strings.Repeat("é", quotedChars):   `"` + strings.Repeat("é", quotedChars) + `"`,
		strings.Repeat("é", quotedChars+1): `"` + strings.Repeat("é", quotedChars) + `…"`,
		"\x1b[31m":                         `"\x1b[31m"`,
	} {
		if got := Quote(pattern); got != want || strings.Contains(got, "\x1b") {
			t.Errorf("got %s", got)
		}
	}
}

// place is a store and a search in one.
type place struct {
	tool.Search
	tool.Output
	guarded bool
	fails   error
	kept    string
}

func (p *place) Guarded(tool.Path) bool { return p.guarded }

func (p *place) Spill(_ context.Context, label string, text io.Reader) (string, int64, error) {
	b, err := io.ReadAll(text)
	if err != nil || p.fails != nil {
		return "", 0, errors.Join(err, p.fails)
	}
	p.kept = label + " " + string(b)
	return "/out/1", int64(len(b)), nil
}

func TestAListIsKeptWhereItMayBe(t *testing.T) {
	list := func() io.Reader { return strings.NewReader("a\nb\n") }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		place place
		bare  bool
		path  string
		kept  string
		err   error
	}{
		"kept":         {t.Context(), place{}, false, "/out/1", "grep a\nb\n", nil},
		"guarded":      {t.Context(), place{guarded: true}, false, "", "", nil},
		"no store":     {t.Context(), place{}, true, "", "", nil},
		"full":         {t.Context(), place{fails: errors.New("full")}, false, "", "", nil},
		"nobody waits": {ended, place{fails: errors.New("full")}, false, "", "", context.Canceled},
	} {
		host := tool.Host{Search: &c.place, Output: &c.place}
		if c.bare {
			host.Output = nil
		}
		path, size, err := Keep(c.ctx, host, tool.Path{}, "grep", list)
		if path != c.path || c.place.kept != c.kept || !errors.Is(err, c.err) || c.err == nil && size != 4 {
			t.Errorf("%s: %q, %d, %v, kept %q", name, path, size, err, c.place.kept)
		}
	}
}

func TestANameIsGivenOnlyWhereTheShownPathIsAnother(t *testing.T) {
	for _, c := range []struct {
		path tool.Path
		want string
	}{
		{tool.Path{Rel: "a b.txt", Real: "/w/a b.txt"}, ""},
		{tool.Path{Rel: "a\nb", Real: "/w/a\nb"}, "a\nb"},
		{tool.Path{Real: "/o/a\x1b"}, "/o/a\x1b"},
		{tool.Path{Rel: "a\xff", Real: "/w/a\xff"}, ""},
	} {
		if got := Name(c.path); got != c.want {
			t.Errorf("%q: %q", c.path.Real, got)
		}
	}
}
