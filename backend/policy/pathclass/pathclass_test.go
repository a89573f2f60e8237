package pathclass

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// spec: VS-27, VS-16
func TestEveryRowMatchesItsExampleAndSparesItsNearMiss(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range Rules() {
		if r.Match == "" || r.Miss == "" || r.Words == "" || seen[r.ID] {
			t.Errorf("row %q is incomplete or twice there", r.ID)
		}
		seen[r.ID] = true
	}
}

func TestLoadRefusesARowThatLies(t *testing.T) {
	kept := rules
	t.Cleanup(func() { rules, index = kept, newTable(kept) })
	for name, row := range map[string]Rule{
		"example":   secret("a", ".a", "", "/w/b", "/w/c"),
		"near miss": secret("a", ".a", "", "/w/.a", "/x/.a"),
	} {
		rules = []Rule{row}
		index = newTable(rules)
		if err := Load(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spec: RS-3, RS-4, CS-10, VS-16
func TestClassify(t *testing.T) {
	const home = "/home/u/.countersign"
	for _, c := range []struct {
		path        string
		kind        Kind
		read, write Hold
	}{
		{"/w/main.go", Ordinary, Free, Free},
		{"/w/README.md", Ordinary, Free, Free},
		{"/w/keys/a.txt", Ordinary, Free, Free},
		{"/w/.envrc", Credential, Restricted, Restricted},
		{"/w/.ENV", Credential, Restricted, Restricted},
		{"/w/.env.local", Credential, Restricted, Restricted},
		{"/w/.env.sample", Ordinary, Free, Free},
		{"/w/.env.template", Ordinary, Free, Free},
		{"/w/.env.example.local", Credential, Restricted, Restricted},
		{"/w/.env/lib/a.py", Ordinary, Free, Free},
		{"/w/.env.", Credential, Restricted, Restricted},
		{"/w/.env ", Credential, Restricted, Restricted},
		{"/w/.env::$DATA", Credential, Restricted, Restricted},
		{"/w/.git::$INDEX_ALLOCATION/config", GitControl, Restricted, Blocked},
		{"/w/.GIT/Config", GitControl, Restricted, Blocked},
		{"/w/.git./hooks/pre-commit", GitControl, Free, Blocked},
		{"/w/git~1/hooks/pre-commit", GitControl, Free, Blocked},
		{"/w/GITCON~1", Credential, Restricted, Restricted},
		{"/w/env~1.pro", Credential, Restricted, Restricted},
		{"/w/ENVRC~1", Credential, Restricted, Restricted},
		{"/w/id_rsa~1", Credential, Restricted, Restricted},
		{"/w/SECRET~1.JSO", Credential, Restricted, Restricted},
		{"/w/REPORT~1.DOC", Ordinary, Free, Free},
		{"/w/main.go~", Ordinary, Free, Free},
		{"/w/.g\u200cit/config", GitControl, Restricted, Blocked},
		{"/w/.\u017fsh/known_hosts", Credential, Restricted, Restricted},
		{"/w/.\u212aube/config", Credential, Restricted, Restricted},
		{"/w/.\u00dfh/id", Credential, Restricted, Restricted},
		{"/w/a/../.git/./hooks//x", GitControl, Free, Blocked},
		{"/w/.git/modules/sub/hooks/x", GitControl, Free, Blocked},
		{"/w/.git", Protected, Free, Restricted},
		{"/w/.git/HEAD", Protected, Free, Restricted},
		{"/w/.gitignore", Ordinary, Free, Free},
		{"/w/.countersign/tools/a/tools.json", Protected, Free, Restricted},
		{"/w/.countersign/data/tools/a/db", ToolData, Free, Free},
		{"/w/.countersign/data/tools/../../tools/a/tools.json", Protected, Free, Restricted},
		{"/w/.crystal/data/tools/a/db", ToolData, Free, Free},
		{"/home/u/.crystal/tools/a/tools.json", Protected, Free, Restricted},
		{"/home/u/.crystal/credentials.json", Credential, Restricted, Restricted},
		{"/home/u/.bashrc", Protected, Free, Restricted},
		{"/etc/hosts", Protected, Free, Restricted},
		{"/etc/shadow", Credential, Restricted, Restricted},
		{"/tmp/a", Ordinary, Free, Free},
		{"/w/id_rsa.pub", Ordinary, Free, Free},
		{"/w/id_rsa.pub.bak", Credential, Restricted, Restricted},
		{home, OwnHome, Blocked, Blocked},
		{home + "/config.json", OwnHome, Blocked, Blocked},
		{"/home/u/.Countersign/CONFIG.json", OwnHome, Blocked, Blocked},
		{home + "/countersign.db", OwnHome, Blocked, Blocked},
		{home + "/output/s/read-1.txt", OwnHome, Free, Blocked},
		{home + "/output/../config.json", OwnHome, Blocked, Blocked},
		{home + "/data/tools/a/db", ToolData, Free, Free},
		{home + "/data/other", OwnHome, Blocked, Blocked},
		{"/home/u/COUNTE~1/config.json", OwnHome, Blocked, Blocked},
		{home + "2/config.json", Ordinary, Free, Free},
	} {
		f := Classify(Place{System: Linux, Lexical: c.path, Real: c.path, Workspace: "/w", OwnHome: home})
		if f.Kind() != c.kind || f.Read.Hold != c.read || f.Write.Hold != c.write {
			t.Errorf("%q = %s, read %d, write %d; want %s, %d, %d", c.path, f.Kind(), f.Read.Hold, f.Write.Hold, c.kind, c.read, c.write)
		}
	}
}

// spec: RS-4
func TestTheStricterOfLinkAndTargetWins(t *testing.T) {
	for _, c := range []Place{
		{Lexical: "/w/notes.txt", Real: "/home/u/.aws/credentials"},
		{Lexical: "/home/u/.aws/credentials", Real: "/w/notes.txt"},
	} {
		if f := Classify(c); f.Read.Hold != Restricted {
			t.Errorf("%+v: %+v", c, f.Read)
		}
	}
	f := Classify(Place{Lexical: "/w/.git/HEAD", Real: "/w/.env"})
	if f.Read.Kind != Credential || f.Write.Hold != Restricted {
		t.Errorf("%+v", f)
	}
}

func TestWindowsPathsAreJudgedByWindowsRules(t *testing.T) {
	const home = `C:\Users\u\.countersign`
	for path, want := range map[string]Hold{
		`C:\Users\u\.ssh\id_rsa`:                  Restricted,
		`\\?\C:\Users\u\.ssh\known_hosts`:         Restricted,
		`c:/users/u/.countersign/config.json`:     Blocked,
		`\\?\C:\Users\u\.COUNTERSIGN\config.json`: Blocked,
		`C:\Users\u\COUNTE~1\config.json`:         Blocked,
		`C:\Users\u\.countersign.\config.json`:    Blocked,
		`C:\Windows\System32\drivers\etc\hosts`:   Restricted,
		`C:\w\a.txt`:                              Free,
	} {
		f := Classify(Place{System: Windows, Lexical: path, Workspace: `C:\w`, OwnHome: home})
		if f.Write.Hold != want {
			t.Errorf("%s: %+v, want %d", path, f.Write, want)
		}
	}
	if f := Classify(Place{System: Linux, Lexical: `/w/a\.env`}); f.Read.Hold != Free {
		t.Errorf("a backslash is a letter on Linux: %+v", f)
	}
	if f := Classify(Place{Lexical: `C:\a\.env`}); f.Read.Hold != Restricted {
		t.Errorf("an unnamed system gets both separators: %+v", f)
	}
}

func TestAWorkspaceInsideAFolderOfTheMachineIsOrdinary(t *testing.T) {
	at := func(workspace, path string) Hold {
		return Classify(Place{System: Linux, Lexical: path, Workspace: workspace}).Write.Hold
	}
	if at("/usr/src/app", "/usr/src/app/a.go") != Free || at("/usr/src/app", "/usr/bin/env") != Restricted {
		t.Error("only what lies outside the workspace belongs to the machine")
	}
	if at("/", "/etc/hosts") != Restricted {
		t.Error("a workspace that holds the machine's folder does not open it")
	}
}

// spec: RS-3
func TestAnotherSpellingIsNeverLooser(t *testing.T) {
	paths := []string{"/w/.env", "/w/.git/hooks/x", "/home/u/.ssh/id", "/w/.git/config", "/home/u/.countersign/config.json"}
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom(paths).Draw(t, "path")
		place := Place{System: Linux, Lexical: path, Workspace: "/w", OwnHome: "/home/u/.countersign"}
		want := Classify(place)
		names := strings.Split(path, "/")
		i := rapid.IntRange(1, len(names)-1).Draw(t, "name")
		names[i] = rapid.SampledFrom([]func(string) string{
			strings.ToUpper,
			func(s string) string { return s + "." },
			func(s string) string { return s + " . ." },
			func(s string) string { return s + "::$DATA" },
			func(s string) string { return "a/../" + s },
			func(s string) string { return "./" + s },
			func(s string) string { return s[:1] + "\u200d" + s[1:] },
		}).Draw(t, "spelling")(names[i])
		place.Lexical = strings.Join(names, "/")
		got := Classify(place)
		if got.Read.Hold < want.Read.Hold || got.Write.Hold < want.Write.Hold {
			t.Fatalf("%q: %+v is looser than %+v", place.Lexical, got, want)
		}
	})
}

// spec: RS-3
func TestASecondTextNeverLoosens(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", ".env", ".git", "config", "hooks", ".ssh", "git~1", "..", "x.pem", "output", "data", "tools", ".countersign", "é"})
	path := rapid.Custom(func(t *rapid.T) string {
		return "/" + strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "names"), "/")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := path.Draw(t, "a"), path.Draw(t, "b")
		one := Classify(Place{Lexical: a, OwnHome: "/a/.countersign"})
		two := Classify(Place{Lexical: a, Real: b, OwnHome: "/a/.countersign"})
		if two.Read.Hold < one.Read.Hold || two.Write.Hold < one.Write.Hold {
			t.Fatalf("%q with %q: %+v < %+v", a, b, two, one)
		}
	})
}

func TestManyShortNamesAreNotTriedForEver(t *testing.T) {
	path := "/w/" + strings.Join(slices.Repeat([]string{"git~1"}, 500), "/")
	if f := Classify(Place{System: Windows, Lexical: path}); f.Read.Hold != Restricted || f.Write.Hold != Restricted {
		t.Errorf("%+v", f)
	}
}

func TestContain(t *testing.T) {
	for _, c := range []struct {
		sys       System
		workspace string
		arg       string
		fold      bool
		want      Containment
	}{
		{Linux, "/w", "a.txt", false, Inside},
		{Linux, "/w", "/W/a.txt", false, Outside},
		{Darwin, "/w", "/W/a.txt", true, Inside},
		{Darwin, "/wß", "/wss/a", true, Outside},
		{Linux, "/", "/etc/passwd", false, Inside},
		{Linux, "/w/", "../w/a", false, Inside},
		{Linux, "/w", "a\x00b", false, Refused},
		{Linux, "/w", strings.Repeat("a", 256), false, Refused},
		{Linux, "/w", strings.Repeat("a", 256) + "/../b", false, Refused},
		{Linux, "/w", strings.Repeat("a", 255), false, Inside},
		{Windows, `C:\w`, `a\b.txt`, false, Inside},
		{Windows, `C:\w`, `c:/W/b.txt`, false, Inside},
		{Windows, `C:\w`, `..\x`, false, Outside},
		{Windows, `C:\w`, `D:\w\x`, false, Outside},
		{Windows, `C:\w`, `\w\x`, false, Inside},
		{Windows, `C:\`, `x`, false, Inside},
		{Windows, `C:\w`, `D:x`, false, Refused},
		{Windows, `C:\w`, `\\s\h\x`, false, Outside},
		{Windows, `\\s\h`, `x`, false, Inside},
		{Windows, `\\s\h`, `\\S\H\x`, false, Inside},
		{Windows, `\\s\h`, `\\s\h2\x`, false, Outside},
		{Windows, `\\s\h`, `..\h2\x`, false, Outside},
		{Windows, `C:\w`, `sub\com1.log`, false, Refused},
		{Windows, `C:\w`, `sub\COM¹`, false, Refused},
		{Windows, `C:\w`, `comics\a`, false, Inside},
		{Windows, `C:\w`, `a\b.\c`, false, Refused},
		{Windows, `C:\w`, `a?`, false, Refused},
		{"plan9", "/w", "a", false, Refused},
	} {
		if got := Contain(c.sys, c.workspace, c.arg, c.fold); got != c.want {
			t.Errorf("Contain(%s, %s, %.40q) = %s, want %s", c.sys, c.workspace, c.arg, got, c.want)
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	p := Place{
		System: Linux, Lexical: "/home/user/src/project/internal/dispatch/retry_policy.go",
		Real: "/home/user/src/project/internal/dispatch/retry_policy.go", Workspace: "/home/user/src/project", OwnHome: "/home/user/.countersign",
	}
	b.ReportAllocs()
	for b.Loop() {
		if Classify(p).Read.Hold != Free {
			b.Fatal("held")
		}
	}
}

func TestTheQuickReaderReadsWhatTheFullOneReads(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "README.md", ".env", "..", ".", "", "b.", "c ", "d:e", "f~1", "g\\h", "é", "x y"})
	rapid.Check(t, func(t *rapid.T) {
		path := "/" + strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "names"), "/")
		var text [bufferText]byte
		var names [bufferNames]span
		n, ok := readPlain(&text, &names, path)
		full := read(reading{}, Linux, path)
		if !ok {
			return
		}
		if string(text[:len(path)]) != string(full.text) || !slices.Equal(names[:n], full.names) || full.drops || full.short {
			t.Fatalf("%q: quick %q %v, full %q %v", path, text[:len(path)], names[:n], full.text, full.names)
		}
	})
}
