// Package scenariotest runs tools over a real folder as a txtar file says, and
// compares what they answer with the transcript in the same file.
//
// A scenario is a sentence, a section "script", files to begin with (below w/, the
// workspace, or outside/) and a section "transcript", which -update rewrites. Each
// line of the script is one step:
//
//	call TOOL {arguments}      runs a call that nobody was asked about
//	brief TOOL {arguments}     the same, with only the ends of a long answer written
//	ask TOOL {arguments}       draws the preview and keeps what it was made from
//	allow TOOL {arguments}     runs the call that was last asked about
//	keep N,N TOOL {arguments}  runs it with these of its changes alone, counted from 0
//	leave FILE TOOL {arguments}  runs a call whose caller goes away once there is a file
//	notes [{rules}]            sets the operator's rules for new files
//	put FILE "text"            writes a file; lines FILE N and fill FILE N write big ones,
//	                           long FILE "text" N "text" one with a long line between
//	show FILE                  writes mode and content
//	mkdir, remove, fifo FILE   what they say; link FILE TARGET; chmod FILE MODE; touch FILE
//	age FILE N                 makes a file N minutes old
//
// A FILE in quotes is a Go string, for names that do not print.
//
// The folder that holds everything is written as $TOP, the shell that speaks of a line of a
// command as $SHELL, and the number of a process as #.
package scenariotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"countersign/backend/change"
	"countersign/backend/host/process"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Noon is the time at which scenarios happen.
var Noon = time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)

// Still is a clock that stands at Noon.
type Still struct{}

// Now returns Noon.
func (Still) Now() time.Time { return Noon }

var update = flag.Bool("update", false, "rewrite the transcripts")

// Run runs every testdata/*.txtar of the package as a test of its own, on the machine
// that open opens.
func Run(t *testing.T, open Opener, specs ...tool.Spec) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(raw)
			got := Play(t, archive, open, specs...)
			if *update {
				write(t, file, archive, got)
				return
			}
			want := section(archive, "transcript")
			if want == nil {
				t.Fatal("no transcript: run with -update and read it")
			}
			if d := cmp.Diff(string(want.Data), got); d != "" {
				t.Error(d)
			}
		})
	}
}

func section(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	return nil
}

func write(t *testing.T, file string, a *txtar.Archive, transcript string) {
	t.Helper()
	if s := section(a, "transcript"); s != nil {
		s.Data = []byte(transcript)
	} else {
		a.Files = append(a.Files, txtar.File{Name: "transcript", Data: []byte(transcript)})
	}
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// stage is one scenario while it plays.
type stage struct {
	t      *testing.T
	top    string
	host   tool.Host
	specs  map[string]tool.Spec
	stamps map[string]tool.Stamp
	pins   []tool.Pin
	shown  []tool.FileDiff
	kept   []int
	notes  []tool.ResultNote
	out    bytes.Buffer
}

// Get answers for the session's stamps.
func (s *stage) Get(real string) (tool.Stamp, bool) {
	stamp, ok := s.stamps[real]
	return stamp, ok
}

// Put remembers what a call has written.
func (s *stage) Put(stamp tool.Stamp) { s.stamps[stamp.Path] = stamp }

// Play runs the script of a scenario and returns the transcript.
func Play(t *testing.T, a *txtar.Archive, open Opener, specs ...tool.Spec) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, top: top, specs: map[string]tool.Spec{}, stamps: map[string]tool.Stamp{}}
	for _, spec := range specs {
		s.specs[spec.ID] = spec
	}
	for _, dir := range []string{"w", "outside", "home/output/s-1"} {
		s.must(os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	var script string
	for _, f := range a.Files {
		switch f.Name {
		case "script":
			script = string(f.Data)
		case "transcript":
		default:
			s.put(f.Name, f.Data)
		}
	}
	s.host = open(t, filepath.Join(top, "w"), filepath.Join(top, "home"), Still{})
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			fmt.Fprintf(&s.out, "> %s\n", line)
			s.step(strings.ReplaceAll(line, "$TOP", top))
		}
	}
	said := process.Shell(os.Environ()) + ": line "
	out := strings.NewReplacer(top, "$TOP", said, "$SHELL: line ").Replace(s.out.String())
	return systemNumber.ReplaceAllString(out, "pid #")
}

// systemNumber is a number that the system gave a process, which differs from run to run.
var systemNumber = regexp.MustCompile(`\bpid [0-9]+`)

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) step(line string) {
	s.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "call", "brief", "ask", "allow":
		name, arguments, _ := strings.Cut(rest, " ")
		s.call(s.t.Context(), verb, name, arguments)
	case "keep":
		kept, rest, _ := strings.Cut(rest, " ")
		name, arguments, _ := strings.Cut(rest, " ")
		s.must(json.Unmarshal([]byte("["+kept+"]"), &s.kept))
		s.call(s.t.Context(), verb, name, arguments)
	case "leave":
		file, rest, _ := strings.Cut(rest, " ")
		name, arguments, _ := strings.Cut(rest, " ")
		ctx, cancel := context.WithCancel(s.t.Context())
		defer cancel()
		go WhenThere(ctx, s.at(file), cancel)
		s.call(ctx, verb, name, arguments)
	case "notes":
		s.must(json.Unmarshal([]byte(rest), &s.notes))
	default:
		s.prepare(verb, rest)
	}
}

// WhenThere calls do once there is a file, unless ctx ends before.
func WhenThere(ctx context.Context, file string, do func()) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := os.Stat(file); err == nil {
				do()
				return
			}
		}
	}
}

// call does what the pipeline does around a tool, as far as a tool can tell.
func (s *stage) call(ctx context.Context, verb, name, arguments string) {
	s.t.Helper()
	spec, ok := s.specs[name]
	if !ok {
		s.t.Fatalf("no tool %q", name)
	}
	args := tool.Args{Canonical: []byte(arguments)}
	env, err := s.env(spec, args)
	if err != nil {
		s.failed(err)
		return
	}
	if verb == "ask" {
		preview, err := spec.Draw(s.t.Context(), env, args)
		if err != nil {
			s.failed(err)
			return
		}
		s.pins, s.shown = preview.Pins, preview.Diffs
		s.preview(preview)
		return
	}
	if verb == "allow" || verb == "keep" {
		env.Pins = s.pins
	}
	if verb == "keep" {
		for _, d := range s.shown {
			env.Keep = append(env.Keep, tool.Kept{Shown: change.Hash([]byte(d.Unified)), Changes: s.kept})
		}
	}
	result, err := spec.Run(ctx, env, args)
	if err != nil {
		s.failed(err)
		return
	}
	for _, f := range result.Files {
		s.stamps[f.Stamp.Path] = f.Stamp
	}
	s.result(result, verb == "brief")
}

func (s *stage) env(spec tool.Spec, args tool.Args) (tool.Env, error) {
	env, err := envOf(s.host, spec, args)
	env.Stamps, env.Notes = s, s.notes
	env.EffectStarts = func(context.Context) error {
		s.out.WriteString("effect marked\n")
		return nil
	}
	return env, err
}

func (s *stage) failed(err error) {
	var e *tool.Error
	if !errors.As(err, &e) {
		s.t.Fatalf("an error without a code: %v", err)
	}
	if strings.Contains(e.Error(), s.top) {
		s.t.Errorf("the path is in what goes to the log: %v", e)
	}
	fmt.Fprintf(&s.out, "failed: %s\n", e.Code)
	s.content(e.Content, false)
}
