package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	goalSets   = 300 * time.Millisecond
	manySets   = 2_000
	setsRounds = 5
)

const smallSet = `{
  "runner": "exec",
  "description": "Says a text again.",
  "schema": {
    "type": "object",
    "properties": { "text": { "type": "string", "description": "What is said." } },
    "required": ["text"]
  },
  "command": ["./say"],
  "argv": { "text": "--text" }
}
`

// toolSets measures the command that lists tool sets, whole and as often as the first one has let
// them in, against a program that ends at once and the reading of the files that they are made of.
func toolSets(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	home, workspace := filepath.Join(dir, "home"), filepath.Join(dir, "work")
	files, err := putSets(filepath.Join(home, "tools"))
	if err := errors.Join(err, os.MkdirAll(workspace, 0o755)); err != nil {
		return nil, err
	}
	run := func(args ...string) error {
		c := exec.CommandContext(ctx, "build/bin/countersign", args...)
		c.Stderr = os.Stderr
		return c.Run()
	}
	list := func() error {
		return run("tools", "list", "--source", "home", "--home", home, "--workspace", workspace)
	}
	if err := list(); err != nil {
		return nil, err
	}
	var listed, least []time.Duration
	for range setsRounds {
		for _, one := range []struct {
			into *[]time.Duration
			take func() error
		}{
			{&listed, list},
			{&least, func() error { return errors.Join(run("--version"), readAll(files)) }},
		} {
			start := time.Now()
			if err := one.take(); err != nil {
				return nil, err
			}
			*one.into = append(*one.into, time.Since(start))
		}
	}
	took, bare := middle(listed), middle(least)
	return []row{{
		what:   fmt.Sprintf("%d tool sets listed, from the start of the command to its end (median of %d)", manySets, setsRounds),
		figure: fmt.Sprintf("%d ms", took.Milliseconds()),
		limit:  fmt.Sprintf("%d ms to start it for its version and to read the %d files", bare.Milliseconds(), len(files)),
		ratio:  float64(took) / float64(bare), goal: fmt.Sprintf("at most %d ms", goalSets.Milliseconds()), held: holds(took <= goalSets),
	}}, nil
}

// putSets writes the sets into a folder and returns their files.
func putSets(tools string) (files []string, err error) {
	for n := range manySets {
		set := filepath.Join(tools, fmt.Sprintf("say%04d", n))
		program, manifest := filepath.Join(set, "say"), filepath.Join(set, "tools.json")
		err := errors.Join(
			os.MkdirAll(set, 0o755),
			os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s\\n' \"$2\"\n"), 0o755),
			os.WriteFile(manifest, []byte(smallSet), 0o644),
		)
		if err != nil {
			return nil, err
		}
		files = append(files, program, manifest)
	}
	return files, nil
}

func readAll(files []string) error {
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
