package edit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"countersign/backend/tool"
	"countersign/tools/scenariotest"
)

// spec: CS-11
func TestWhatIsTooLargeIsRefused(t *testing.T) {
	s := newSession(t)
	const limit = 16 << 20
	s.Has("most", strings.Repeat("x", limit-2)+"ab")
	if _, err := s.edit(t.Context(), "most", "ab", "cd"); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := s.edit(t.Context(), "most", "cd", "cde"); scenariotest.Code(err) != tool.CodeTooLarge || !strings.HasSuffix(s.Holds("most"), "xcd") {
		t.Errorf("over the limit by the edit: %v", err)
	}
	s.Has("more", strings.Repeat("x", limit)+"a")
	_, err := s.edit(t.Context(), "more", "a", "b")
	if scenariotest.Code(err) != tool.CodeTooLarge || !strings.Contains(scenariotest.Said(err), "too large to edit") || !strings.HasSuffix(s.Holds("more"), "xa") {
		t.Errorf("over the limit: %v, %q", err, scenariotest.Said(err))
	}
	long := strings.Repeat("é", 2<<20)
	for _, strs := range [][2]string{{long + "x", "a"}, {"a", long + "x"}} {
		if _, err := s.edit(t.Context(), "most", strs[0], strs[1]); scenariotest.Code(err) != tool.CodeTooLarge {
			t.Errorf("a string of over 4 MiB: %v", err)
		}
	}
}

// A preview of a change that is too large to show is figures, and the edit still works.
func TestAHugeChangeIsMadeWithoutItsDiff(t *testing.T) {
	s := newSession(t)
	s.Has("log", strings.Repeat("0123456789abcdef\n", 1<<18))
	in := map[string]any{"file_path": "log", "old_string": "0", "new_string": "zero", "replace_all": true}
	b, err := json.Marshal(in)
	must(t, err)
	preview, err := s.spec.Draw(t.Context(), s.Env("log"), tool.Args{Canonical: b})
	must(t, err)
	d := preview.Diffs[0]
	if d.Unified != "" || d.Additions != 1<<18 || d.Deletions != 1<<18 || len(d.Notes) != 2 || !strings.Contains(d.Notes[0], "too large to show") {
		t.Errorf("%d bytes of diff, +%d -%d, %q", len(d.Unified), d.Additions, d.Deletions, d.Notes)
	}
	r, err := s.spec.Run(t.Context(), s.Env("log"), tool.Args{Canonical: b})
	must(t, err)
	if got := r.Content[0].Text.Open(); !strings.Contains(got, " (262,144 replacements).\n") || !strings.HasPrefix(s.Holds("log"), "zero123") || len(got) > 1000 {
		t.Errorf("%.200q, holds %.20q", got, s.Holds("log"))
	}
}

// A long region is shown by its ends, within what a result may hold.
//
// spec: KH-3, KH-37
func TestALongRegionIsShownByItsEnds(t *testing.T) {
	s := newSession(t)
	for _, row := range []struct {
		name, line string
		lines      int
		wants      []string
	}{
		{"short lines", "x", 1000, []string{"(lines 1–1009)", "\n     5→x\n", "\n    80→x\n[... 889 lines not shown; read the file from line 81 to see the rest.]\n   970→x\n", "\n  1009→tail\n"}},
		{"long lines", strings.Repeat("y", 5000), 30, []string{"(lines 1–39)", "… [line truncated]\n", "lines not shown; read the file from line", "\n    39→tail\n"}},
		{"what just fits", "z", 111, []string{"(lines 1–120)", "\n    81→z\n    82→z\n", "\n   120→tail\n"}},
	} {
		head := strings.Repeat("head\n", 4)
		s.Has("a", head+"old\n"+strings.Repeat("tail\n", 5))
		r, err := s.edit(t.Context(), "a", "old\n", strings.Repeat(row.line+"\n", row.lines+1))
		must(t, err)
		text := r.Content[0].Text.Open()
		for _, want := range row.wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%.600s", row.name, want, text)
			}
		}
		if len(text) > 26<<10 {
			t.Errorf("%s: %d bytes", row.name, len(text))
		}
	}
}

// Every place is replaced without a list of millions.
//
// spec: KH-35
func TestMillionsOfPlacesAreReplaced(t *testing.T) {
	s := newSession(t)
	s.Has("a", strings.Repeat("a", 4<<20))
	b, err := json.Marshal(map[string]any{"file_path": "a", "old_string": "a", "new_string": "b", "replace_all": true})
	must(t, err)
	r, err := s.spec.Run(t.Context(), s.Env("a"), tool.Args{Canonical: b})
	must(t, err)
	if s.Holds("a") != strings.Repeat("b", 4<<20) || r.Metadata.Extra["replacements"] != 4<<20 {
		t.Errorf("holds %.20q, %v", s.Holds("a"), r.Metadata.Extra)
	}
}
