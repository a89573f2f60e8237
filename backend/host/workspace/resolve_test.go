package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/host/workspace"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestResolveFollowsWhereAPathLeads(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/d/a.txt"), "a")
	put(t, p.at("outside/o.txt"), "o")
	mkdir(t, p.top, "outside/deep")
	for link, to := range map[string]string{
		"w/in": "d/a.txt", "w/abs": p.at("w/d/a.txt"), "w/dir": "d", "w/out": p.at("outside"),
		"w/up": "../outside/deep", "w/gone": "d/new.txt", "w/gone-out": p.at("outside/new.txt"),
		"w/proc": "/proc/self/root", "w/fd": "/proc/self/fd/0", "outside/back": p.at("w/d"),
		"w/own": p.at("home/countersign.db"), "w/kept": p.at("home/output/s-1"),
	} {
		must(t, os.Symlink(to, p.at(link)))
	}
	put(t, p.at("home/output/s-1/read-1.txt"), "kept")

	for _, row := range []struct {
		arg, real, rel string
		zone           tool.Zone
		kind           tool.FileKind
		linked         bool
	}{
		{"d/a.txt", "w/d/a.txt", "d/a.txt", tool.ZoneWorkspace, tool.KindFile, false},
		{".", "w", ".", tool.ZoneWorkspace, tool.KindDirectory, false},
		{"./d//a.txt", "w/d/a.txt", "d/a.txt", tool.ZoneWorkspace, tool.KindFile, false},
		{"new/../b.txt", "w/b.txt", "b.txt", tool.ZoneWorkspace, tool.KindAbsent, false},
		{"x/y/z", "w/x/y/z", "x/y/z", tool.ZoneWorkspace, tool.KindAbsent, false},
		{"d/a.txt/x", "w/d/a.txt/x", "d/a.txt/x", tool.ZoneWorkspace, tool.KindAbsent, false},
		{"in", "w/d/a.txt", "d/a.txt", tool.ZoneWorkspace, tool.KindFile, true},
		{"abs", "w/d/a.txt", "d/a.txt", tool.ZoneWorkspace, tool.KindFile, true},
		{"dir/a.txt", "w/d/a.txt", "d/a.txt", tool.ZoneWorkspace, tool.KindFile, true},
		{"gone", "w/d/new.txt", "d/new.txt", tool.ZoneWorkspace, tool.KindAbsent, true},
		{"../outside/back/a.txt", "w/d/a.txt", "d/a.txt", tool.ZoneWorkspace, tool.KindFile, true},
		{"..", "", "", tool.ZoneOutside, tool.KindDirectory, false},
		{"../w2/a.txt", "w2/a.txt", "", tool.ZoneOutside, tool.KindAbsent, false},
		{"out/o.txt", "outside/o.txt", "", tool.ZoneOutside, tool.KindFile, true},
		{"out/x/new.txt", "outside/x/new.txt", "", tool.ZoneOutside, tool.KindAbsent, true},
		{"gone-out", "outside/new.txt", "", tool.ZoneOutside, tool.KindAbsent, true},
		// The link is followed before the step up is taken.
		{"up/../o.txt", "outside/o.txt", "", tool.ZoneOutside, tool.KindFile, true},
		{"own", "home/countersign.db", "", tool.ZoneOwnHome, tool.KindAbsent, true},
		{"../home", "home", "", tool.ZoneOwnHome, tool.KindDirectory, false},
		{"kept/read-1.txt", "home/output/s-1/read-1.txt", "", tool.ZoneOutput, tool.KindFile, true},
		{"../home/output/s-1", "home/output/s-1", "", tool.ZoneOutput, tool.KindDirectory, false},
	} {
		t.Run(row.arg, func(t *testing.T) {
			want := tool.Path{
				Arg: row.arg, Abs: filepath.Join(p.at("w"), row.arg), Real: filepath.Join(p.top, row.real),
				Rel: row.rel, Zone: row.zone, Kind: row.kind, Linked: row.linked,
			}
			if d := cmp.Diff(want, p.resolve(t, row.arg)); d != "" {
				t.Error(d)
			}
		})
	}
	for arg, zone := range map[string]tool.Zone{"proc/etc/passwd": tool.ZoneOutside, "fd": tool.ZoneOutside, "/": tool.ZoneOutside, "///etc/passwd": tool.ZoneOutside} {
		if got := p.resolve(t, arg); got.Zone != zone || got.Rel != "" {
			t.Errorf("%s: %+v", arg, got)
		}
	}
	if got := p.resolve(t, "proc/etc/passwd"); got.Real != "/etc/passwd" {
		t.Errorf("a link through /proc leads to %s", got.Real)
	}
}

func TestResolveNamesKinds(t *testing.T) {
	p := setup(t)
	must(t, syscall.Mkfifo(p.at("w/fifo"), 0o644))
	listen, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(t, err)
	defer syscall.Close(listen)
	must(t, os.Symlink(p.at("w"), "/tmp/"+filepath.Base(p.top)))
	defer os.Remove("/tmp/" + filepath.Base(p.top))
	must(t, syscall.Bind(listen, &syscall.SockaddrUnix{Name: "/tmp/" + filepath.Base(p.top) + "/socket"}))
	must(t, syscall.Mknod(p.at("w/null"), syscall.S_IFCHR|0o666, 1<<8|3))
	for arg, kind := range map[string]tool.FileKind{
		"fifo": tool.KindFIFO, "socket": tool.KindSocket, "null": tool.KindDevice, "/dev/null": tool.KindDevice,
	} {
		path := p.resolve(t, arg)
		if path.Kind != kind {
			t.Errorf("%s is a %s", arg, path.Kind)
		}
		if _, _, err := p.Open(t.Context(), path); code(err) != tool.CodeNotAFile {
			t.Errorf("%s opened: %v", arg, err)
		}
		if _, err := p.Write(t.Context(), path, []byte("x"), "", nil); code(err) != tool.CodeNotAFile {
			t.Errorf("%s written: %v", arg, err)
		}
		if _, err := p.Entries(t.Context(), path); code(err) != tool.CodeNotDirectory {
			t.Errorf("%s listed: %v", arg, err)
		}
	}
}

// spec: VS-28
func TestResolveRefusesWhatCannotBeAPath(t *testing.T) {
	p := setup(t)
	secret := "s3cret-name"
	long := strings.Repeat("x", 256)
	for name, arg := range map[string]string{
		"empty": "", "NUL": secret + "\x00", "4,097 bytes": strings.Repeat("a/", 2048) + "b",
		"a part of 256 bytes": secret + "/" + long, "ten thousand parts": strings.Repeat("a/", 10_000) + "a",
	} {
		_, err := p.Resolve(arg)
		if code(err) != tool.CodeArgumentsInvalid {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "xxx")) {
			t.Errorf("%s: the text is in the error: %v", name, err)
		}
	}
	for name, arg := range map[string]string{"4,096 bytes": strings.Repeat("a/", 2047) + "ab", "a part of 255 bytes": long[1:]} {
		if err := workspace.Check(arg, "linux"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestResolveGivesUpOnLinksAsTheKernelDoes(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/end"), "x")
	last := "end"
	for i := 41; i >= 1; i-- {
		name := "l" + string(rune('a'+i/10)) + string(rune('a'+i%10))
		must(t, os.Symlink(last, p.at("w/"+name)))
		last = name
	}
	if _, err := p.Resolve(last); code(err) != tool.CodeArgumentsInvalid {
		t.Errorf("41 links: %v", err)
	}
	to, err := os.Readlink(p.at("w/" + last))
	must(t, err)
	if got := p.resolve(t, to); got.Rel != "end" {
		t.Errorf("40 links lead to %s", got.Real)
	}
	must(t, os.Symlink("loop", p.at("w/loop")))
	if _, err := p.Resolve("loop"); code(err) != tool.CodeArgumentsInvalid {
		t.Errorf("a loop: %v", err)
	}
}

func TestNothingInANameMeansAnything(t *testing.T) {
	p := setup(t)
	for _, name := range []string{"~", "~/.ssh/id_rsa", "$HOME/x", "%2e%2e/a", "．．/a", "‥/a", " ", " a ", "....", "a\x1b[2Kb", "*", "C:x", `\\server\share`, `..\a`, "a.txt::$DATA"} {
		got := p.resolve(t, name)
		if got.Zone != tool.ZoneWorkspace || got.Real != p.at("w")+"/"+name {
			t.Errorf("%q leads to %q", name, got.Real)
		}
	}
}

// Our home lies in somebody's home folder, which may be a workspace too.
func TestOurHomeIsNeverPartOfAWorkspace(t *testing.T) {
	top := t.TempDir()
	mkdir(t, top, ".countersign/output/s", "src")
	w, err := workspace.Open(top, workspace.Options{Home: filepath.Join(top, ".countersign"), OutputDir: filepath.Join(top, ".countersign", "output"), Clock: still{}})
	must(t, err)
	defer w.Close()
	for arg, zone := range map[string]tool.Zone{
		"src/a": tool.ZoneWorkspace, ".countersign": tool.ZoneOwnHome, ".countersign/config.json": tool.ZoneOwnHome,
		".countersign/output": tool.ZoneOutput, ".countersign/output/s/x": tool.ZoneOutput, ".countersign/output/s/.x": tool.ZoneOwnHome, ".countersign/output/.s/x": tool.ZoneOwnHome,
		".countersign/output/s/x.": tool.ZoneOutput, ".countersign2": tool.ZoneWorkspace,
	} {
		got, err := w.Resolve(arg)
		if err != nil || got.Zone != zone {
			t.Errorf("%s is %s, %v", arg, got.Zone, err)
		}
	}
}

// What is said to be inside is inside, whatever links and steps a path is made of.
func TestInsideIsInside(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/d/e/f.txt"), "x")
	put(t, p.at("outside/o.txt"), "o")
	for link, to := range map[string]string{"w/l": "d/e", "w/m": p.at("outside"), "w/d/n": "../..", "outside/b": p.at("w/d"), "w/s": "l/.."} {
		must(t, os.Symlink(to, p.at(link)))
	}
	part := rapid.SampledFrom([]string{"d", "e", "f.txt", "l", "m", "n", "b", "s", "..", ".", "", "w", "outside", "o.txt", "none"})
	rapid.Check(t, func(rt *rapid.T) {
		arg := strings.Join(rapid.SliceOfN(part, 1, 12).Draw(rt, "parts"), "/")
		if arg == "" {
			return
		}
		got, err := p.Resolve(arg)
		if err != nil {
			rt.Fatal(err)
		}
		inside := got.Real == p.at("w") || strings.HasPrefix(got.Real, p.at("w")+"/")
		if inside != (got.Zone == tool.ZoneWorkspace) || inside == (got.Rel == "") {
			rt.Fatalf("%q: %+v", arg, got)
		}
		// Where the kernel can follow the whole path, it arrives at the same place.
		abs := arg
		if !strings.HasPrefix(arg, "/") {
			abs = p.at("w") + "/" + arg
		}
		if there, err := os.Stat(abs); err == nil {
			here, err := os.Lstat(got.Real)
			if err != nil || !os.SameFile(there, here) {
				rt.Fatalf("%q leads to %q, the kernel goes elsewhere", arg, got.Real)
			}
		}
	})
}

// spec: RS-3
func TestPathsOfAnotherSystemAreCheckedByTheirText(t *testing.T) {
	for _, arg := range []string{
		"C:x", `\\server\share\x`, `\\?\C:\x`, `\\.\PhysicalDrive0`, "/c/Users/x", `\x`, "a.txt::$DATA", "a:b", "nul.txt", "NUL", "com1",
		"Com¹.log", "lpt9", "CONIN$", "aux .txt", "a.txt ", "a.", `d\..\con`, "a|b", "a\nb", `C:\a\b?`,
		"clock$", `a\b:\c`, "x/C:/y", `1:\x`, `?:\x`,
	} {
		if err := workspace.Check(arg, "windows"); err == nil {
			t.Errorf("%q is taken on Windows", arg)
		} else if strings.Contains(err.Error(), arg) {
			t.Errorf("%q is in the error", arg)
		}
		if err := workspace.Check(arg, "linux"); err != nil {
			t.Errorf("%q is refused on Linux: %v", arg, err)
		}
	}
	for _, arg := range []string{`C:\Users\x\a.txt`, "C:/x", `src\a.go`, "src/a.go", "..", `.\a`, "console.txt", "com", "com10", "nulls", ".gitignore"} {
		if err := workspace.Check(arg, "windows"); err != nil {
			t.Errorf("%q: %v", arg, err)
		}
	}
}

// spec: CS-13
func TestTrustRootIsTheNearestRepository(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	mkdir(t, top, "repo/.git", "repo/a/b", "repo/sub/x", "plain/a", "dir/.git/x")
	put(t, filepath.Join(top, "repo/sub/.git"), "gitdir: ../.git/modules/sub\n")
	must(t, os.Symlink(filepath.Join(top, "repo/a"), filepath.Join(top, "link")))
	must(t, os.Symlink(filepath.Join(top, "repo/.git"), filepath.Join(top, "plain/.git")))
	for root, want := range map[string]string{
		"repo": "repo", "repo/a/b": "repo", "repo/sub/x": "repo/sub", "link": "repo",
		// A link called .git makes no repository of somebody else's folder.
		"plain/a": "plain/a",
	} {
		if got := workspace.TrustRoot(filepath.Join(top, root)); got != filepath.Join(top, want) {
			t.Errorf("%s: %s", root, got)
		}
	}
}

func TestOpenRefusesARootThatIsNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s3cret")
	put(t, file, "")
	for _, root := range []string{file, file + "/x", filepath.Join(t.TempDir(), "missing")} {
		w, err := workspace.Open(root, workspace.Options{Clock: still{}})
		if err == nil {
			_ = w.Close()
			t.Errorf("%s was opened", root)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the path is in the error: %v", err)
		}
	}
}
