package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// childName is the variable that makes the test binary play a part instead.
const childName = "STORE_TEST_PART"

// parts are what a process of its own can do. A part talks to the test by lines.
var parts = map[string]func(home string) error{
	"live":      live,
	"powerless": powerless,
	"limited":   limited,
}

// child plays a part if this process was started for one.
func child() bool {
	part, home, ok := strings.Cut(os.Getenv(childName), " ")
	if !ok {
		return false
	}
	if err := parts[part](home); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	return true
}

// actor is a child process.
type actor struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func start(t *testing.T, part, home string) *actor {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childName+"="+part+" "+home)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	a := &actor{cmd: cmd, in: in, out: bufio.NewScanner(out)}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return a
}

// says returns the next line of the child.
func (a *actor) says(t *testing.T) string {
	t.Helper()
	if !a.out.Scan() {
		t.Fatalf("the child said nothing more: %v", a.out.Err())
	}
	return a.out.Text()
}

func (a *actor) expect(t *testing.T, want string) {
	t.Helper()
	if got := a.says(t); got != want {
		t.Fatalf("the child said %q, want %q", got, want)
	}
}

func (a *actor) kill(t *testing.T) {
	t.Helper()
	must(t, a.cmd.Process.Kill())
	_ = a.cmd.Wait()
}

func childOptions(home string) store.Options {
	return store.Options{Home: home, Clock: standing{}, IDs: &counted{prefix: fmt.Sprintf("child-%d", os.Getpid())}}
}

// live opens the home, takes the desk, brings a session to every point and then
// waits to be killed.
func live(home string) error {
	s, err := store.Open(context.Background(), childOptions(home))
	if err != nil {
		return err
	}
	if _, err := s.TakeDesk(); err != nil {
		return err
	}
	story(solo{}, s, "s1")
	fmt.Println("ready")
	_, err = io.ReadAll(os.Stdin)
	runtime.KeepAlive(s)
	return err
}

// solo lets a child use the helpers of tests.
type solo struct{ testing.TB }

func (solo) Helper()                  {}
func (solo) Context() context.Context { return context.Background() }
func (solo) Fatal(args ...any)        { panic(fmt.Sprint(args...)) }

// powerless opens the home as a user who may read it and not write it.
func powerless(home string) error {
	// Without root there is nothing to give up, and the mode bits hold anyway.
	if os.Getuid() == 0 {
		if err := syscall.Setgid(65534); err != nil {
			return err
		}
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	s, err := store.Open(context.Background(), childOptions(home))
	fmt.Println(describe(err))
	if err == nil {
		return s.Close()
	}
	return nil
}

// limited works under a limit for the size of files, as on a disk without space, and
// then without it.
func limited(home string) error {
	ctx := context.Background()
	signal.Ignore(syscall.SIGXFSZ)
	s, err := store.Open(ctx, childOptions(home))
	if err != nil {
		return err
	}
	make1(solo{}, s, "s1")
	var unlimited syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &unlimited); err != nil {
		return err
	}
	limit := unlimited
	limit.Cur = 256 << 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	stored := 0
	for err == nil {
		if _, err = s.AddMessage(ctx, session.Message{SessionID: "s1", Role: session.RoleUser, Text: tool.Mark(strings.Repeat("x", 10<<10))}); err == nil {
			stored++
		}
	}
	fmt.Println(describe(err))
	fmt.Println(s.Health().OK, s.Health().Words == store.Words(err))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &unlimited); err != nil {
		return err
	}
	_, err = s.AddMessage(ctx, session.Message{SessionID: "s1", Role: session.RoleUser, Text: tool.Mark("after")})
	fmt.Println(describe(err))
	fmt.Println(s.Health().OK)
	kept, err := s.Messages(ctx, "s1", 0, 1000)
	if err != nil {
		return err
	}
	fmt.Println(len(kept) - stored)
	return s.Close()
}

// describe says in one line what a person and a caller learn from an error.
func describe(err error) string {
	var e *tool.Error
	if err == nil {
		return "ok"
	}
	if !errors.As(err, &e) {
		return "uncoded: " + err.Error()
	}
	return string(e.Code) + ": " + store.Words(err)
}
