package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		child()
		return
	}
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// bench is a home with a workspace, for command lines that run in this process.
type bench struct {
	home      string
	workspace string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{home: filepath.Join(t.TempDir(), "home"), workspace: filepath.Join(t.TempDir(), "work")}
	if err := os.Mkdir(b.workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

type run struct {
	code   int
	stdout string
	stderr string
}

func (b *bench) run(t *testing.T, stdin io.Reader, args ...string) run {
	t.Helper()
	return b.runIn(t.Context(), stdin, args...)
}

func (b *bench) runIn(ctx context.Context, stdin io.Reader, args ...string) run {
	var out, errs bytes.Buffer
	p := &program{stdin: stdin, stdout: &out, stderr: &errs}
	code := p.run(ctx, append(args, "--home", b.home, "--workspace", b.workspace))
	return run{code, out.String(), errs.String()}
}

// outcomes reads lines of JSON.
func outcomes(t *testing.T, text string) []map[string]any {
	t.Helper()
	out := []map[string]any{}
	for line := range strings.Lines(text) {
		var o map[string]any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&o); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		out = append(out, o)
	}
	return out
}

func one(t *testing.T, r run) map[string]any {
	t.Helper()
	list := outcomes(t, r.stdout)
	if len(list) != 1 {
		t.Fatalf("%d lines: %q, %q", len(list), r.stdout, r.stderr)
	}
	return list[0]
}

// What differs from run to run: ids, places, times and durations.
var (
	idForm       = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	durationForm = regexp.MustCompile(`"(duration_ms|durationMs)":\d+`)
)

// golden holds what was printed against a file.
func (b *bench) golden(t *testing.T, name string, r run) {
	t.Helper()
	text := idForm.ReplaceAllString(r.stdout, "ID")
	text = durationForm.ReplaceAllString(text, `"$1":0`)
	text = strings.ReplaceAll(strings.ReplaceAll(text, b.workspace, "/WORK"), b.home, "/HOME")
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("%s (write it anew with -update):\n%s", name, d)
	}
}

const still = "2026-07-25T13:03:11Z"
