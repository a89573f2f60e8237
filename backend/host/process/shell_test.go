package process

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNoOtherShellTakesThePlaceOfBash(t *testing.T) {
	only, both := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(only, "sh"), filepath.Join(both, "sh"), filepath.Join(both, "bash")} {
		if err := os.WriteFile(file, []byte("#!/bin/true\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got := shell(only); got != "" {
		t.Errorf("a machine with sh alone runs commands with %q", got)
	}
	if got, want := shell(only+string(filepath.ListSeparator)+both), filepath.Join(both, "bash"); got != want {
		t.Errorf("commands are run with %q, not %q", got, want)
	}
	if got, want := shell(only, both), filepath.Join(both, "bash"); got != want {
		t.Errorf("commands are run with %q, not %q", got, want)
	}
}
