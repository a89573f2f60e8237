package spill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Artifacts keeps contents by their hash, outside of every session and of the room that
// sessions have. It is safe for concurrent use.
type Artifacts struct {
	root  *os.Root
	store *Store
}

// OpenArtifacts opens the folder of what is kept, making it where it is missing. The caller
// closes it.
func OpenArtifacts(dir string) (*Artifacts, error) {
	s, err := Open(dir)
	if err != nil {
		return nil, err
	}
	return &Artifacts{root: s.root, store: s}, nil
}

// Close lets go of the folder; the contents stay.
func (a *Artifacts) Close() error { return a.root.Close() }

// Put keeps a content and returns its hash and its size in bytes. A content that is there
// already is not kept twice. A failure is a *tool.Error with CodeStorageUnavailable, or the
// error of ctx; then the disk is as it was.
func (a *Artifacts) Put(ctx context.Context, content io.Reader) (sum string, size int64, err error) {
	temp, f, err := create(a.root, incoming, "")
	if err != nil {
		return "", 0, failed("create artifact", err)
	}
	hash := sha256.New()
	size, err = a.store.fill(ctx, f, io.TeeReader(content, hash))
	if err == nil {
		sum = hex.EncodeToString(hash.Sum(nil))
		if err = rename(a.root, temp, sum); errors.Is(err, fs.ErrExist) {
			_ = a.root.Remove(temp)
			return sum, size, nil
		}
		if err == nil {
			err = syncDir(a.root)
		}
	}
	if err == nil {
		return sum, size, nil
	}
	_ = a.root.Remove(temp)
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	return "", 0, failed("write artifact", err)
}

// incoming starts the name of a content that is not whole yet.
const incoming = ".incoming"

// Text opens a content by its hash. What is not there is fs.ErrNotExist.
func (a *Artifacts) Text(sum string) (*Text, error) {
	if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size {
		return nil, fs.ErrNotExist
	}
	return openText(a.root, sum)
}

// Clean removes every content that kept does not name, and what was left unfinished. Nothing
// may be put meanwhile. It returns how many bytes that freed.
func (a *Artifacts) Clean(kept map[string]bool) (freed int64, err error) {
	all, err := a.store.list(".")
	if err != nil {
		return 0, fmt.Errorf("list artifacts: %w", cause(err))
	}
	var errs []error
	for _, f := range all {
		info, err := f.Info()
		if err != nil || kept[f.Name()] || !info.Mode().IsRegular() {
			continue
		}
		if err := a.root.Remove(f.Name()); err != nil {
			errs = append(errs, fmt.Errorf("remove artifact: %w", cause(err)))
			continue
		}
		freed += info.Size()
	}
	return freed, errors.Join(errs...)
}
