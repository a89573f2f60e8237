package backend_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "countersign"

// pkg is one package of the tree with what its files say about themselves.
type pkg struct {
	path  string // relative to the module
	files []file
}

type file struct {
	name    string
	test    bool
	imports []string
	uses    []use    // package-level names of others, "time.Now"
	opens   []string // where a method Open without arguments is named
}

type use struct{ name, at string }

var treeOnce = sync.OnceValues(readTree)

// tree returns every package of the module, files for other systems included.
func tree(t *testing.T) []pkg {
	t.Helper()
	packages, err := treeOnce()
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func readTree() ([]pkg, error) {
	list := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles", module+"/...")
	list.Dir = ".."
	var out, problems bytes.Buffer
	list.Stdout, list.Stderr = &out, &problems
	if err := list.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, problems.String())
	}
	var packages []pkg
	for dec := json.NewDecoder(&out); ; {
		var p struct {
			ImportPath, Dir                                              string
			GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
		}
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			if len(packages) == 0 {
				return nil, errors.New("go list named no package")
			}
			return packages, nil
		case err != nil:
			return nil, err
		}
		found := pkg{path: strings.TrimPrefix(p.ImportPath, module+"/")}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles) {
			f, err := readFile(filepath.Join(p.Dir, name), nil)
			if err != nil {
				return nil, err
			}
			found.files = append(found.files, f)
		}
		packages = append(packages, found)
	}
}

func read(t *testing.T, name, source string) file {
	t.Helper()
	f, err := readFile(name, source)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readFile parses one file; with a nil source it is read from disk.
func readFile(name string, source any) (file, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return file{}, err
	}
	f := file{name: name, test: strings.HasSuffix(name, "_test.go")}
	locals := map[string]string{} // the name in this file -> import path
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return file{}, err
		}
		f.imports = append(f.imports, imported)
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == "." {
			return file{}, fmt.Errorf("%s: a dot import hides where names come from", name)
		}
		locals[local] = imported
	}
	f.scan(set, parsed, locals)
	return f, nil
}

// scan collects the uses of other packages and the calls that could open foreign
// text. It goes by names, not by types, and so rather sees too much than too little.
func (f *file) scan(set *token.FileSet, parsed *ast.File, locals map[string]string) {
	arguments := map[*ast.SelectorExpr]int{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok {
				arguments[s] = len(n.Args)
			}
		case *ast.SelectorExpr:
			at := set.Position(n.Sel.Pos())
			where := fmt.Sprintf("%s:%d", at.Filename, at.Line)
			x, ok := n.X.(*ast.Ident)
			ofPackage := ok && locals[x.Name] != ""
			if ofPackage {
				f.uses = append(f.uses, use{locals[x.Name] + "." + n.Sel.Name, where})
			}
			// A call without arguments, or the method as a value.
			if count, called := arguments[n]; n.Sel.Name == "Open" && (called && count == 0 || !called && !ofPackage) {
				f.opens = append(f.opens, where)
			}
		}
		return true
	})
}

func parent(name string) string { return path.Dir(name) }

// covered reports whether one of the patterns names it: exactly, "a/*" for what is
// directly below a, "a/..." for a and all below.
func covered(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if root, ok := strings.CutSuffix(pattern, "/..."); ok {
			return name == root || strings.HasPrefix(name, root+"/")
		}
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	})
}

// support reports whether a package exists for tests and measurements only.
func support(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, "test") || strings.HasSuffix(base, "bench")
}

// foreign reports whether an import is neither ours nor of the standard library,
// whose paths have no dot in their first element.
func foreign(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.Contains(first, ".")
}

// fence returns the row of vendors that an import falls under.
func fence(name string) string {
	for row := range vendors {
		if name == row || strings.HasPrefix(name, row+"/") {
			return row
		}
	}
	return ""
}
