//go:build linux

package toolset_test

import "testing"

func TestAProgramOfASetIsRun(t *testing.T) {
	b := newBed(t)
	spec := b.script(`cat; echo; echo "$PWD|$CRYSTAL_WORKSPACE|$CRYSTAL_SESSION|$CRYSTAL_APPROVAL|$1"; echo err >&2`, map[string]any{
		"schema": map[string]any{"type": "object", "properties": map[string]any{"p": map[string]any{}, "n": map[string]any{}}},
		"argv":   map[string]any{"p": "--p"}, "pathArguments": []string{"p"},
	})
	r, err := b.call(t.Context(), spec, `{"n":1.50,"p":"a/../b.txt","list":[1e2]}`)
	w := b.places.Workspace
	want := `{"n":1.50,"p":"` + w + `/b.txt","list":[1e2]}` + "\n" + w + "|" + w + "|s-1|edit|--p\nerr\n"
	if got := said(r, err); got != want || err != nil {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	if b.marks != 1 {
		t.Errorf("%d marks", b.marks)
	}
}
