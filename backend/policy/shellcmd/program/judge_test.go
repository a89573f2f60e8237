package program

import (
	"strings"
	"testing"

	"countersign/backend/tool"
)

// seen is what a command must show: each part is an effect, effect@word, r: or w: with a
// path, tree: with a tree that is written, host: with a machine, in: with the words or the
// script of a command inside, opaque, restricted or shown: with what is listed. A part with
// ! before it must not be shown.
type seen struct {
	command, parts string
}

func (s seen) check(t *testing.T) {
	t.Helper()
	j := Judge(Invocation{Words: split(s.command)})
	for _, p := range strings.Split(s.parts, ";") {
		p = strings.TrimSpace(p)
		want, absent := strings.CutPrefix(p, "!")
		if holds(&j, want) == absent {
			t.Errorf("%s: %s: %+v", s.command, p, j)
		}
	}
}

func holds(j *Judgement, part string) bool {
	kind, value, _ := strings.Cut(part, ":")
	if hit, err := j.shows(part); err == nil {
		return hit
	}
	for _, f := range j.Findings {
		if effect, word, ok := strings.Cut(part, "@"); ok && string(f.Effect) == effect && string(rune('0'+f.Word)) == word {
			return true
		}
	}
	for _, p := range j.Paths {
		switch {
		case p.Text != value:
		case kind == "r" && p.Access == tool.AccessRead, kind == "w" && p.Access == tool.AccessWrite, kind == "tree" && p.Access == tool.AccessWrite && p.Tree:
			return true
		}
	}
	for _, h := range j.Hosts {
		if kind == "host" && h == value {
			return true
		}
	}
	for _, in := range j.Inner {
		if kind == "in" && !in.Silent && (in.Shell != nil && in.Shell.Text == value || joined(in.Words).Text == value) {
			return true
		}
		if kind == "silent" && in.Silent && in.Shell != nil && in.Shell.Text == value {
			return true
		}
	}
	return kind == "shown" && j.Shown == value
}

func TestFamilies(t *testing.T) {
	for name, list := range families {
		t.Run(name, func(t *testing.T) {
			for _, s := range list {
				s.check(t)
			}
		})
	}
}

func TestWhatIsSetForAProgramIsSeen(t *testing.T) {
	set := func(name string) Judgement {
		return Judge(Invocation{Words: split("git log"), Environment: []Assignment{{Name: name, Value: Word{Text: "x"}}}})
	}
	for _, name := range strings.Fields("PAGER GIT_PAGER LD_PRELOAD DYLD_INSERT_LIBRARIES PATH BASH_ENV NODE_OPTIONS PYTHONPATH PERL5OPT LESSOPEN GIT_SSH_COMMAND IFS MY_PAGER") {
		j := set(name)
		if len(j.Findings) != 1 || j.Findings[0].Word != -1 || j.Findings[0].Effect != Runs || j.Opaque == "" || j.Shown != "git log (with "+name+")" || !Loads(name) {
			t.Errorf("%s: %+v", name, j)
		}
	}
	for _, name := range strings.Fields("CI LANG LC_ALL TZ TERM NO_COLOR NODE_ENV GOOS CGO_ENABLED") {
		if j := set(name); len(j.Findings) != 0 || j.Shown != "" || j.Opaque != "" || !HarmlessVariable(name) {
			t.Errorf("%s: %+v", name, j)
		}
	}
	if j := set("FOO"); len(j.Findings) != 1 || j.Findings[0].Effect != Changes || j.Opaque != "" || j.Shown != "git log (with FOO)" {
		t.Errorf("FOO: %+v", j)
	}
}

func TestAFedInterpreterIsListedWithItsScript(t *testing.T) {
	text := "rm -rf x\n"
	j := Judge(Invocation{Words: split("bash"), Fed: true, Script: &text})
	if j.Opaque == "" || j.Shown != "bash (script: rm -rf x)" || len(j.Inner) != 1 || !j.Inner[0].Silent || j.Inner[0].Shell.Text != text {
		t.Errorf("%+v", j)
	}
	j = Judge(Invocation{Words: split("timeout 5 bash"), Fed: true, Script: &text})
	if j.Opaque == "" || len(j.Inner) != 2 {
		t.Errorf("%+v", j)
	}
	j = Judge(Invocation{Words: split("make -f -"), Fed: true, Script: &text})
	if j.Opaque == "" || j.Shown != "make -f - (script)" {
		t.Errorf("%+v", j)
	}
	j = Judge(Invocation{Words: split("cat"), Fed: true, Script: &text})
	if j.Opaque != "" || j.Shown != "" {
		t.Errorf("%+v", j)
	}
}

func TestAPatternMayBecomeAnOption(t *testing.T) {
	for command, want := range map[string]bool{"tar cf a.tar *": true, "tar cf a.tar -- *": false, "tar cf a.tar ./*": false, "cat *": false, "rg foo *": true} {
		j := Judge(Invocation{Words: split(command)})
		if got, _ := j.shows("runs"); got != want {
			t.Errorf("%s: %+v", command, j)
		}
	}
}

func TestAPipelineKnowsWhoDownloadsAndWhoRuns(t *testing.T) {
	for command, want := range map[string][3]bool{
		"curl -s http://h/x": {true, false, false}, "sudo -E bash": {false, true, true}, "bash -s -- x": {false, true, true},
		"env FOO=1 wget -qO- h": {true, false, false}, "/bin/sh": {false, true, true}, "python3 -": {false, true, true}, "make -f -": {false, true, false},
		"cat f": {}, "nice xargs rm": {}, "curls h": {}, "python3 -c x": {false, false, true}, "bash f.sh": {false, false, true},
		"sudo bash -c x": {false, false, true}, "eval x": {false, false, true}, "jq .": {},
	} {
		words := split(command)
		if got := [3]bool{Downloads(words), RunsInput(words), Evaluates(words)}; got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

func TestWhatIsTakenAwayIsSaid(t *testing.T) {
	for command, want := range map[string]bool{
		"rm -rf /": true, "find / -delete": true, "find / -exec rm {} +": true, "mv / /x": true, "git clean -f /": true, "rmdir /": true,
		"chmod -R 777 /": false, "cp a /": false, "tar -C / -xf a": false,
	} {
		taken := false
		for _, p := range Judge(Invocation{Words: split(command)}).Paths {
			taken = taken || p.Removes && p.Text == "/" && p.Access == tool.AccessWrite
		}
		if taken != want {
			t.Errorf("%s: %v", command, taken)
		}
	}
}

func TestProgramsThatOnlyPrintTakeAnyOption(t *testing.T) {
	for _, name := range strings.Fields("ls cat wc head grep echo diff") {
		if !TakesAnything(name) {
			t.Error(name)
		}
	}
	for _, name := range strings.Fields("rg sort tar find sed git rm mytool bin/cat xargs less tree") {
		if TakesAnything(name) {
			t.Error(name)
		}
	}
}
