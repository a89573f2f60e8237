package workspace

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"countersign/backend/tool"
)

// A pipe that nobody writes to waits as a file of the kernel's log does.
func TestAReadThatWaitsEndsWithItsContext(t *testing.T) {
	for name, begin := range map[string]func() (context.Context, context.CancelFunc, error){
		"cancelled": func() (context.Context, context.CancelFunc, error) {
			ctx, cancel := context.WithCancel(t.Context())
			return ctx, cancel, context.Canceled
		},
		"its time is over": func() (context.Context, context.CancelFunc, error) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			return ctx, cancel, context.DeadlineExceeded
		},
	} {
		t.Run(name, func(t *testing.T) {
			from, to, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer to.Close()
			ctx, cancel, want := begin()
			defer cancel()
			r := newReader(ctx, from)
			defer r.Close()
			if _, err := to.WriteString("text"); err != nil {
				t.Fatal(err)
			}
			first := make(chan struct{})
			done := make(chan error, 1)
			go func() {
				b := make([]byte, 4)
				_, err := io.ReadFull(r, b)
				close(first)
				if err == nil {
					_, err = r.Read(b)
				}
				done <- err
			}()
			<-first
			if want == context.Canceled {
				cancel()
			}
			if err := <-done; !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
}

// Where this machine shows the kernel's log, a read to its end is ended by its context.
func TestTheKernelsLogHoldsNobody(t *testing.T) {
	const log = "/proc/kmsg"
	probe, err := os.OpenFile(log, os.O_RDONLY|noWait, 0)
	if err != nil {
		t.Logf("the log cannot be read here: %v", err)
		return
	}
	_ = probe.Close()
	w, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p, err := w.Resolve(log)
	if err != nil || p.Kind != tool.KindFile {
		t.Fatalf("%s, %v", p.Kind, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	f, _, err := w.Open(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(io.Discard, f); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
