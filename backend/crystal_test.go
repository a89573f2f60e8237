//go:build linux

package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// crystalSet is a manifest in the older form of one tool a set, and its program, which knows of its
// call what the variables say.
const (
	crystalSet = `{
  "runner": "exec",
  "description": "Counts its calls.",
  "schema": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
  "command": ["./count.sh"],
  "argv": {"word": "--word"},
  "icon": "a field of a later version"
}`
	crystalProgram = `#!/bin/sh
set -eu
echo "$2" >> "$CRYSTAL_TOOL_DATA/words"
echo "$2" >> "$CRYSTAL_PROJECT_DATA/words"
cat >> "$CRYSTAL_PROJECT_DATA/words"
cd "$CRYSTAL_WORKSPACE"
echo "$(pwd -P) ${CRYSTAL_SESSION:+session} $CRYSTAL_APPROVAL $(wc -l < "$CRYSTAL_TOOL_DATA/words")"
`
)

// spec: CT-1, CX-32
func TestSetsThatWereWrittenForCrystalRunUnchanged(t *testing.T) {
	p := newPlace(t)
	user := filepath.Dir(p.home)
	for _, set := range []string{filepath.Join(user, ".crystal/tools/mine"), filepath.Join(p.workspace, ".crystal/tools/ours")} {
		putSet(t, filepath.Dir(set), filepath.Base(set), crystalSet)
		if err := os.WriteFile(filepath.Join(set, "count.sh"), []byte(crystalProgram), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	e := p.open(t, true, "")
	workspace, err := filepath.EvalSymlinks(p.workspace)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mine", "ours"} {
		for _, count := range []string{"1", "2"} {
			s := p.full(t, e, session.PresetFull)
			o := s.Call(t.Context(), tool.Call{Name: name, Arguments: []byte(`{"word":"w"}`)}, nil)
			s.Close()
			if got, want := strings.TrimSpace(spoken(o)), workspace+" session full "+count; o.Status != tool.StatusSucceeded || got != want {
				t.Errorf("%s: %s %q, not %q", name, o.Status, got, want)
			}
		}
		// What it keeps of its own lies in our home, what it keeps of the workspace where Crystal has it.
		for file, want := range map[string]string{
			filepath.Join(p.home, "data/tools", name, "words"):               "w\nw\n",
			filepath.Join(p.workspace, ".crystal/data/tools", name, "words"): "w\n{\"word\":\"w\"}w\n{\"word\":\"w\"}",
		} {
			if got, err := os.ReadFile(file); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", file, got, err)
			}
		}
	}
}
