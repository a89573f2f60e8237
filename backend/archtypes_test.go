package backend_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// opensText returns the places in a package that really open foreign text, out of
// those that look like it: scan goes by names, and a zip file can be opened too. What stands in
// files for other systems is not type-checked and counts as it looks.
func opensText(p pkg) ([]string, error) {
	var suspects []string
	for _, f := range p.files {
		if !f.test {
			suspects = append(suspects, f.opens...)
		}
	}
	if len(suspects) == 0 {
		return nil, nil
	}
	files, selections, err := typed(module + "/" + p.path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	seen, guilty := map[string]bool{}, map[string]bool{}
	for use, selection := range selections {
		method, ok := selection.Obj().(*types.Func)
		if !ok || method.Name() != "Open" {
			continue
		}
		at := files.Position(use.Sel.Pos())
		where := fmt.Sprintf("%s:%d", at.Filename, at.Line)
		owner := method.Signature().Recv().Type()
		seen[where] = true
		// Behind an interface it could be anything.
		if types.IsInterface(owner) || types.TypeString(owner, nil) == module+"/backend/tool.Untrusted" {
			guilty[where] = true
		}
	}
	return slices.DeleteFunc(suspects, func(at string) bool { return seen[at] && !guilty[at] }), nil
}

// typed type-checks one package for this system against the compiler's export data.
func typed(importPath string) (*token.FileSet, map[*ast.SelectorExpr]*types.Selection, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}", importPath)
	list.Dir = ".."
	var problems strings.Builder
	list.Stderr = &problems
	out, err := list.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list -export: %w: %s", err, problems.String())
	}
	exports := map[string]string{}
	set := token.NewFileSet()
	var files []*ast.File
	for line := range strings.Lines(string(out)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[row[0]] = row[1]
		if row[0] != importPath {
			continue
		}
		for name := range strings.FieldsSeq(row[3]) {
			file, err := parser.ParseFile(set, filepath.Join(row[2], name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, file)
		}
	}
	info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(name string) (io.ReadCloser, error) {
		return os.Open(exports[name])
	})}
	if _, err := config.Check(importPath, set, files, info); err != nil {
		return nil, nil, err
	}
	return set, info.Selections, nil
}
