package running

import (
	"context"
	"io"
	"sync/atomic"

	"countersign/backend/tool"
)

// Log begins the log of a command. Where there is no room for one the command runs all the
// same, and what it prints counts as lost.
func Log(ctx context.Context, output tool.Output, label string) tool.Log {
	if output != nil {
		if l, err := output.Log(ctx, label); err == nil {
			return l
		}
	}
	return &nowhere{}
}

// NamedLog does the same for the log of a process.
func NamedLog(output tool.Output) func(ctx context.Context, name string) (tool.Log, error) {
	return func(ctx context.Context, name string) (tool.Log, error) {
		if output != nil {
			if l, err := output.NamedLog(ctx, name+".log"); err == nil {
				return l, nil
			}
		}
		return &nowhere{}, nil
	}
}

// nowhere keeps nothing and counts what it lost.
type nowhere struct{ lost atomic.Int64 }

// Write loses a chunk.
func (n *nowhere) Write(p []byte) (int, error) {
	n.lost.Add(int64(len(p)))
	return len(p), nil
}

// ReadAt finds nothing.
func (n *nowhere) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// Path is "", since there is no text.
func (n *nowhere) Path() string { return "" }

// Size is 0.
func (n *nowhere) Size() int64 { return 0 }

// Lost is all that was written.
func (n *nowhere) Lost() int64 { return n.lost.Load() }

// Rename does nothing.
func (n *nowhere) Rename(string) error { return nil }

// Close does nothing.
func (n *nowhere) Close() error { return nil }
