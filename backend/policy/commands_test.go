package policy

import (
	"slices"
	"strings"
	"testing"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// under judges a command line under a preset.
func under(p session.Preset, f Facts) Outcome {
	f.Rules.Preset = p
	return Decide(f)
}

// spec: CS-9, KH-43, VS-16
func TestTheSentencesNameTheCommandThatDecided(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts Facts
		words string
	}{
		{"restricted", commanding(plainCommand("ls"), found(program.Finding{Effect: program.Privileged, Restricted: true, Words: "acts with raised rights"}, "sudo", "rm", "x")), "`sudo rm x` acts with raised rights."},
		{"privileged", commanding(plainCommand("ls"), found(program.Finding{Effect: program.Privileged, Words: "makes a file system"}, "mkfs", "a")), "`mkfs a` makes a file system."},
		{"outside", commanding(plainCommand("ls"), using(tool.AccessRead, "cat", "/etc/hosts")), "`cat /etc/hosts` reads /etc/hosts, which lies outside the workspace."},
		{"secret", commanding(using(tool.AccessRead, "cat", "/w/.env")), "`cat /w/.env` reads .env, which holds passwords or tokens."},
		{"hook", commanding(using(tool.AccessWrite, "touch", "/w/.git/hooks/x")), "`touch /w/.git/hooks/x` writes .git/hooks/x, which is code that git runs by itself."},
		{"root", removing("/"), "`rm -rf /` removes /, which would be gone with all that lies below it."},
		{"metadata", commanding(talking("curl", "http://[::ffff:169.254.169.254]:80/x")), "`curl http://[::ffff:169.254.169.254]:80/x` reaches http://[::ffff:169.254.169.254]:80/x, which is an address"},
		{"signing in", commanding(signing("/w/k.pem")), "`ssh -i /w/k.pem example.com` signs in with k.pem, which holds private keys."},
		{"leaving", sending("/w/.env"), "`cat /w/.env` reads .env, which holds secrets: they would leave this machine with the call."},
		{"network, Full", commanding(plainCommand("ls"), talking("curl", "a.example")), "`curl a.example` reaches another machine."},
		{"program, Full", commanding(found(program.Finding{Effect: program.Runs, Words: "runs the program after -exec"}, "find", "-exec")), "`find -exec` runs the program after -exec."},
		{"dynamic", func() Facts {
			f := commanding(plainCommand("ls"))
			f.Reading.Dynamic, f.Reading.Why = true, "$x is not known"
			return f
		}(), "Nobody can tell beforehand what the command line would do: $x is not known."},
		{"unread", func() Facts {
			f := commanding(plainCommand("ls"))
			f.Reading = &shellcmd.Reading{Why: "a quote is not closed"}
			return f
		}(), "The command could not be read as the shell would read it: a quote is not closed."},
	} {
		out := under(session.PresetFull, c.facts)
		if out.Decision.Verdict == tool.VerdictAllow {
			t.Errorf("%s: allowed", c.name)
		}
		if !slices.ContainsFunc(out.Decision.Chain, func(l tool.Link) bool { return strings.Contains(l.Reason, c.words) }) {
			t.Errorf("%s: %q is not in %+v", c.name, c.words, out.Decision.Chain)
		}
	}
}

// spec: CS-2, CS-3, RS-1
func TestFullRunsWhatStaysInsideAndNothingElse(t *testing.T) {
	for name, f := range map[string]Facts{
		"nothing named":     commanding(plainCommand("ls")),
		"a file inside":     commanding(using(tool.AccessWrite, "touch", "/w/a")),
		"the null device":   commanding(using(tool.AccessWrite, "tee", "/dev/null")),
		"a change of git":   commanding(found(program.Finding{Effect: program.ChangesGit, Words: "commits"}, "git", "commit")),
		"a script inside":   commanding(found(program.Finding{Effect: program.Obeys, Words: "does what a file says"}, "python3", "x.py")),
		"a write by option": commanding(found(program.Finding{Effect: program.Writes, Words: "writes a"}, "sort", "-o", "a")),
	} {
		if out := under(session.PresetFull, f); out.Decision.Verdict != tool.VerdictAllow {
			t.Errorf("%s: %+v", name, out.Decision)
		}
		for _, p := range []session.Preset{session.PresetDefault, session.PresetEdit, session.PresetReview, session.PresetAudit} {
			if out := under(p, f); out.Decision.Verdict == tool.VerdictAllow {
				t.Errorf("%s in %s: %+v", name, p, out.Decision)
			}
		}
	}
	inside := func(change func(*Facts)) Facts {
		f := commanding(using(tool.AccessWrite, "touch", "/w/a"))
		change(&f)
		return f
	}
	for name, f := range map[string]Facts{
		"runs":              commanding(found(program.Finding{Effect: program.Runs, Words: "runs a"}, "find")),
		"reaches":           commanding(found(program.Finding{Effect: program.Reaches, Words: "reaches a"}, "git", "push")),
		"names a host":      commanding(shellcmd.Command{Shown: "x", Of: -1, Hosts: []string{"a.example"}}),
		"changes":           commanding(found(program.Finding{Effect: program.Changes, Words: "changes a"}, "hostname")),
		"an unknown effect": commanding(found(program.Finding{Effect: "sings", Words: "sings"}, "hostname")),
		"not looked at":     inside(func(f *Facts) { f.Target.Touches = nil }),
		"unknown path":      inside(func(f *Facts) { f.Reading.Commands[0].Uses[0].Path = "" }),
		"a dynamic command": inside(func(f *Facts) { f.Reading.Commands[0].Dynamic = true }),
		"from a server":     inside(func(f *Facts) { f.Source = tool.SourceMCP }),
		"hidden":            inside(func(f *Facts) { f.Reading.Hidden = []shellcmd.Hidden{{Name: "zero width space"}} }),
		"with input":        inside(func(f *Facts) { f.Target.Input = "y" }),
		"with an address":   inside(func(f *Facts) { f.Target.URL = "https://a.example/" }),
	} {
		if out := under(session.PresetFull, f); out.Decision.Verdict == tool.VerdictAllow {
			t.Errorf("%s: %+v", name, out.Decision)
		}
	}
}

// spec: KH-43
func TestCapabilitiesOfCommands(t *testing.T) {
	unknown := using(tool.AccessWrite, "rm", "x")
	unknown.Uses[0].Path = ""
	for name, c := range map[string]struct {
		facts Facts
		want  []tool.Capability
	}{
		"nothing":  {commanding(plainCommand("ls")), []tool.Capability{tool.CapProcessExecute}},
		"inside":   {commanding(using(tool.AccessRead, "cat", "/w/a")), []tool.Capability{tool.CapProcessExecute, tool.CapFileRead}},
		"outside":  {commanding(using(tool.AccessWrite, "touch", "/etc/a")), []tool.Capability{tool.CapProcessExecute, tool.CapFileWriteOutside}},
		"unknown":  {commanding(unknown), []tool.Capability{tool.CapProcessExecute, tool.CapFileWriteOutside}},
		"a device": {commanding(using(tool.AccessWrite, "tee", "/dev/null")), []tool.Capability{tool.CapProcessExecute}},
		"git push": {
			commanding(found(program.Finding{Effect: program.ChangesGit}, "git", "push"), talking("git", "push", "a.example")),
			[]tool.Capability{tool.CapProcessExecute, tool.CapNetworkAccess, tool.CapGitModify},
		},
	} {
		if got := Decide(c.facts).Decision.Capabilities; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A pattern stands for all of a folder or for some of it, and only the first is the folder.
func TestAPatternIsItsFolderWhenItMatchesAll(t *testing.T) {
	for word, all := range map[string]bool{
		"/*": true, "/home/u/*": true, "/home/u/.[!.]*": true, "/home/u/.??*": true, "/home/u/*/*/": true,
		"/home/u/*.log": false, "/home/u/**/x": false, "/home/u/a*": false, "/home/u/[ab]c/*": false,
	} {
		c := shellcmd.Command{Words: []program.Word{{Text: "rm"}, {Text: word, Glob: true}}}
		u := shellcmd.Use{Path: "/home/u", Access: tool.AccessWrite, Tree: true, Removes: true, Word: 1}
		if got := TouchOf(0, &c, &u, tool.Path{Real: u.Path, Abs: u.Path}).Removes; got != all {
			t.Errorf("%s: %v", word, got)
		}
	}
}

// What find takes away is some of a folder where every file has to have a name that was told
// before; the files of that name are looked at one by one.
func TestFindTakesSomeOfAFolderWhereItNamesWhatItTakes(t *testing.T) {
	for text, some := range map[string]bool{
		"find . -name x -delete": true, "find . -name '*.pyc' -delete": true, "find . -type f -name a -delete": true, "find . '(' -name a -o -name b ')' -delete": true,
		"find . -name a -delete -o -name b": true, "find -name '*.o' -exec rm {} +": true,
		"find . -delete": false, "find . -delete -name x": false, "find . -name '*' -delete": false, "find . -name '*.*' -delete": false, "find . -name x -o -delete": false,
		"find . ! -name x -delete": false, "find . -not '(' -name x ')' -delete": false, "find . -name x , -delete": false, "find . -path -name -delete": false, "find . -type f -delete": false,
		"find . -exec rm {} + -name x": false, "find . -name '[a-z]*' -delete": false, "find . '(' -name a -o -type f ')' -delete": false,
	} {
		f := lineFacts(text)
		removes, tree := false, false
		for i := range f.Target.Touches {
			touch := &f.Target.Touches[i]
			tree = tree || touch.Tree && touch.Access == tool.AccessWrite
			removes = removes || touch.Tree && touch.Removes
		}
		if !tree || removes == some {
			t.Errorf("%s: all of the folder %v, a tree %v", text, removes, tree)
		}
		if out := Decide(f); out.Restricted == some || some && strings.Contains(text, "-delete") && out.Risk != tool.RiskHigh {
			t.Errorf("%s: restricted %v, %s", text, out.Restricted, out.Risk)
		}
	}
}

// However much a command line holds, its chain stays short and its words on their line.
func TestALongCommandLineMakesNoLongChain(t *testing.T) {
	var all []shellcmd.Command
	for range 500 {
		all = append(all, found(program.Finding{Effect: program.Privileged, Words: "acts\x1b[2K\non the machine " + strings.Repeat("é", 4000)}, "mkfs", strings.Repeat("é", 4000)+"\u202e"))
	}
	all = append(all, found(program.Finding{Effect: program.Privileged, Restricted: true, Words: "is the last"}, "sudo"))
	out := Decide(commanding(all...))
	if len(out.Decision.Chain) > 10 || !out.Restricted {
		t.Fatalf("%d links, restricted %v", len(out.Decision.Chain), out.Restricted)
	}
	for _, l := range out.Decision.Chain {
		if strings.ContainsAny(l.Reason, "\x1b\n\u202e") || len(l.Reason) > 700 {
			t.Errorf("%q", l.Reason)
		}
	}
}
