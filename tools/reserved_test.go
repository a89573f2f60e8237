package tools_test

import (
	"slices"
	"testing"

	"countersign/tools"
)

// spec: CT-8
func TestEveryBuiltInNameIsReserved(t *testing.T) {
	reserved := tools.Reserved()
	for _, name := range []string{
		"read", "list", "tree", "glob", "grep", "search", "todowrite", "todoread", "question", "edit", "write", "bash", "skill",
		"math.calculate", "math_calculate", "workspace.read_text", "workspace_read_text", "git_commit",
	} {
		if !slices.Contains(reserved, name) {
			t.Errorf("%s is not reserved", name)
		}
	}
	seen := map[string]bool{}
	for _, s := range tools.Catalog() {
		seen[s.ID] = true
		if !slices.Contains(reserved, s.ID) || !slices.Contains(reserved, s.WireName()) {
			t.Errorf("%s is not reserved", s.ID)
		}
	}
	if slices.Contains(reserved, "deploy") || len(seen) == 0 {
		t.Error("a name that is not built in is reserved")
	}
}
