//go:build linux

package process_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/process"
	"countersign/backend/host/process/processtest"
)

// script writes a program and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func filter(ctx context.Context, t *testing.T, text string, f process.Filter) (string, error) {
	t.Helper()
	f.Program = append([]string{script(t, text)}, f.Program...)
	f.Most = max(f.Most, 1<<10)
	if f.Dir == "" {
		f.Dir = t.TempDir()
	}
	out, err := newMachine(t).Filter(ctx, f)
	return string(out), err
}

func TestAFilterReadsAndPrints(t *testing.T) {
	dir := t.TempDir()
	got, err := filter(t.Context(), t, `cat; echo "$PWD" "$#" "$1" "$2"; echo secret >&2`, process.Filter{
		Program: []string{"a b", "$(id)"}, Dir: dir, Input: []byte("in\n"),
	})
	if want := "in\n" + dir + " 2 a b $(id)\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestAFilterGetsThePlainVariablesAlone(t *testing.T) {
	got, err := filter(t.Context(), t, "env | cut -d= -f1 | grep -v '^COUNTERSIGN_COMMAND$\\|^PWD$\\|^_$\\|^SHLVL$\\|^OLDPWD$' | sort | tr '\\n' ' '", process.Filter{
		Environ: []string{"PATH=/usr/bin:/bin", "HOME=/h", "LC_ALL=C", "TZ=UTC", "AWS_SECRET_ACCESS_KEY=x", "COUNTERSIGN_HOME=/x", "SSH_AUTH_SOCK=/x", "LD_PRELOAD=/x", "USER=u"},
	})
	for _, bad := range []string{"AWS", "COUNTERSIGN_HOME", "SSH", "LD_"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is in %q", bad, got)
		}
	}
	for _, good := range []string{"PATH", "HOME", "LC_ALL", "TZ", "USER", "TERM"} {
		if !strings.Contains(got, good) {
			t.Errorf("%s is missing in %q", good, got)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

func TestAFilterThatFailsPrintedNothing(t *testing.T) {
	for text, want := range map[string]string{
		"echo out; exit 3": "code 3", "echo out; kill -TERM $$": "SIGTERM", "exec 0<&-; echo ok; exit 1": "code 1",
	} {
		got, err := filter(t.Context(), t, text, process.Filter{Input: make([]byte, 1<<20)})
		if got != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	if got, err := filter(t.Context(), t, "echo ok", process.Filter{Input: make([]byte, 1<<20)}); got != "ok\n" || err != nil {
		t.Errorf("one that reads nothing: %q, %v", got, err)
	}
	if _, err := newMachine(t).Filter(t.Context(), process.Filter{Program: []string{"/none"}, Dir: "/", Most: 1}); err == nil {
		t.Error("what is not there ran")
	}
}

// pids reads the process numbers that a program wrote down.
func pids(t *testing.T, path string, n int) (out []int) {
	t.Helper()
	processtest.Until(t, 20*time.Second, "the processes did not begin", func() bool {
		b, _ := os.ReadFile(path)
		out = nil
		for _, word := range strings.Fields(string(b)) {
			if pid, err := strconv.Atoi(word); err == nil {
				out = append(out, pid)
			}
		}
		return len(out) == n
	})
	return out
}

// tree starts three processes: itself, one in the background, and one in a session of its own.
const tree = "setsid sh -c 'echo $$ >> pids; exec sleep 1000' & (echo $$ > /dev/null; exec sleep 1000) & echo $! >> pids; echo $$ >> pids; "

func TestALateFilterIsEndedWithAllThatItStarted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := filter(ctx, t, "trap '' TERM; "+tree+"while :; do sleep 0.05; done", process.Filter{Dir: dir})
		done <- err
	}()
	all := pids(t, filepath.Join(dir, "pids"), 3)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for _, pid := range all {
		if processtest.Runs(pid) {
			t.Errorf("%d still runs", pid)
		}
	}
}

func TestAFilterThatPrintsTooMuchIsEnded(t *testing.T) {
	dir := t.TempDir()
	got, err := filter(t.Context(), t, "echo $$ >> pids; yes", process.Filter{Dir: dir})
	if got != "" || !errors.Is(err, process.ErrPrintedTooMuch) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if pid := pids(t, filepath.Join(dir, "pids"), 1)[0]; processtest.Runs(pid) {
		t.Error("it still runs")
	}
}

func TestWhatAFilterLeavesRunningIsEnded(t *testing.T) {
	dir := t.TempDir()
	got, err := filter(t.Context(), t, tree+"while [ $(wc -l < pids) -lt 3 ]; do sleep 0.01; done; echo done", process.Filter{Dir: dir})
	if got != "done\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, pid := range pids(t, filepath.Join(dir, "pids"), 3) {
		if processtest.Runs(pid) {
			t.Errorf("%d still runs", pid)
		}
	}
}

func TestAProgramIsAFileThatMayBeRun(t *testing.T) {
	path := script(t, "")
	dir := filepath.Dir(path)
	link := filepath.Join(dir, "link")
	if err := os.Symlink("program", link); err != nil {
		t.Fatal(err)
	}
	if real, err := process.Program(link); err != nil || filepath.Base(real) != "program" {
		t.Errorf("%q, %v", real, err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{plain, dir, "program", "", filepath.Join(dir, "none")} {
		if _, err := process.Program(path); !errors.Is(err, process.ErrNoProgram) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
