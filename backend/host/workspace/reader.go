package workspace

import (
	"context"
	"errors"
	"os"
	"time"
)

// reader is an open file that is read as long as a context lives, and strips paths from
// its errors. Some files that count as regular wait for content, as /proc/kmsg does. They
// are opened without waiting, so that the runtime waits in their place and a deadline ends
// the wait; a file that knows no deadline does not wait like that.
type reader struct {
	ctx  context.Context
	f    *os.File
	stop func() bool
}

func newReader(ctx context.Context, f *os.File) reader {
	return reader{ctx, f, context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })}
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.f.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) && r.ctx.Err() != nil {
		return n, r.ctx.Err()
	}
	if err != nil {
		err = cause(err)
	}
	return n, err
}

// Close lets go of the file. Nobody may read from it then.
func (r reader) Close() error {
	r.stop()
	return r.f.Close()
}
