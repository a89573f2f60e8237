package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/host/process"
)

func TestDoctorTellsWhetherCommandsCanBeRun(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bash"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if got := b.run(t, nil, "doctor"); !strings.Contains(got.stdout, "run with "+dir+"/bash") {
		t.Errorf("%+v", got)
	}
	for name, got := range map[string]finding{
		"the system does not show processes": commandsFinding(errors.New("the system does not show processes"), "/bin/bash"),
		"there is no bash":                   commandsFinding(nil, ""),
	} {
		if got.State != stateNote || got.Do == "" || !strings.Contains(got.Text, name) || !strings.Contains(got.Text, "bash and process are not available") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := process.Shell([]string{"PATH=bin"}); !filepath.IsAbs(got) {
		t.Errorf("the shell is %q", got)
	}
}
