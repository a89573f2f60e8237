package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	from := flag.String("from", "app/bridge/dto*.go", "Go sources with the types, as a glob")
	to := flag.String("to", "frontend/src/lib/bridge/dto.ts", "TypeScript file to write")
	check := flag.Bool("check", false, "fail when the file is not fresh instead of writing it")
	flag.Parse()
	if err := run(*from, *to, *check); err != nil {
		fmt.Fprintln(os.Stderr, "bindings:", err)
		os.Exit(1)
	}
}

func run(from, to string, check bool) error {
	sources, err := read(from)
	if err != nil {
		return err
	}
	want, err := generate(filepath.ToSlash(from), sources)
	if err != nil {
		return err
	}
	if check {
		have, err := os.ReadFile(to)
		if err != nil {
			return fmt.Errorf("read generated types: %w", err)
		}
		if !bytes.Equal(have, want) {
			return fmt.Errorf("%s is not fresh; run go run ./build/dev/bindings", to)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	return os.WriteFile(to, want, 0o644)
}

// read returns the sources that a glob names, in the order of their names. Tests are none.
func read(glob string) ([]source, error) {
	names, err := filepath.Glob(glob)
	if err != nil {
		return nil, fmt.Errorf("find types: %w", err)
	}
	out := []source{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read types: %w", err)
		}
		out = append(out, source{filepath.ToSlash(name), text})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no file has the name %s", glob)
	}
	return out, nil
}
