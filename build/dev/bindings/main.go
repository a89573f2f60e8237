package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	from := flag.String("from", "app/bridge/dto.go", "Go source with the types")
	to := flag.String("to", "frontend/src/lib/bridge/dto.ts", "TypeScript file to write")
	check := flag.Bool("check", false, "fail when the file is not fresh instead of writing it")
	flag.Parse()
	if err := run(*from, *to, *check); err != nil {
		fmt.Fprintln(os.Stderr, "bindings:", err)
		os.Exit(1)
	}
}

func run(from, to string, check bool) error {
	source, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read types: %w", err)
	}
	want, err := generate(filepath.ToSlash(from), source)
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
