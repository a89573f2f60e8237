// Command files is the program of a sample tool set: it hashes files, and lists large ones. Every
// argument is a flag that the manifest of the set names, and every path is absolute already.
package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "files:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("the name of a tool is missing")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	var paths list
	flags.Var(&paths, "path", "a `file` to hash; may be given again")
	folder := flags.String("folder", "", "the `folder` to look through")
	most := flags.Int("most", 10, "how many files are listed")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "hash":
		return hash(paths, out)
	case "largest":
		return largest(*folder, *most, out)
	}
	return fmt.Errorf("there is no tool %q here", args[0])
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

func hash(paths []string, out io.Writer) error {
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%x  %s\n", sum.Sum(nil), path)
	}
	return nil
}

type file struct {
	path string
	size int64
}

func largest(folder string, most int, out io.Writer) error {
	var all []file
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			// It went meanwhile.
			return nil
		}
		if err == nil {
			all = append(all, file{path, info.Size()})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b file) int {
		return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.path, b.path))
	})
	for _, f := range all[:min(most, len(all))] {
		fmt.Fprintf(out, "%12d  %s\n", f.size, f.path)
	}
	return nil
}
