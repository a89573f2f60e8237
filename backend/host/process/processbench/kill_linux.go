package processbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// tree is a command that starts processes, tells their ids in a file of its folder and stays.
func (b *bench) tree(path string) string {
	path = filepath.Base(path)
	return fmt.Sprintf("for i in $(seq %d); do sleep 1000 & done; { jobs -p; echo $$; } > %s.part; mv %s.part %s; wait", b.load.Tree-1, path, path, path)
}

// stands waits until a tree stands and returns handles on its processes.
func (b *bench) stands(ctx context.Context, path string) ([]unix.PollFd, error) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		raw, err := os.ReadFile(path)
		if err == nil {
			_ = os.Remove(path)
			return handles(string(raw))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func handles(pids string) ([]unix.PollFd, error) {
	var out []unix.PollFd
	for _, f := range strings.Fields(pids) {
		pid := 0
		if _, err := fmt.Sscan(f, &pid); err != nil {
			return nil, err
		}
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	return out, nil
}

// allEnded reports whether all of them ended within a time, and closes the handles.
func allEnded(fds []unix.PollFd, ms int) bool {
	all := true
	for i := range fds {
		n, err := unix.Poll(fds[i:i+1], ms)
		for err == unix.EINTR {
			n, err = unix.Poll(fds[i:i+1], ms)
		}
		all = all && n == 1 && err == nil
		_ = unix.Close(int(fds[i].Fd))
	}
	return all
}

func (b *bench) kills(ctx context.Context, f *Figures) error {
	var kills, signals []time.Duration
	path := filepath.Join(b.dir, "tree")
	for range b.load.Trees {
		took, err := b.signal(ctx, path)
		if err != nil {
			return err
		}
		signals = append(signals, took)
		if took, err = b.kill(ctx, path); err != nil {
			return err
		}
		kills = append(kills, took)
	}
	f.Signal, f.Kill = median(signals), median(kills)
	return nil
}

// signal ends a tree by one signal to its group.
func (b *bench) signal(ctx context.Context, path string) (time.Duration, error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = null.Close() }()
	pid, err := b.fork(b.tree(path), null.Fd())
	if err != nil {
		return 0, err
	}
	fds, err := b.stands(ctx, path)
	start := time.Now()
	_ = unix.Kill(-pid, unix.SIGKILL)
	ended := allEnded(fds, 10_000)
	took := time.Since(start)
	_, _ = unix.Wait4(pid, nil, 0, nil)
	if err == nil && !ended {
		err = errors.New("a signal did not end a tree")
	}
	return took, err
}

// kill ends a tree by the end of its context.
func (b *bench) kill(ctx context.Context, path string) (time.Duration, error) {
	cut, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := b.screen.Run(cut, tool.RunRequest{Command: b.tree(path), Dir: tool.Path{Real: b.dir}, Limit: time.Hour, Log: nothing{}})
		done <- err
	}()
	fds, err := b.stands(ctx, path)
	start := time.Now()
	cancel()
	ran := <-done
	took := time.Since(start)
	ended := allEnded(fds, 0)
	switch {
	case err != nil:
	case !errors.Is(ran, context.Canceled):
		err = fmt.Errorf("a cancelled command ended with %w", ran)
	case !ended:
		err = errors.New("a cancelled command left something running")
	}
	return took, err
}
