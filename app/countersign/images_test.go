package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spec: CX-29
func TestCallNamesImagesByTheirHandles(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(b.home, "tools", "plot")
	const answer = `{"text":"drawn","images":[{"mimeType":"image/png","base64":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAACAAAB4iG8MwAAAABJRU5ErkJggg=="}]}`
	const manifest = `{"runner":"exec","description":"Plots.","schema":{"type":"object"},"command":["/bin/echo",` + "%" + `],"stdin":false,"output":"content","approval":"always"}`
	quoted := `"` + strings.ReplaceAll(answer, `"`, `\"`) + `"`
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tools.json"), []byte(strings.Replace(manifest, "%", quoted, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	got := b.run(t, nil, "call", "plot", "--trust-workspace")
	o := outcomes(t, got.stdout)
	if got.code != exitOK || len(o) != 1 {
		t.Fatalf("%+v", got)
	}
	kept, err := os.ReadDir(filepath.Join(b.home, "media"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%d images, %v", len(kept), err)
	}
	handle := "media://" + kept[0].Name()
	want := []any{map[string]any{"type": "text", "text": "drawn"}, map[string]any{"type": "image", "mime": "image/png", "handle": handle}}
	if d := cmp.Diff(want, o[0]["content"]); d != "" {
		t.Error(d)
	}
	id := idForm.FindString(b.run(t, nil, "sessions", "list", "--json").stdout)
	for _, format := range []string{"markdown", "jsonl"} {
		if got := b.run(t, nil, "sessions", "export", id, "--format", format); got.code != exitOK || !strings.Contains(got.stdout, handle) {
			t.Errorf("%s: %+v", format, got)
		}
	}

	got = b.run(t, nil, "call", "plot", "--trust-workspace", "--text-only")
	if o := outcomes(t, got.stdout); got.code != exitFailed || o[0]["message"] != "This model cannot accept tool images." {
		t.Errorf("%+v", got)
	}
}
