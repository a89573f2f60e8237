package glob

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/tool"
	"countersign/tools/scenariotest"
)

type listing struct {
	tool.Search
	answer func(ctx context.Context, each func(tool.FoundFile) bool) error
}

func (listing) Guarded(tool.Path) bool { return false }

func (l listing) List(ctx context.Context, _ tool.ListQuery, each func(tool.FoundFile) bool) error {
	return l.answer(ctx, each)
}

func list(t *testing.T, ctx context.Context, answer func(context.Context, func(tool.FoundFile) bool) error) (tool.Result, string, error) {
	t.Helper()
	return scenariotest.InFolder(t, ctx, Spec(), tool.Host{Search: listing{answer: answer}}, map[string]string{"pattern": "*"})
}

func endless(name string) func(context.Context, func(tool.FoundFile) bool) error {
	return func(_ context.Context, each func(tool.FoundFile) bool) error {
		for i := 0; ; i++ {
			below := fmt.Sprintf("%s%07d", name, i)
			if !each(tool.FoundFile{Path: tool.Path{Real: "/w/" + below, Rel: below}, Below: below}) {
				return nil
			}
		}
	}
}

// spec: KH-41
func TestASearchThatFindsTooMuchIsStopped(t *testing.T) {
	res, text, err := list(t, t.Context(), endless("f"))
	if err != nil || *res.Metadata.Files != fullPaths {
		t.Fatalf("%v, %+v", err, res.Metadata)
	}
	if !strings.HasPrefix(text, "more than 50,000 files match \"*\" (newest first):\nf0000000\n") ||
		!strings.HasSuffix(text, "\n[Showing 100 of more than 50,000. The full list was not kept — narrow the pattern.]") {
		t.Errorf("%.80s … %s", text, text[len(text)-120:])
	}
	res, text, err = list(t, t.Context(), endless(strings.Repeat("long/", 400)))
	if err != nil || len(text) > tool.DefaultBytes || *res.Metadata.Files > fullBytes/2000+1 {
		t.Errorf("%v, %d bytes, %d files", err, len(text), *res.Metadata.Files)
	}
}

func TestASlowSearchSaysHowToNarrowIt(t *testing.T) {
	waiting := func(ctx context.Context, _ func(tool.FoundFile) bool) error {
		<-ctx.Done()
		return ctx.Err()
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), Spec().Class.Timeout)
		defer cancel()
		_, text, err := list(t, ctx, waiting)
		e, ok := errors.AsType[*tool.Error](err)
		if !ok || e.Code != tool.CodeTimeout || !strings.Contains(text, "within 10 seconds") {
			t.Errorf("%v: %s", err, text)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := list(t, ctx, waiting); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
