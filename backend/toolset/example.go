package toolset

import (
	_ "embed" // the files of the example
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"countersign/backend/toolset/manifest"
)

//go:embed example/tools.json
var exampleManifest string

//go:embed example/run
var exampleProgram string

// ExamplePrefix is what the names of the tools of an example begin with.
func ExamplePrefix(directory string) string {
	const room = 64 - len("_count")
	return strings.ReplaceAll(directory[:min(len(directory), room)], ".", "_")
}

// WriteExample writes a set that works into a directory that is not there yet, with the folders
// above it. The directory must have a legal name. Its error is fs.ErrExist where there is
// something already.
func WriteExample(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("make the folder of the tool sets: %w", err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory: %w", err)
	}
	text := strings.ReplaceAll(exampleManifest, "NAME", ExamplePrefix(filepath.Base(dir)))
	if err := os.WriteFile(filepath.Join(dir, "run"), []byte(exampleProgram), 0o755); err != nil {
		return fmt.Errorf("write the program: %w", err)
	}
	// The manifest makes the directory a set, so it comes last.
	if err := os.WriteFile(filepath.Join(dir, manifest.FileName), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	return nil
}
