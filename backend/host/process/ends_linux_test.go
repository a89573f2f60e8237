package process

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// written is a log that knows how often it was written to.
type written struct {
	keeper
	writes int
}

func (w *written) Write(p []byte) (int, error) {
	w.writes++
	return w.keeper.Write(p)
}

// newPipe returns a pipe as a command prints to it, and its other end.
func newPipe(t *testing.T) (*output, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return &output{file: r}, w
}

// capacity is how many bytes a pipe takes before who prints has to wait.
func capacity(t *testing.T, o *output) int {
	t.Helper()
	raw, err := o.file.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	if err := raw.Control(func(fd uintptr) { size, err = unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0) }); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// fill prints as much as a pipe takes.
func fill(t *testing.T, o *output, w *os.File) int {
	t.Helper()
	n, err := w.Write(make([]byte, capacity(t, o)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWhatWaitsInAPipeIsReadInOnePiece(t *testing.T) {
	o, w := newPipe(t)
	full := fill(t, o, w)
	for _, row := range []struct{ room, want int }{{full / 4, full / 4}, {full, full - full/4}} {
		if n, more := o.read(make([]byte, row.room)); n != row.want || !more {
			t.Errorf("%d bytes with room for %d, not %d; more %v", n, row.room, row.want, more)
		}
	}
	// Nor is the end taken for one before it came, or what stands before it lost.
	fill(t, o, w)
	_ = w.Close()
	if n, more := o.read(make([]byte, 2*full)); n != full || more {
		t.Errorf("%d bytes at the end, not %d; more %v", n, full, more)
	}
}

// How much a command prints while nobody reads is up to the system. Whatever came meanwhile is
// written in pieces that grow with the ring, and as large as the pipe once it is full.
func TestALogIsWrittenInLargePieces(t *testing.T) {
	o, w := newPipe(t)
	log := &written{}
	s := newStream(log)
	narrow := capacity(t, o)
	printed := 0
	for range 2*waitedRing/narrow + 1 {
		printed += fill(t, o, w)
		for want := int64(printed); s.ring.end < want; {
			if !s.take(o) {
				t.Fatal("the pipe ended")
			}
		}
	}
	before, at := log.writes, printed
	for range 8 {
		printed += fill(t, o, w)
		for s.ring.end < int64(printed) {
			if !s.take(o) {
				t.Fatal("the pipe ended")
			}
		}
	}
	if wide := capacity(t, o); wide <= narrow {
		t.Errorf("the pipe of a command that prints much holds %d bytes", wide)
	}
	if piece := (printed - at) / (log.writes - before); piece < largestChunk/2 {
		t.Errorf("pieces of %d bytes", piece)
	}
}
