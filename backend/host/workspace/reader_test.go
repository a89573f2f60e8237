package workspace

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"testing"

	"countersign/backend/tool"
)

// ending is a context that ends with an error of the test's when the test says so.
type ending struct {
	context.Context
	over chan struct{}
	with error
}

func (e *ending) Done() <-chan struct{} { return e.over }

func (e *ending) Err() error {
	select {
	case <-e.over:
		return e.with
	default:
		return nil
	}
}

// A pipe that nobody writes to waits as a file of the kernel's log does.
func TestAReadThatWaitsEndsWithItsContext(t *testing.T) {
	for name, want := range map[string]error{"cancelled": context.Canceled, "its time is over": context.DeadlineExceeded} {
		t.Run(name, func(t *testing.T) {
			from, to, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer to.Close()
			ctx := &ending{Context: t.Context(), over: make(chan struct{}), with: want}
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
			close(ctx.over)
			if err := <-done; !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
}

// asked says when it is first read from.
type asked struct {
	io.Reader
	once  sync.Once
	first chan struct{}
}

func (a *asked) Read(p []byte) (int, error) {
	a.once.Do(func() { close(a.first) })
	return a.Reader.Read(p)
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
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f, _, err := w.Open(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	done := make(chan error, 1)
	begun := &asked{Reader: f, first: make(chan struct{})}
	go func() {
		_, err := io.Copy(io.Discard, begun)
		done <- err
	}()
	<-begun.first
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
