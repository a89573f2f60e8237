//go:build linux

package toolset_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"countersign/backend/host/clock"
	"countersign/backend/host/process"
	"countersign/backend/host/workspace"
	"countersign/backend/policy"
	"countersign/backend/spill"
	"countersign/backend/tool"
	"countersign/backend/toolset"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if err := policy.Load(); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		remove()
		os.Exit(code)
	}))
}

// machine is what all tests of the program run programs with.
var machine = sync.OnceValues(process.NewMachine)

// bed is a workspace with tool sets, on a machine that runs their programs.
type bed struct {
	t      *testing.T
	places toolset.Places
	// environ is what this program would have been started with.
	environ []string
	host    tool.Host
	// opened are the files that were opened, by their real paths.
	opened *watched
	media  *shelf
	// search is the search path for programs.
	search string
	// images says that the caller takes images, marks counts the effect marks.
	images bool
	marks  int
}

func newBed(t *testing.T, environ ...string) *bed {
	t.Helper()
	m, err := machine()
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{t: t, environ: append([]string{"PATH=/usr/bin:/bin", "HOME=" + top, "LANG=C.UTF-8"}, environ...), media: &shelf{kept: map[string]string{}}, search: "/usr/bin:/bin"}
	b.places = toolset.Places{Home: filepath.Join(top, "home"), UserHome: filepath.Join(top, "user"), Workspace: filepath.Join(top, "w"), Crystal: true}
	for _, dir := range []string{b.places.Home, b.places.UserHome, b.places.Workspace} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(b.places.Workspace, workspace.Options{Home: b.places.Home, OutputDir: filepath.Join(b.places.Home, "output"), Clock: clock.System()})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := spill.Open(filepath.Join(b.places.Home, "output"))
	if err != nil {
		t.Fatal(err)
	}
	s := m.Session(process.Options{Session: "s-1", Environ: b.environ, Clock: clock.System()})
	t.Cleanup(func() {
		if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		_ = kept.Close()
		_ = w.Close()
	})
	b.opened = &watched{Files: w}
	b.host = tool.Host{Files: b.opened, Output: kept.For("s-1", "i-1"), Programs: s, Media: b.media, Clock: clock.System()}
	return b
}

// watched are files of which it is known which were opened.
type watched struct {
	tool.Files
	mu    sync.Mutex
	paths []string
	// before is called before a file is opened.
	before func(ctx context.Context, p tool.Path)
	// through is what the bytes of a file go through.
	through func(io.ReadCloser) io.ReadCloser
}

func (w *watched) Open(ctx context.Context, p tool.Path) (io.ReadCloser, tool.FileInfo, error) {
	w.mu.Lock()
	w.paths = append(w.paths, p.Real)
	w.mu.Unlock()
	if w.before != nil {
		w.before(ctx, p)
	}
	r, info, err := w.Files.Open(ctx, p)
	if err == nil && w.through != nil {
		r = w.through(r)
	}
	return r, info, err
}

// shelf keeps images in memory.
type shelf struct {
	mu   sync.Mutex
	kept map[string]string
}

func (s *shelf) Keep(_ context.Context, mime string, r io.Reader) (string, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	handle := "media://sha256-" + hex.EncodeToString(sum[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[handle] = mime
	return handle, nil
}

// program writes a program. While it is written no other is started, since one that began
// meanwhile would hold it open for writing, and it could not be run.
func program(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// home is the directory of a set of the home.
func (b *bed) home(set string) string { return filepath.Join(b.places.Home, "tools", set) }

// workspace is a path in the workspace.
func (b *bed) workspace(name string) string { return filepath.Join(b.places.Workspace, name) }

// set lays a set with one tool, whose manifest has more fields than the least, and returns the
// tool.
func (b *bed) set(directory string, fields map[string]any) tool.Spec {
	b.t.Helper()
	return b.setIn(filepath.Dir(b.home("x")), directory, fields)
}

func (b *bed) setIn(tools, directory string, fields map[string]any) tool.Spec {
	b.t.Helper()
	all := map[string]any{"runner": "exec", "description": "d", "schema": map[string]any{"type": "object"}}
	for name, v := range fields {
		all[name] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		b.t.Fatal(err)
	}
	put(b.t, filepath.Join(tools, directory, "tools.json"), text)
	return b.spec(directory)
}

// spec is the first tool of a set.
func (b *bed) spec(directory string) tool.Spec {
	b.t.Helper()
	inventory := scan(b.t, b.places)
	for _, e := range inventory.Entries {
		if e.Directory == directory && e.Status == toolset.StatusLoaded {
			return toolset.Specs(e, toolset.Facts{Home: b.places.Home, SearchPath: b.search, Fingerprint: "f1"})[0]
		}
	}
	b.t.Fatalf("the set is not loaded: %v %v", statuses(inventory), inventory.Notes)
	return tool.Spec{}
}

// script lays a set whose program is a script of the shell.
func (b *bed) script(text string, fields map[string]any) tool.Spec {
	b.t.Helper()
	program(b.t, filepath.Join(b.home("probe"), "run"), "#!/bin/sh\n"+text+"\n", 0o755)
	all := map[string]any{"command": []string{"./run"}}
	for name, v := range fields {
		all[name] = v
	}
	return b.set("probe", all)
}

// call takes a call as the pipeline does.
func (b *bed) call(ctx context.Context, spec tool.Spec, arguments string) (tool.Result, error) {
	b.t.Helper()
	written := []byte(arguments)
	args := tool.Args{Canonical: written, Written: written}
	request, err := spec.Target(args)
	if err != nil {
		return tool.Result{}, err
	}
	env := tool.Env{
		SessionID: "s-1", InvocationID: "i-1", Host: b.host, Approval: "edit", Images: b.images,
		EffectStarts: func(context.Context) error { b.marks++; return nil },
	}
	for _, use := range request.Paths {
		p, err := b.host.Files.Resolve(use.Arg)
		if err != nil {
			return tool.Result{}, err
		}
		env.Target.Touches = append(env.Target.Touches, tool.Touch{Path: p, Access: use.Access})
	}
	return spec.Run(ctx, env, args)
}

// said is the text of a result or of an error.
func said(r tool.Result, err error) string {
	parts := r.Content
	if e, ok := err.(*tool.Error); ok {
		parts = e.Content
	}
	var text bytes.Buffer
	for _, p := range parts {
		text.WriteString(p.Text.Open())
	}
	return text.String()
}

// code is the code of an error, "" without one.
func code(err error) tool.Code {
	if err == nil {
		return ""
	}
	if e, ok := err.(*tool.Error); ok {
		return e.Code
	}
	return tool.Code(err.Error())
}

// casesOf are the lines of a collection that are of an area.
func casesOf(t *testing.T, file, area string) iter.Seq[[]byte] {
	t.Helper()
	data, err := os.ReadFile("../../tools/testdata/cases/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(data) {
			var c struct{ Area string }
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			if c.Area == area && !yield(line) {
				return
			}
		}
	}
}
