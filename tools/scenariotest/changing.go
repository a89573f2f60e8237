package scenariotest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/tool"
)

// Changing holds a tool that changes one file to what all such tools must do. arguments
// are those that make a file that holds "old" hold text.
func Changing(t *testing.T, spec tool.Spec, arguments func(path, text string) tool.Args) {
	t.Helper()
	for name, rule := range map[string]func(changing){
		"a change under the lock is stale":  changing.staleUnderTheLock,
		"nothing is changed without a mark": changing.nothingWithoutTheMark,
		"a cancelled call changes nothing":  changing.nothingWhenCancelled,
		"a path that leads elsewhere":       changing.pathThatMoved,
		"a disk that is read-only is said":  changing.diskThatIsReadOnly,
		"without files it is not available": changing.withoutFiles,
	} {
		t.Run(name, func(t *testing.T) { rule(changing{NewSession(t), spec, arguments}) })
	}
}

type changing struct {
	*Session
	spec      tool.Spec
	arguments func(path, text string) tool.Args
}

func (c changing) run(ctx context.Context, text string) error {
	c.T.Helper()
	_, err := c.spec.Run(ctx, c.Env("a"), c.arguments("a", text))
	return err
}

func (c changing) staleUnderTheLock() {
	c.Has("a", "old")
	c.Mark = func(context.Context) error { return os.WriteFile(c.Path("a"), []byte("theirs"), 0o644) }
	err := c.run(c.T.Context(), "mine")
	if Code(err) != tool.CodeStale || !strings.HasPrefix(Said(err), "Refusing to overwrite ") || c.Holds("a") != "theirs" {
		c.T.Errorf("%v, %q, holds %q", err, Said(err), c.Holds("a"))
	}
}

func (c changing) nothingWithoutTheMark() {
	c.Has("a", "old")
	broken := tool.Errorf(tool.CodeStorageUnavailable, "no store")
	c.Mark = func(context.Context) error { return broken }
	if err := c.run(c.T.Context(), "mine"); err != error(broken) {
		c.T.Errorf("%v", err)
	}
	c.Mark = nil
	if err := c.run(c.T.Context(), "mine"); Code(err) != tool.CodeExecutionFailed {
		c.T.Errorf("no mark to make: %v", err)
	}
	entries, err := os.ReadDir(c.Path(""))
	if err != nil || len(entries) != 1 || c.Holds("a") != "old" {
		c.T.Errorf("%v, %v, holds %q", entries, err, c.Holds("a"))
	}
}

func (c changing) nothingWhenCancelled() {
	c.Has("a", "old")
	ctx, cancel := context.WithCancel(c.T.Context())
	c.Mark = func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	}
	if err := c.run(ctx, "mine"); !errors.Is(err, context.Canceled) || c.Holds("a") != "old" {
		c.T.Errorf("%v, holds %q", err, c.Holds("a"))
	}
}

func (c changing) pathThatMoved() {
	c.Has("a", "old")
	env, args := c.Env("a"), c.arguments("a", "mine")
	c.must(os.WriteFile(filepath.Join(c.Top, "o"), []byte("old"), 0o644))
	c.must(os.Remove(c.Path("a")))
	c.must(os.Symlink("../o", c.Path("a")))
	if _, err := c.spec.Run(c.T.Context(), env, args); Code(err) != tool.CodePolicyPathMoved {
		c.T.Errorf("run: %v", err)
	}
	if _, err := c.spec.Draw(c.T.Context(), env, args); Code(err) != tool.CodePolicyPathMoved {
		c.T.Errorf("draw: %v", err)
	}
	if got := c.Holds("../o"); got != "old" {
		c.T.Errorf("outside holds %q", got)
	}
}

func (c changing) diskThatIsReadOnly() {
	dir := c.Disk(0, "size=64k")
	c.Has("a", "old")
	c.must(syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=64k"))
	err := c.run(c.T.Context(), "mine")
	want := "Could not write " + dir + "/a: the file system is read-only. Choose a path elsewhere."
	if Code(err) != tool.CodeIO || Said(err) != want {
		c.T.Errorf("%v, %q", err, Said(err))
	}
}

func (c changing) withoutFiles() {
	for _, lacking := range []func(*tool.Env){func(e *tool.Env) { e.Host.Files = nil }, func(e *tool.Env) { e.Stamps = nil }} {
		env := c.Env("a")
		lacking(&env)
		if _, err := c.spec.Run(c.T.Context(), env, c.arguments("a", "mine")); Code(err) != tool.CodeUnavailable {
			c.T.Errorf("%v", err)
		}
	}
}
