//go:build linux

package toolset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// spec: CT-1, CT-10, CT-36
func TestTheToolsOfAnAssemblyAreListed(t *testing.T) {
	b := newBed(t)
	b.assemble("Sample", `,"catalogs":["work"],"tools":{"echo":{"catalogs":["plan"],"pathArguments":["path"],"approval":"always"},"fails":{"pathArguments":["nowhere"]},"throws":{"catalogs":["audit"]}}`, "Sample.dll")
	got := b.look(0)
	want := []string{"home .countersign Sample loaded echo noisy exits hangs leaves large nothing nested told draws both"}
	if diff := cmp.Diff(want, statuses(got)); diff != "" {
		t.Error(diff)
	}
	var notes []string
	for _, n := range got.Notes {
		notes = append(notes, n.Field+" "+n.Text)
	}
	for _, words := range []string{
		"tools.throws.catalogs ", "tools.fails.pathArguments ", `assembly tools.json: "bash" is the name of a built-in tool`,
		`"Sample.Misnamed"`, `"Sample.Unmade" says "System.InvalidOperationException: no \u2603"`, `"Sample.Takes" says "It has no public constructor`,
		"assembly.listed.schema ",
	} {
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, words) }) {
			t.Errorf("no note says %s", words)
		}
	}
	if len(notes) != 7 {
		t.Errorf("the notes are %q", notes)
	}
	tools := got.Entries[0].Tools
	if echo := tools[0]; echo.Description != "Says what it was sent." || len(echo.Catalogs) != 1 || echo.Catalogs[0] != tool.CatalogPlan ||
		!slices.Equal(echo.PathArguments, []string{"path"}) || echo.Type != "Sample.Echo" || !echo.Text || echo.Images {
		t.Errorf("%+v", echo)
	}
	if noisy := tools[1]; noisy.Description != "noisy" || noisy.Catalogs[0] != tool.CatalogWork {
		t.Errorf("%+v", noisy)
	}
}

// spec: CT-10, CT-18, CS-24
func TestWhatLeavesOutAWholeAssembly(t *testing.T) {
	rows := []struct{ about, fields, note string }{
		{"two tools of one name", `,"types":["First","Trouble.Second"]`, `two tools of the name "same"`},
		{"a type that is not there", `,"types":["First","Third"]`, `names "Third"`},
		{"a type that is no tool", `,"types":["Trouble.Base"]`, `names "Trouble.Base"`},
		{"an overlay of no tool", `,"types":["First"],"tools":{"smae":{}}`, `"tools.smae" is no tool of the assembly`},
		{"an assembly that ends its process", `,"types":["Exits"]`, "ended its process"},
		{"one that takes too long", `,"types":["Hangs"]`, "within 1s"},
		{"no tool that can be made", `,"types":["TwoFaced"]`, "has no tool"},
	}
	b := newBed(t)
	for _, row := range rows {
		b.assemble("Trouble", row.fields, "Trouble.dll")
		got := b.look(time.Second)
		if got.Entries[0].Status != toolset.StatusSkipped || !slices.ContainsFunc(got.Notes, func(n toolset.Note) bool { return strings.Contains(n.Text, row.note) }) {
			t.Errorf("%s: %v %+v", row.about, statuses(got), got.Notes)
		}
	}
	b.assemble("Trouble", `,"types":["First"]`, "Trouble.dll")
	b.assemble("Other", "", "Helper.dll")
	b.assemble("Text", "", "Helper.dll")
	put(t, filepath.Join(b.home("Text"), "Helper.dll"), []byte("text"))
	b.assemble("Zlast", `,"types":["Second"]`, "Trouble.dll")
	got := b.look(0)
	want := []string{"home .countersign Other skipped", "home .countersign Text skipped", "home .countersign Trouble loaded same", "home .countersign Zlast skipped"}
	if diff := cmp.Diff(want, statuses(got)); diff != "" {
		t.Errorf("%+v\n%s", got.Notes, diff)
	}
}

// spec: CS-24
func TestWhereAnAssemblyComesFrom(t *testing.T) {
	b := newBed(t)
	b.assemble("Lonely", "", "Lonely.dll")
	got := b.look(0)
	if got.Entries[0].Status != toolset.StatusSkipped || !strings.Contains(got.Notes[0].Text, `needs "Helper"`) {
		t.Errorf("without what it needs: %v %+v", statuses(got), got.Notes)
	}
	// Nothing is taken from where the program stands, and no contract from the set.
	b.assemble("Lonely", "", "Lonely.dll", "Helper.dll")
	contract, err := os.ReadFile(filepath.Join(b.home("Lonely"), "Helper.dll"))
	b.must(err)
	put(t, filepath.Join(b.home("Lonely"), "Crystal.Tools.dll"), contract)
	if got = b.look(0); got.Entries[0].Status != toolset.StatusLoaded || got.Entries[0].Tools[0].Description != "helped" {
		t.Errorf("with what it needs: %v %+v", statuses(got), got.Notes)
	}
	// The assembly itself lies in the directory, links followed.
	b.must(os.Rename(filepath.Join(b.home("Lonely"), "Lonely.dll"), b.workspace("Lonely.dll")))
	b.must(os.Symlink(b.workspace("Lonely.dll"), filepath.Join(b.home("Lonely"), "Lonely.dll")))
	if got = b.look(0); got.Entries[0].Status != toolset.StatusSkipped || !strings.Contains(got.Notes[0].Text, "not a plain file") {
		t.Errorf("with a link that leaves: %v %+v", statuses(got), got.Notes)
	}
}

// spec: CT-27, CT-32, CT-36
func TestAToolOfAnAssemblyIsCalled(t *testing.T) {
	b := newBed(t)
	spec := b.sample("echo", `,"tools":{"echo":{"pathArguments":["path"]}}`)
	r, err := b.call(t.Context(), spec, `{"n":1.50,"path":"a/../b <\u2028> \ud83d\ude00.txt","x":[1e2]}`)
	want := `{"n":1.50,"path":"` + b.workspace("b <\u2028> \U0001F600.txt") + `","x":[1e2]}||` + b.places.Workspace
	if got := said(r, err); got != want || err != nil || b.marks != 1 {
		t.Errorf("got %q, %v, %d marks\nwant %q", got, err, b.marks, want)
	}
	if c := spec.Class; c.SideEffect != tool.EffectCodeExecution || c.OnTimeout != tool.TimeoutKill || c.Timeout != 120*time.Second {
		t.Errorf("%+v", c)
	}
	preview, err := spec.Draw(t.Context(), tool.Env{Host: b.host}, tool.Args{})
	if err != nil || preview.About[0].Text.Open() != filepath.Join(b.home("Sample"), "Sample.dll") || preview.About[1].Text.Open() != "Sample.Echo" {
		t.Errorf("%+v, %v", preview, err)
	}
	spec = b.sample("told", "")
	r, err = b.call(t.Context(), spec, `{}`)
	below := filepath.Join("data", "tools", "Sample")
	want = strings.Join([]string{
		"i-1", b.places.Workspace, "s-1", "edit", filepath.Join(b.places.Home, below), filepath.Join(b.workspace(".countersign"), below), "True", "True",
	}, "\n")
	if got := said(r, err); got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestHowACallOfAnAssemblyEnds(t *testing.T) {
	b := newBed(t)
	b.assemble("Sample", "", "Sample.dll")
	specs := map[string]tool.Spec{}
	for _, s := range toolset.Specs(b.look(0).Entries[0], toolset.Facts{Home: b.places.Home, Dotnet: b.dotnet()}) {
		specs[s.ID] = s
	}
	rows := []struct {
		tool, arguments string
		code            tool.Code
		says            string
	}{
		{"throws", `{}`, toolset.CodeExit, "[The tool threw an exception.]\nSystem.InvalidOperationException: the stock is \"gone\"\n\u2603"},
		{"fails", `{}`, toolset.CodeExit, "not today"},
		{"noisy", `{}`, "", "quiet"},
		{"exits", `{}`, toolset.CodeExit, "last words\n[The tool ended its process before it had answered.]"},
		{"exits", `{"now":1}`, toolset.CodeExit, "last words\n[exit code 7]"},
		{"large", `{}`, "", strings.Repeat("\u00e9", 150<<10)},
		{"nothing", `{}`, "", "[The tool answered with nothing.]"},
		{"nothing", `{"a":1}`, tool.CodeOutputInvalid, "It answered with nothing."},
		{"nested", `{}`, "", "nested"},
	}
	for _, row := range rows {
		r, err := b.call(t.Context(), specs[row.tool], row.arguments)
		if got := said(r, err); code(err) != row.code || got != row.says {
			t.Errorf("%s %s: %q %v; want %q", row.tool, row.arguments, got[:min(len(got), 300)], err, row.says[:min(len(row.says), 300)])
		}
	}
	r, err := b.call(t.Context(), specs["leaves"], `{}`)
	child, rest, _ := strings.Cut(said(r, err), "\n")
	if !strings.HasPrefix(rest, "[What the program left running ") || lives(t, child) {
		t.Errorf("%q %v, %s lives: %v", said(r, err), err, child, lives(t, child))
	}
	short := b.dotnet()
	short.MaxAnswer = 100 << 10
	for _, s := range toolset.Specs(b.look(0).Entries[0], toolset.Facts{Home: b.places.Home, Dotnet: short}) {
		if s.ID != "large" {
			continue
		}
		if r, err := b.call(t.Context(), s, `{}`); code(err) != tool.CodeOutputTooLarge || said(r, err) != "[The tool answered with more than 100 KB.]" {
			t.Errorf("%q %v", said(r, err), err)
		}
	}
	// What the assembly has become since it was listed is not called.
	data, err := os.ReadFile(filepath.Join(b.home("Sample"), "Sample.dll"))
	b.must(err)
	put(t, filepath.Join(b.home("Sample"), "Sample.dll"), slices.Replace(data, 0, 2, 'x', 'x'))
	if r, err := b.call(t.Context(), specs["nested"], `{}`); code(err) != toolset.CodeStart {
		t.Errorf("a broken assembly: %q %v", said(r, err), err)
	}
}

// lives reports whether a process is there.
func lives(t *testing.T, id string) bool {
	t.Helper()
	if id == "" || strings.Trim(id, "0123456789") != "" {
		t.Fatalf("%q is no process", id)
	}
	_, err := os.Stat("/proc/" + id)
	return err == nil
}

// spec: CT-2
func TestACallOfAnAssemblyIsEnded(t *testing.T) {
	b := newBed(t)
	spec := b.sample("hangs", `,"timeoutSeconds":1`)
	if r, err := b.call(t.Context(), spec, `{}`); code(err) != tool.CodeTimeout || !strings.Contains(said(r, err), "[Ended after 1s, the time limit of its tool set.]") {
		t.Errorf("%q %v", said(r, err), err)
	}
	if err := os.Remove(b.workspace("child")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	spec = b.sample("hangs", `,"timeoutSeconds":"unlimited"`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	child := make(chan string, 1)
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if id, err := os.ReadFile(b.workspace("child")); err == nil {
				child <- string(id)
				return
			}
			_, _ = syscall.Select(0, nil, nil, nil, &syscall.Timeval{Usec: 10_000})
		}
	}()
	if r, err := b.call(ctx, spec, `{}`); code(err) != tool.CodeCancelled {
		t.Errorf("%q %v", said(r, err), err)
	}
	if id := <-child; lives(t, id) {
		t.Errorf("%s outlived its call", id)
	}
}

func TestImagesOfAnAssembly(t *testing.T) {
	b := newBed(t)
	spec := b.sample("draws", "")
	if r, err := b.call(t.Context(), spec, `{}`); code(err) != toolset.CodeImages || b.marks != 0 {
		t.Errorf("for a caller without images: %q %v, %d marks", said(r, err), err, b.marks)
	}
	b.images = true
	for _, arguments := range []string{`{}`, `{"from":"stream"}`, `{"from":"large"}`} {
		r, err := b.call(t.Context(), spec, arguments)
		if err != nil || len(r.Content) != 2 || r.Content[0].Text.Open() != "one\ntwo" || b.media.kept[r.Content[1].Handle] != "image/png" {
			t.Errorf("%s: %+v %v", arguments, r.Content, err)
		}
	}
	if r, err := b.call(t.Context(), spec, `{"from":"address"}`); code(err) != tool.CodeOutputInvalid || !strings.Contains(said(r, err), "must come with its bytes") {
		t.Errorf("%q %v", said(r, err), err)
	}
	spec = b.sample("both", "")
	for images, want := range map[bool]string{false: "in words", true: "for edit"} {
		b.images = images
		if r, err := b.call(t.Context(), spec, `{}`); said(r, err) != want || err != nil {
			t.Errorf("images %v: %q %v", images, said(r, err), err)
		}
	}
}

func TestWithoutARuntimeNothingIsFound(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, bin := filepath.Join(dir, "countersign"), filepath.Join(dir, "bin")
	if d, err := toolset.FindDotnet(self, bin); d != nil || !errors.Is(err, toolset.ErrNoHost) {
		t.Errorf("without a host: %v %v", d, err)
	}
	mono, net := filepath.Join(dir, "dotnet-host", "mono", "countersign-dotnet-host.exe"), filepath.Join(dir, "dotnet-host", "net", "countersign-dotnet-host.dll")
	put(t, mono, nil)
	put(t, net, nil)
	if d, err := toolset.FindDotnet(self, bin); d != nil || !errors.Is(err, toolset.ErrNoRuntime) {
		t.Errorf("without a runtime: %v %v", d, err)
	}
	for _, row := range []struct{ runtime, host string }{{"mono", mono}, {"dotnet", net}} {
		program(t, filepath.Join(bin, row.runtime), "#!/bin/sh\n", 0o755)
		if d, err := toolset.FindDotnet(self, bin); err != nil || d.Runtime != filepath.Join(bin, row.runtime) || d.Host != row.host {
			t.Errorf("with %s: %+v %v", row.runtime, d, err)
		}
	}
}
