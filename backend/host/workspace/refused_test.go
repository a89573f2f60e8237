package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/host/workspace"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

func TestWriteOnAFullDiskChangesNothing(t *testing.T) {
	p := setup(t)
	must(t, syscall.Mount("none", p.at("w"), "tmpfs", 0, "size=64k"))
	t.Cleanup(func() { _ = syscall.Unmount(p.at("w"), syscall.MNT_DETACH) })
	w, err := workspace.Open(p.at("w"), workspace.Options{Clock: still{}})
	must(t, err)
	defer w.Close()
	put(t, p.at("w/a"), "old")
	must(t, os.Chmod(p.at("w"), 0o755))
	before := snapshot(t, p.at("w"))
	path, err := w.Resolve("a")
	must(t, err)
	_, err = w.Write(t.Context(), path, make([]byte, 1<<20), hash("old"), never(t))
	if code(err) != tool.CodeIO || !errors.Is(err, tool.ErrNoSpace) || strings.Contains(err.Error(), p.top) {
		t.Errorf("%v", err)
	}
	if path, err = w.Resolve("x/y/z"); err != nil {
		t.Fatal(err)
	}
	if _, err = w.Write(t.Context(), path, make([]byte, 1<<20), "", never(t)); !errors.Is(err, tool.ErrNoSpace) {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff(before, snapshot(t, p.at("w"))); d != "" {
		t.Error(d)
	}
}

func TestWriteOnAReadOnlyDiskSaysSo(t *testing.T) {
	p := setup(t)
	must(t, syscall.Mount("none", p.at("w"), "tmpfs", syscall.MS_RDONLY, "size=64k"))
	t.Cleanup(func() { _ = syscall.Unmount(p.at("w"), syscall.MNT_DETACH) })
	w, err := workspace.Open(p.at("w"), workspace.Options{Clock: still{}})
	must(t, err)
	defer w.Close()
	path, err := w.Resolve("a")
	must(t, err)
	if _, err := w.Write(t.Context(), path, []byte("x"), "", never(t)); code(err) != tool.CodeIO || !errors.Is(err, tool.ErrReadOnlyDisk) {
		t.Errorf("%v", err)
	}
}

func TestWriteBelowAFileSaysSo(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a.txt"), "x")
	_, err := p.Write(t.Context(), p.resolve(t, "a.txt/b/c"), []byte("x"), "", never(t))
	if code(err) != tool.CodeIO || !errors.Is(err, tool.ErrParentNotADir) {
		t.Errorf("%v", err)
	}
}

const childFlag = "-as-another-user"

// As root no folder is closed, so a child under another user tries these.
func TestWriteAndReadWithoutTheRight(t *testing.T) {
	top, err := os.MkdirTemp("/tmp", "countersign-other-user-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	must(t, os.Chmod(top, 0o755))
	mkdir(t, top, "w/shut", "w/open", "w/closed")
	put(t, filepath.Join(top, "w/shut/a"), "old")
	put(t, filepath.Join(top, "w/open/locked"), "old")
	put(t, filepath.Join(top, "w/open/secret"), "old")
	put(t, filepath.Join(top, "w/closed/a"), "old")
	must(t, os.Chmod(filepath.Join(top, "w/open"), 0o777))
	must(t, os.Chmod(filepath.Join(top, "w/open/secret"), 0o600))
	must(t, os.Chmod(filepath.Join(top, "w/closed"), 0o700))
	before := snapshot(t, top)

	// The test program lies where another user may not look.
	self, err := os.Executable()
	must(t, err)
	copied := filepath.Join(top, "child")
	in, err := os.Open(self)
	must(t, err)
	defer in.Close()
	out, err := os.OpenFile(copied, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, err)
	must(t, out.Close())
	run := exec.Command(copied, childFlag, filepath.Join(top, "w"))
	run.Dir = "/"
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	said, err := run.CombinedOutput()
	must(t, os.Remove(copied))
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
	if d := cmp.Diff(before, snapshot(t, top)); d != "" {
		t.Error(d)
	}
}

// child tries what another user may not do and says what went wrong.
func child(root string) int {
	w, err := workspace.Open(root, workspace.Options{Clock: still{}})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer w.Close()
	bad := 0
	check := func(what string, err error) {
		if code(err) != tool.CodeIO || !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), root) {
			fmt.Printf("%s: %v\n", what, err)
			bad = 1
		}
	}
	write := func(arg, expect string) error {
		path, err := w.Resolve(arg)
		if err != nil {
			return err
		}
		_, err = w.Write(context.Background(), path, []byte("new"), expect, func(context.Context) error {
			fmt.Println("the effect was marked:", arg)
			bad = 1
			return nil
		})
		return err
	}
	read := func(arg string) error {
		path, err := w.Resolve(arg)
		if err != nil {
			return err
		}
		f, _, err := w.Open(context.Background(), path)
		if err == nil {
			_ = f.Close()
		}
		return err
	}
	check("replace in a folder that may not be written", write("shut/a", hash("old")))
	check("create in a folder that may not be written", write("shut/x/y", ""))
	check("replace a file that may not be written", write("open/locked", hash("old")))
	check("replace a file that may not be read", write("open/secret", hash("old")))
	check("create where nobody may look", write("closed/x", ""))
	check("read what may not be read", read("open/secret"))
	check("read where nobody may look", read("closed/a"))
	return bad
}
