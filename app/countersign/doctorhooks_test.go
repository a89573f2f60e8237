package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctorSaysOfEachHookWhetherItCanBeRun(t *testing.T) {
	b := newBench(t)
	program := filepath.Join(t.TempDir(), "guard")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho {}\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	settings := `{"hooks":{"beforeCall":[{"name":"guard","run":["` + program + `"]}],"afterResult":[{"name":"veil","run":["hooks/none"]}]}}`
	if err := os.MkdirAll(b.home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	got := b.run(t, nil, "doctor")
	for _, want := range []string{"guard, before a call: " + program, "veil, after a result, cannot be run, so every result is withheld", "take the hook out of"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is missing in\n%s", want, got.stdout)
		}
	}
	if got.code != exitUsage {
		t.Errorf("it ended with %d", got.code)
	}
	if got := b.run(t, nil, "explain", "math.calculate", `{"expression":"1+1"}`); !strings.Contains(got.stdout, `Hook \"guard\" would be asked`) {
		t.Errorf("%+v", got)
	}
}
