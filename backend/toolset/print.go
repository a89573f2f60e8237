package toolset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"countersign/backend/toolset/manifest"
)

// Program is an executable or an assembly that a set runs.
type Program struct {
	// Name is how the manifest names it.
	Name string `json:"name"`
	// Path is where that leads now, "" where nothing is.
	Path string `json:"path"`
	// SHA256 is the lower-case hex hash of its content.
	SHA256 string `json:"sha256"`
}

// Print is what a set is made of: its manifest, byte for byte, and every program that it names,
// with the libraries that lie beside an assembly. What a program reads when it runs, such as a
// script that it is given, is not in it.
type Print struct {
	Manifest []byte
	// Programs stand in the order in which the manifest names them, each once.
	Programs []Program
}

// Fingerprint names the print: equal prints have equal ones.
func (p Print) Fingerprint() string {
	h := sha256.New()
	add := func(b []byte) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(b)))
		h.Write(size[:])
		h.Write(b)
	}
	add(p.Manifest)
	for _, one := range p.Programs {
		add([]byte(one.Name))
		add([]byte(one.Path))
		add([]byte(one.SHA256))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// PrintOf reads what a set is made of now: its manifest from disk, whatever e holds, and the
// programs that this names. An error means that nobody can tell.
func PrintOf(ctx context.Context, e Entry, searchPath string) (Print, error) {
	data, err := e.text()
	if err != nil {
		return Print{}, err
	}
	if e.Set == nil || !bytes.Equal(data, e.Manifest) {
		if e.Set, _, err = manifest.Parse(e.Directory, data); err != nil {
			return Print{}, fmt.Errorf("read the manifest: %w", err)
		}
		e.Manifest = data
	}
	return e.Print(ctx, searchPath)
}

// Print reads what the set is made of whose manifest was read, as that names it.
func (e Entry) Print(ctx context.Context, searchPath string) (Print, error) {
	p := Print{Manifest: e.Manifest}
	names, err := e.programs()
	if err != nil {
		return Print{}, fmt.Errorf("look at the programs of the set: %w", err)
	}
	for _, name := range names {
		one := Program{Name: name}
		if e.Set.Runner == manifest.RunnerDotnet {
			one.Path = filepath.Join(e.Path, name)
			if !isFile(one.Path) {
				one.Path = ""
			}
		} else if one.Path, err = program(e.Path, name, searchPath); err != nil {
			one.Path = ""
		}
		if one.Path != "" {
			if one.SHA256, err = hashOf(ctx, one.Path); err != nil {
				return Print{}, fmt.Errorf("read a program of the set: %w", err)
			}
		}
		p.Programs = append(p.Programs, one)
	}
	return p, nil
}

// programs are those that the manifest names, each once. To the assembly of a dotnet set belongs
// what it may load.
func (e Entry) programs() ([]string, error) {
	switch {
	case e.Set.Runner == manifest.RunnerDotnet:
		return e.loadable(e.Set.Assembly)
	case len(e.Set.Command) > 0:
		return e.Set.Command[:1], nil
	}
	var out []string
	for _, t := range e.Set.Tools {
		if !slices.Contains(out, t.Command[0]) {
			out = append(out, t.Command[0])
		}
	}
	return out, nil
}

// text reads the manifest of a set as it lies on disk. Its error is a *manifest.Refusal.
func (e Entry) text() ([]byte, error) {
	f := found{Entry: e}
	data, note := f.open()
	if note != nil {
		return nil, &manifest.Refusal{Note: *note}
	}
	return data, nil
}

// hashOf hashes the content of a file until ctx ends.
func hashOf(ctx context.Context, path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		switch _, err := io.CopyN(h, f, hashStep); {
		case errors.Is(err, io.EOF):
			return hex.EncodeToString(h.Sum(nil)), nil
		case err != nil:
			return "", err
		}
	}
}

// hashStep is how much of a file is hashed between two looks at the context, in bytes.
const hashStep = 4 << 20
