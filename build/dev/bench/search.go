package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"countersign/backend/host/clock"
	"countersign/backend/host/search"
	"countersign/backend/host/workspace"
	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/tool"
	"countersign/tools/glob"
	"countersign/tools/grep"
)

const (
	goalGrep      = 1.08
	goalGrepMB    = 16
	goalFirstHits = 5 * time.Millisecond
	goalGlob      = 1.1
	searchRounds  = 11
	// The tree that is searched.
	treeFolders, treeFiles, treeLines = 300, 30, 120
	firstHits                         = 100
)

// searching measures grep and glob, from their arguments to their answers, against ripgrep
// that prints the same to a reader that throws it away.
func searching(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := plant(dir); err != nil {
		return nil, err
	}
	found, err := search.Find("")
	if err != nil {
		return nil, err
	}
	files, err := workspace.Open(dir, workspace.Options{Clock: clock.System()})
	if err != nil {
		return nil, err
	}
	defer files.Close()
	s := &search.Searcher{Program: found.Path, Workspace: files.Root()}
	hold := func(p tool.Path) pathclass.Hold {
		return policy.ReadHold(p, pathclass.Place{Workspace: files.Root()})
	}
	s.Held = func(root tool.Path, real string) bool {
		p, err := files.Resolve(real)
		return err != nil || p.Real != real || hold(p) > hold(root)
	}
	s.HeldByName = func(root, p tool.Path) bool { return hold(p) > hold(root) }
	root, err := files.Resolve(".")
	if err != nil {
		return nil, err
	}
	m := searchMeasure{ctx: ctx, s: s, root: root, env: tool.Env{
		Host: tool.Host{Files: files, Search: s}, Target: tool.Target{Touches: []tool.Touch{{Path: root, Access: tool.AccessRead}}},
	}}
	return m.rows()
}

// plant writes the tree: one line in forty has what is looked for.
func plant(dir string) error {
	for d := range treeFolders {
		folder := filepath.Join(dir, fmt.Sprintf("group%02d", d%20), fmt.Sprintf("part%03d", d))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		for f := range treeFiles {
			var text strings.Builder
			for l := range treeLines {
				what := "value"
				if (l+f)%40 == 0 {
					what = "needle"
				}
				fmt.Fprintf(&text, "func name%d%d() { return %s.of(%d, \"a text that fills the line\") }\n", f, l, what, l)
			}
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("file%02d.go", f)), []byte(text.String()), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

type searchMeasure struct {
	ctx  context.Context
	s    *search.Searcher
	root tool.Path
	env  tool.Env
}

func (m searchMeasure) rows() ([]row, error) {
	var grepOurs, grepTheirs, firstOurs, firstTheirs, globOurs, globTheirs, globSorted, globLeast []time.Duration
	var most uint64
	for range searchRounds {
		for _, one := range []struct {
			into *[]time.Duration
			take func() error
		}{
			{&grepTheirs, func() error { return m.rg(0, "--json", "--smart-case", "needle", ".") }},
			{&grepOurs, func() error { return m.call(grep.Spec(), map[string]string{"pattern": "needle"}) }},
			{&firstTheirs, func() error { return m.rg(firstHits, "--json", "--smart-case", "needle", ".") }},
			{&firstOurs, m.firstHits},
			{&globTheirs, func() error { return m.rg(0, "--files") }},
			{&globSorted, func() error { return m.rg(0, "--files", "--sortr=modified") }},
			{&globLeast, m.newestFirst},
			{&globOurs, func() error { return m.call(glob.Spec(), map[string]string{"pattern": "**/*.go"}) }},
		} {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			if err := one.take(); err != nil {
				return nil, err
			}
			*one.into = append(*one.into, time.Since(start))
			runtime.ReadMemStats(&after)
			if one.into == &grepOurs {
				most = max(most, after.HeapSys-min(after.HeapSys, before.HeapSys)+after.HeapAlloc-min(after.HeapAlloc, before.HeapAlloc))
			}
		}
	}
	grepRatio, globRatio := float64(middle(grepOurs))/float64(middle(grepTheirs)), float64(middle(globOurs))/float64(middle(globTheirs))
	over := middle(firstOurs) - middle(firstTheirs)
	what := fmt.Sprintf("in %d files (median of %d)", treeFolders*treeFiles, searchRounds)
	return []row{
		{
			what: "grep " + what, figure: ms(middle(grepOurs)), limit: ms(middle(grepTheirs)) + " for rg --json", ratio: grepRatio,
			goal: fmt.Sprintf("at most %.2f times", goalGrep), held: holds(grepRatio <= goalGrep),
		},
		{
			what: "memory that grep asks for", figure: fmt.Sprintf("%.1f MB", float64(most)/(1<<20)), limit: "-",
			goal: fmt.Sprintf("at most %d MB", goalGrepMB), held: holds(most <= goalGrepMB<<20),
		},
		{
			what: fmt.Sprintf("the first %d hits", firstHits), figure: ms(middle(firstOurs)), limit: ms(middle(firstTheirs)) + " for rg --json",
			ratio: float64(middle(firstOurs)) / float64(middle(firstTheirs)), goal: fmt.Sprintf("at most %s over", ms(goalFirstHits)), held: holds(over <= goalFirstHits),
		},
		{
			what: "glob " + what, figure: ms(middle(globOurs)), limit: ms(middle(globTheirs)) + " for rg --files", ratio: globRatio,
			goal: fmt.Sprintf("at most %.1f times", goalGlob), held: holds(globRatio <= goalGlob),
		},
		{
			what: "glob " + what, figure: ms(middle(globOurs)), limit: ms(middle(globLeast)) + " for rg --files and a bare look at the age of each, newest first",
			ratio: float64(middle(globOurs)) / float64(middle(globLeast)), goal: "-", held: noGoal,
		},
		{
			what: "glob " + what, figure: ms(middle(globOurs)), limit: ms(middle(globSorted)) + " for rg --files --sortr=modified, which looks at every file as well",
			ratio: float64(middle(globOurs)) / float64(middle(globSorted)), goal: "-", held: noGoal,
		},
	}, nil
}

// call runs a tool as the pipeline does.
func (m searchMeasure) call(spec tool.Spec, arguments map[string]string) error {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	_, err = spec.Run(m.ctx, m.env, tool.Args{Canonical: raw})
	return err
}

func (m searchMeasure) firstHits() error {
	n := 0
	return m.s.Grep(m.ctx, tool.GrepQuery{Root: m.root, Pattern: "needle"}, func(f tool.FileHits) bool {
		n += len(f.Hits)
		return n < firstHits
	})
}

// rg runs ripgrep in the tree and reads what it prints: all, or up to a number of matches.
func (m searchMeasure) rg(matches int, args ...string) error {
	ctx, cancel := context.WithCancel(m.ctx)
	defer cancel()
	c := exec.CommandContext(ctx, m.s.Program, append([]string{"--no-config"}, args...)...)
	c.Dir = m.root.Real
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	if matches == 0 {
		_, err = io.Copy(io.Discard, out)
		if err != nil {
			return err
		}
		return c.Wait()
	}
	buf := make([]byte, 64<<10)
	for seen := 0; seen < matches; {
		n, err := out.Read(buf)
		if err != nil {
			break
		}
		seen += strings.Count(string(buf[:n]), `"type":"match"`)
	}
	cancel()
	_ = c.Wait()
	return nil
}
