package toolset

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// maxLoadable is how many files that an assembly may load are looked at.
const maxLoadable = 1000

var errTooManyLibraries = errors.New("more than 1,000 libraries lie in the directory of the set")

// loadable are the names of an assembly and of what lies below the directory of the set that it
// may load: libraries, and the file that says which of them it needs. The assembly is the first.
func (e Entry) loadable(assembly string) ([]string, error) {
	out := []string{assembly}
	err := filepath.WalkDir(e.Path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(e.Path, path)
		if err != nil || entry.IsDir() || name == assembly || !isLibrary(name) {
			return err
		}
		if out = append(out, name); len(out) > maxLoadable {
			return errTooManyLibraries
		}
		return nil
	})
	return out, err
}

// libraries are how the names of what an assembly may load end, and what says which of it.
var libraries = []string{".dll", ".exe", ".so", ".dylib", ".deps.json", ".dll.config"}

func isLibrary(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(libraries, func(end string) bool { return strings.HasSuffix(name, end) }) || strings.Contains(name, ".so.")
}
