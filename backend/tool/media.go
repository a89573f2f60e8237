package tool

import (
	"context"
	"io"
)

// MaxImageBytes is the largest image that is taken from a tool.
const MaxImageBytes = 20 << 20

// Media keeps images by what they hold, so that the same image is kept once.
type Media interface {
	// Keep keeps an image of at most MaxImageBytes and returns its handle, media://sha256-…. It
	// reads r to its end, whose error it returns as it is. An image that nothing comes to name
	// may go again.
	Keep(ctx context.Context, mime string, r io.Reader) (handle string, err error)
}
