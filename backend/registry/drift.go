package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// unmoved reports whether every file that a preview was made from is still as it was.
func (r *Registry) unmoved(ctx context.Context, c *run, pins []tool.Pin) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, c.entry.spec.Class.Timeout)
	defer cancel()
	same, err := asPinned(limited, c.s.Host.Files, pins)
	return same, c.inTime(ctx, err)
}

// Drifted reports whether a path of the card q leads elsewhere than it did, or a file of its
// preview has other content. What cannot be looked at counts as changed, unless ctx ended.
func Drifted(ctx context.Context, files tool.Files, q approval.Request) bool {
	for _, touch := range q.Paths {
		path, err := files.Resolve(touch.Path.Arg)
		if err != nil || path.Real != touch.Path.Real {
			return true
		}
	}
	same, err := asPinned(ctx, files, q.Pins)
	if err != nil {
		return ctx.Err() == nil
	}
	return !same
}

// asPinned reports whether every file is where and what it was when it was pinned.
func asPinned(ctx context.Context, files tool.Files, pins []tool.Pin) (bool, error) {
	for _, pin := range pins {
		path, err := files.Resolve(pin.Path.Arg)
		if err != nil {
			return false, err
		}
		if path.Real != pin.Path.Real {
			return false, nil
		}
		hash, err := fileHash(ctx, files, path)
		if err != nil {
			return false, err
		}
		if hash != pin.SHA256 {
			return false, nil
		}
	}
	return true, nil
}

// fileHash is the hash that a pin of the file would have: "" without a file.
func fileHash(ctx context.Context, files tool.Files, p tool.Path) (string, error) {
	if p.Kind == tool.KindAbsent {
		return "", nil
	}
	f, _, err := files.Open(ctx, p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, until{ctx, f}); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", tool.Errorf(tool.CodeExecutionFailed, "hash a file: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// until reads until its context ends.
type until struct {
	ctx  context.Context
	file io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.file.Read(p)
}

// rightPlace checks, just before a call runs, that its paths lead where they led when the
// call was judged.
func (r *Registry) rightPlace(c *run) error {
	for _, touch := range c.target.Touches {
		now, err := c.s.Host.Files.Resolve(touch.Path.Arg)
		if err != nil {
			return err
		}
		if now.Real != touch.Path.Real {
			return tool.Errorf(tool.CodePolicyPathMoved, "a path leads elsewhere now")
		}
	}
	return nil
}
