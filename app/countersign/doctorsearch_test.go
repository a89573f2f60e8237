package main

import (
	"strings"
	"testing"
)

func TestDoctorTellsWhetherSearchesWork(t *testing.T) {
	b := newBench(t)
	if got := b.run(t, nil, "doctor"); !strings.Contains(got.stdout, "(the system's; none lies beside this program)") {
		t.Errorf("%+v", got)
	}
	t.Setenv("PATH", t.TempDir())
	got := b.run(t, nil, "doctor")
	if !strings.Contains(got.stdout, "grep and glob are not available") || !strings.Contains(got.stdout, "apt-get install ripgrep") {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "tools", "list"); !strings.Contains(got.stdout, "Install ripgrep") {
		t.Errorf("%+v", got)
	}
}
