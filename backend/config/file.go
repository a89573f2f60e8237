package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"countersign/backend/schema"
)

// maxFile is the largest settings file that is read, in bytes.
const maxFile = 1 << 20

// File is the settings file of a home. It is safe for concurrent use.
type File struct {
	path string
	mu   sync.Mutex
	now  Settings
	// unknown are the keys that were there when the file was last read.
	unknown []string
}

// Load reads the settings of a home. A missing file means the defaults.
func Load(p Paths) (*File, error) {
	f := &File{path: p.File()}
	keys, err := f.keys()
	if err != nil {
		return nil, err
	}
	if f.now, err = parse(keys); err != nil {
		return nil, err
	}
	f.unknown = unknown(keys)
	return f, nil
}

// Unknown returns the keys of the file that are no setting of this version, sorted. They
// do nothing, and are kept when the file is written.
func (f *File) Unknown() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.unknown)
}

func (f *File) keys() (map[string]json.RawMessage, error) {
	b, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]json.RawMessage{}, nil
	}
	if err != nil {
		return nil, &Fault{Words: "it cannot be read", cause: err}
	}
	if len(b) > maxFile {
		return nil, &Fault{Words: "it is larger than 1 MiB"}
	}
	if _, err := schema.ReadObject(b); err != nil {
		return nil, &Fault{Words: err.Error(), cause: err}
	}
	keys := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &keys); err != nil {
		return nil, &Fault{Words: "it is not a JSON object", cause: err}
	}
	return keys, nil
}

// Settings returns the settings of now.
func (f *File) Settings() Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// replace writes a file in one step: temporary file beside it, sync, rename.
func replace(path string, content []byte) (err error) {
	t, err := os.CreateTemp(filepath.Dir(path), ".config-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = t.Close()
			_ = os.Remove(t.Name())
		}
	}()
	if _, err = t.Write(content); err != nil {
		return err
	}
	if err = t.Sync(); err != nil {
		return err
	}
	if err = t.Close(); err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}
