package dotfile_test

import (
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

	"github.com/google/go-cmp/cmp"

	"countersign/backend/connect"
	"countersign/backend/host/dotfile"
)

const childFlag = "-as-another-user"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == childFlag {
		os.Exit(child(os.Args[2]))
	}
	os.Exit(m.Run())
}

var files dotfile.Files

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func scratch(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return top
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o600))
	must(t, os.Chmod(path, mode))
}

// tree lists what is below a folder, with modes, owners, link targets and content.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		s := info.Sys().(*syscall.Stat_t)
		fmt.Fprintf(&b, "%s %d:%d %s", info.Mode(), s.Uid, s.Gid, rel)
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.WriteString(" " + string(text))
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			b.WriteString(" -> " + to)
		}
		b.WriteString("\n")
		return nil
	}))
	return b.String()
}

func read(t *testing.T, path, within string) connect.File {
	t.Helper()
	f, err := files.Read(path, within)
	must(t, err)
	return f
}

func TestAReplacedFileKeepsItsModeAndOwner(t *testing.T) {
	top := scratch(t)
	path := filepath.Join(top, "config.toml")
	put(t, path, "old", 0o640)
	owner := os.Geteuid()
	if owner == 0 {
		owner = 1234
		must(t, os.Chown(path, owner, owner))
	}
	f := read(t, path, "")
	if d := cmp.Diff(connect.File{Path: path, Real: path, Exists: true, Content: []byte("old")}, f); d != "" {
		t.Error(d)
	}
	before := strings.Replace(tree(t, top), "old", "new", 1)
	must(t, files.Write(f, []byte("new")))
	if d := cmp.Diff(before, tree(t, top)); d != "" {
		t.Error(d)
	}
}

func TestANewFileGetsItsFolders(t *testing.T) {
	top := scratch(t)
	for _, c := range []struct {
		within     string
		mode, dirs fs.FileMode
	}{{"", 0o600, 0o700}, {top, 0o644, 0o755}} {
		path := filepath.Join(top, c.mode.String(), "a b", "mcp.json")
		f := read(t, path, c.within)
		if f.Exists || f.Real != path {
			t.Fatalf("%+v", f)
		}
		must(t, files.Write(f, []byte("{}")))
		info, err := os.Stat(path)
		must(t, err)
		dir, err := os.Stat(filepath.Dir(path))
		must(t, err)
		if info.Mode().Perm() != c.mode || dir.Mode().Perm() != c.dirs {
			t.Errorf("%s in %s", info.Mode(), dir.Mode())
		}
	}
}

func TestALinkIsFollowedAndStays(t *testing.T) {
	top := scratch(t)
	put(t, filepath.Join(top, "dotfiles/codex/config.toml"), "old", 0o600)
	must(t, os.MkdirAll(filepath.Join(top, "home"), 0o755))
	must(t, os.Symlink("../dotfiles/codex", filepath.Join(top, "home/.codex")))
	must(t, os.Symlink("config.toml", filepath.Join(top, "dotfiles/codex/again")))
	path := filepath.Join(top, "home/.codex/again")
	f := read(t, path, "")
	if f.Real != filepath.Join(top, "dotfiles/codex/config.toml") || string(f.Content) != "old" {
		t.Fatalf("%+v", f)
	}
	before := strings.Replace(tree(t, top), "old", "new", 1)
	must(t, files.Write(f, []byte("new")))
	if d := cmp.Diff(before, tree(t, top)); d != "" {
		t.Error(d)
	}
}

func TestALinkToNothingLeadsToWhereTheFileWillBe(t *testing.T) {
	top := scratch(t)
	must(t, os.Symlink("kept/config.toml", filepath.Join(top, "config.toml")))
	f := read(t, filepath.Join(top, "config.toml"), "")
	if f.Exists || f.Real != filepath.Join(top, "kept/config.toml") {
		t.Fatalf("%+v", f)
	}
	must(t, files.Write(f, []byte("new")))
	if text, err := os.ReadFile(filepath.Join(top, "kept/config.toml")); err != nil || string(text) != "new" {
		t.Errorf("%q %v", text, err)
	}
}

func TestALinkOutOfTheFolderIsNotFollowed(t *testing.T) {
	top := scratch(t)
	put(t, filepath.Join(top, "secret"), "{}", 0o600)
	must(t, os.MkdirAll(filepath.Join(top, "w/in"), 0o755))
	must(t, os.Symlink("../secret", filepath.Join(top, "w/a")))
	must(t, os.Symlink(filepath.Join(top, "nowhere"), filepath.Join(top, "w/b")))
	must(t, os.Symlink("..", filepath.Join(top, "w/c")))
	must(t, os.Symlink("in", filepath.Join(top, "w/d")))
	within := filepath.Join(top, "w")
	for _, name := range []string{"a", "b", "c/secret", "c/new"} {
		if _, err := files.Read(filepath.Join(within, name), within); !errors.Is(err, connect.ErrOutside) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f := read(t, filepath.Join(within, "d/new"), within); f.Real != filepath.Join(within, "in/new") {
		t.Errorf("%+v", f)
	}
}

func TestWhatIsNoPlainFileIsRefused(t *testing.T) {
	top := scratch(t)
	must(t, os.Mkdir(filepath.Join(top, "folder"), 0o755))
	must(t, syscall.Mkfifo(filepath.Join(top, "pipe"), 0o600))
	must(t, os.Symlink("loop", filepath.Join(top, "loop")))
	put(t, filepath.Join(top, "file"), "x", 0o600)
	for _, name := range []string{"folder", "pipe", "loop", "file/below", "loop/below"} {
		if _, err := files.Read(filepath.Join(top, name), ""); !errors.Is(err, connect.ErrNoFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAHugeFileIsNotRead(t *testing.T) {
	top := scratch(t)
	put(t, filepath.Join(top, "a"), strings.Repeat("x", 1<<20), 0o600)
	put(t, filepath.Join(top, "b"), strings.Repeat("x", 1<<20+1), 0o600)
	if f := read(t, filepath.Join(top, "a"), ""); len(f.Content) != 1<<20 {
		t.Errorf("%d bytes", len(f.Content))
	}
	if _, err := files.Read(filepath.Join(top, "b"), ""); !errors.Is(err, connect.ErrTooLarge) {
		t.Error(err)
	}
}

func TestAFileThatIsToStayIsNotReplaced(t *testing.T) {
	top := scratch(t)
	put(t, filepath.Join(top, "kept"), "old", 0o444)
	put(t, filepath.Join(top, "shared"), "old", 0o644)
	must(t, os.Link(filepath.Join(top, "shared"), filepath.Join(top, "other")))
	before := tree(t, top)
	for name, want := range map[string]error{"kept": connect.ErrKept, "shared": connect.ErrShared} {
		if err := files.Write(read(t, filepath.Join(top, name), ""), []byte("new")); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := cmp.Diff(before, tree(t, top)); d != "" {
		t.Error(d)
	}
}

func TestAFileThatChangedIsNotReplaced(t *testing.T) {
	for name, meanwhile := range map[string]func(t *testing.T, top string){
		"other words": func(t *testing.T, top string) { put(t, filepath.Join(top, "w/f"), "mine", 0o600) },
		"gone":        func(t *testing.T, top string) { must(t, os.Remove(filepath.Join(top, "w/f"))) },
		"a folder now": func(t *testing.T, top string) {
			must(t, os.Remove(filepath.Join(top, "w/f")))
			must(t, os.Mkdir(filepath.Join(top, "w/f"), 0o755))
		},
		"a link now": func(t *testing.T, top string) {
			must(t, os.Remove(filepath.Join(top, "w/f")))
			must(t, os.Symlink("../elsewhere", filepath.Join(top, "w/f")))
		},
		"the folder is a link now": func(t *testing.T, top string) {
			must(t, os.Rename(filepath.Join(top, "w"), filepath.Join(top, "v")))
			must(t, os.Symlink("v", filepath.Join(top, "w")))
		},
	} {
		top := scratch(t)
		put(t, filepath.Join(top, "w/f"), "old", 0o600)
		put(t, filepath.Join(top, "elsewhere"), "old", 0o600)
		f := read(t, filepath.Join(top, "w/f"), "")
		meanwhile(t, top)
		before := tree(t, top)
		if err := files.Write(f, []byte("new")); !errors.Is(err, connect.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(before, tree(t, top)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	top := scratch(t)
	f := read(t, filepath.Join(top, "new/f"), "")
	put(t, filepath.Join(top, "new/f"), "mine", 0o600)
	if err := files.Write(f, []byte("new")); !errors.Is(err, connect.ErrChanged) {
		t.Errorf("came meanwhile: %v", err)
	}
}

func TestAFullDiskLeavesTheFileAndNothingElse(t *testing.T) {
	top := scratch(t)
	at := filepath.Join(top, "disk")
	must(t, os.Mkdir(at, 0o755))
	must(t, syscall.Mount("none", at, "tmpfs", 0, "size=64k"))
	t.Cleanup(func() { _ = syscall.Unmount(at, syscall.MNT_DETACH) })
	put(t, filepath.Join(at, "f"), "old", 0o600)
	f := read(t, filepath.Join(at, "f"), "")
	g := read(t, filepath.Join(at, "a/b/g"), "")
	before := tree(t, at)
	for _, f := range []connect.File{f, g} {
		if err := files.Write(f, make([]byte, 1<<20)); !errors.Is(err, connect.ErrFull) {
			t.Error(err)
		}
	}
	if d := cmp.Diff(before, tree(t, at)); d != "" {
		t.Error(d)
	}
	must(t, syscall.Mount("none", at, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=64k"))
	if err := files.Write(f, []byte("new")); !errors.Is(err, connect.ErrShut) {
		t.Errorf("a read-only disk: %v", err)
	}
}

func TestWhatAKilledProgramLeftIsNoHindrance(t *testing.T) {
	top := scratch(t)
	path := filepath.Join(top, "f")
	put(t, path, "old", 0o600)
	f := read(t, path, "")
	must(t, files.Write(f, []byte("new")))
	// The name of the file that is written first follows from the content.
	const left = ".countersign-11507a0e2f5e69d5.tmp"
	put(t, filepath.Join(top, left), "half", 0o600)
	put(t, path, "old", 0o600)
	must(t, files.Write(f, []byte("new")))
	if d := cmp.Diff([]string{"f"}, names(t, top)); d != "" {
		t.Error(d)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestTheProgramBesideThisOneIsFound(t *testing.T) {
	top := scratch(t)
	self := filepath.Join(top, "countersign-desktop")
	put(t, self, "", 0o755)
	if got := dotfile.Beside(self, "countersign"); got != "" {
		t.Errorf("%q", got)
	}
	path := filepath.Join(top, "countersign")
	put(t, path, "", 0o644)
	if got := dotfile.Beside(self, "countersign"); got != "" {
		t.Errorf("a file that cannot be started: %q", got)
	}
	must(t, os.Chmod(path, 0o755))
	for _, from := range []string{self, path} {
		if got := dotfile.Beside(from, "countersign"); got != path {
			t.Errorf("from %s: %q", from, got)
		}
	}
}

// As root no folder is closed, so a child under another user tries these.
func TestWithoutTheRightNothingIsRead(t *testing.T) {
	top, err := os.MkdirTemp("/tmp", "countersign-other-user-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	must(t, os.Chmod(top, 0o755))
	put(t, filepath.Join(top, "open/f"), "old", 0o644)
	put(t, filepath.Join(top, "secret/f"), "old", 0o600)
	put(t, filepath.Join(top, "theirs/f"), "old", 0o644)
	must(t, os.Chmod(filepath.Join(top, "theirs"), 0o777))
	put(t, filepath.Join(top, "closed/f"), "old", 0o644)
	must(t, os.Chmod(filepath.Join(top, "closed"), 0o700))
	before := tree(t, top)

	// The test program lies where another user may not look.
	self, err := os.Executable()
	must(t, err)
	in, err := os.Open(self)
	must(t, err)
	defer in.Close()
	copied := filepath.Join(top, "child")
	out, err := os.OpenFile(copied, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, err)
	must(t, out.Close())
	run := exec.Command(copied, childFlag, top)
	run.Dir = "/"
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	said, err := run.CombinedOutput()
	must(t, os.Remove(copied))
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
	if d := cmp.Diff(before, tree(t, top)); d != "" {
		t.Error(d)
	}
}

// child tries what another user may not do and says what went wrong.
func child(top string) int {
	bad := 0
	check := func(what string, err, want error) {
		if !errors.Is(err, want) {
			fmt.Printf("%s: %v\n", what, err)
			bad = 1
		}
	}
	write := func(name string) error {
		f, err := files.Read(filepath.Join(top, name), "")
		if err != nil {
			return fmt.Errorf("read first: %v", err)
		}
		return files.Write(f, []byte("new"))
	}
	_, err := files.Read(filepath.Join(top, "secret/f"), "")
	check("read what may not be read", err, connect.ErrShut)
	_, err = files.Read(filepath.Join(top, "closed/f"), "")
	check("read where nobody may look", err, connect.ErrShut)
	check("replace in a folder that may not be written", write("open/f"), connect.ErrShut)
	check("create in a folder that may not be written", write("open/a/b"), connect.ErrShut)
	check("replace what belongs to somebody else", write("theirs/f"), connect.ErrShared)
	return bad
}
