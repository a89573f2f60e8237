package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"countersign/backend/tool"
)

// unmoved reports whether every file that a preview was made from is still as it was.
func (r *Registry) unmoved(ctx context.Context, c *run, pins []tool.Pin) (bool, error) {
	for _, pin := range pins {
		path, err := c.s.Host.Files.Resolve(pin.Path.Arg)
		if err != nil {
			return false, err
		}
		if path.Real != pin.Path.Real {
			return false, nil
		}
		hash, err := fileHash(ctx, c.s.Host.Files, path)
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
