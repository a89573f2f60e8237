package shellcmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

// brief is a reading in few words: the commands, then "dynamic" if it is.
func brief(text string) string {
	r := Read(text, place)
	if !r.Parsed {
		return "refused"
	}
	out := strings.Join(shownOf(r), " ; ")
	if r.Dynamic {
		out += " ; dynamic"
	}
	return out
}

func TestReadListsTheSimpleCommands(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "# nothing": "", "A=1": "",
		"a; b && c || d": "a ; b ; c ; d", "a | b |& c": "a ; b ; c", "a &\nb": "a ; b", "(a; b); { c; }": "a ; b ; c",
		"if a; then b; elif c; then d; else e; fi": "a ; b ; c ; d ; e", "while a; do b; done": "a ; b", "until a; do b; done": "a ; b",
		"for x in 1 2; do a; done": "a", "for x in 1 2; do a $x; done": "a <dynamic> ; dynamic", "for x in $(a); do b; done": "a ; b ; dynamic",
		"case x in a) b;; c|d) e;& *) f;;& esac": "b ; e ; f", "case $(a) in b) c;; esac": "a ; c ; dynamic", "select x in a; do b; done": "b",
		"[[ -f a && b < c ]] && d": "d", "[[ $(a) ]]": "a ; dynamic", "[[ a -eq b ]]": " ; dynamic", "((1))": "", "((a[$(b)]))": "b ; dynamic",
		"for ((i=0; i<$(a); i++)); do b; done": "a ; b ; dynamic", "time a": "time a ; a", "time -p a b": "time -p a b ; a b", "coproc a b": "coproc a b ; a b",
		"a $(b $(c))": "a <dynamic> ; b <dynamic> ; c ; dynamic", "a `b \\`c\\``": "a <dynamic> ; b <dynamic> ; c ; dynamic", "a <(b) >(c)": "a <dynamic> <dynamic> ; b ; c ; dynamic",
		"a ${x:-$(b)} ${y/$(c)/$(d)}": "a <dynamic> <dynamic> ; b ; c ; d ; dynamic", "a $((1 + $(b)))": "a <dynamic> ; b ; dynamic", "a ${x[$(b)]}": "a <dynamic> ; b ; dynamic",
		"a $x": "a <dynamic> ; dynamic", "a --b=$x": "a --b=<dynamic> ; dynamic", "a \"b $x c\"": "a <dynamic> ; dynamic", "$x a": "<dynamic> a ; dynamic", "a $\"b\"": "a b ; dynamic",
		"x=a && b \"$x\"": "x=a ; b a ; dynamic", "x=a; x=b; c $x": "x=a ; x=b ; c b ; dynamic", "x='a b'; c $x": "x=a b ; c <dynamic> ; dynamic", "x=; a $x": "x= ; a <dynamic> ; dynamic",
		"a && x=b; c $x": "a ; x=b ; c <dynamic> ; dynamic", "(x=a); b $x": "x=a ; b <dynamic> ; dynamic", "x=a; while b; do x=c; done; d $x": "x=a ; b ; x=c ; d <dynamic> ; dynamic",
		"x=$(a); b": "a ; b ; dynamic", "x=$(a); b $x": "x=<dynamic> ; a ; b <dynamic> ; dynamic", "x=a; read x; b $x": "x=a ; read x ; b <dynamic> ; dynamic", "x=a; x+=b; c $x": "x=a ; x+=b ; c ab ; dynamic",
		"f() { a; }; f": "a ; f", "ls() { a; }; ls": "a ; ls ; dynamic", "cd() { a; }": "a", "f() { a $1; }; f b": "a <dynamic> ; f b ; dynamic", "A=1 f b; f() { c; }": "f b (with A) ; c ; dynamic",
		"a <<E\n$(b)\nE": "a ; b ; dynamic", "a <<'E'\n$(b)\nE": "a", "a <<E\n\\$(b)\nE": "a", "a <<E\nb": "a", "a <<E\nb\n E\nc": "a", "a <<-E\n\tb\n\tE\nc": "a ; c", "a <<< $(b)": "a ; b ; dynamic", "a <<< b": "a",
		"> a": "", "a > $(b)": "a ; b ; dynamic", "{ a; } < $(b)": "b ; a ; dynamic", "a > b*": "a ; dynamic", "a >&$x": "a ; dynamic", "a <&b": "a ; dynamic",
		"a[1]=b": "", "a[$(b)]=c": "b ; dynamic", "a=(b $(c))": "c ; dynamic", "a=([x]=b)": " ; dynamic",
		"export A=b": "export A=b", "export -n A": "export -n A ; dynamic", "declare -i x=1": "declare -i x=1 ; dynamic", "declare -n x=y": "declare -n x=y ; dynamic", "local \"a[$(b)]=c\"": "local <dynamic> ; b ; dynamic",
		"a {b,c}d": "a bd cd", "a {1..3}": "a 1 2 3", "a {b}": "a {b}", "a {b,$c}": "a <dynamic> ; dynamic", "a {a..z}": "a <dynamic> ; dynamic", "a ~": "a ~", "a ~b": "a <dynamic> ; dynamic", "a ~+": "a <dynamic> ; dynamic", "a '~b'": "a ~b",
		"HOME=/x; a ~/b": "HOME=/x ; a <dynamic> ; dynamic", "A=1; a": "a", "A=1; B=2 a": "a (with B)", "export A=1; a": "export A=1 ; a", "PATH=/x; a": "PATH=/x ; a ; dynamic", "a\\\nb": "refused", "a#b": "a#b", "a #b": "a", "a \\#b": "a #b", "a !b": "a !b",
		"eval 'a; b'": "eval a; b ; a ; b", "eval a '&&' b": "eval a && b ; a ; b", "eval \"$x\"": "eval <dynamic> ; dynamic", "sh -c 'a &&'": "sh -c a && ; dynamic", "sh -c 'sh -c \"a b\"'": "sh -c sh -c \"a b\" ; sh -c a b ; a b",
		"xargs a b": "xargs a b ; a b ; dynamic", "a | xargs -I{} b {}": "a ; xargs -I{} b {} ; b <dynamic> ; dynamic",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

// A number, or one of the plain words of a loop, makes no command do more than print it. What
// does anything else with it, or may get something else, is not known.
func TestWhatIsPlainInAPrinterIsNoDoubt(t *testing.T) {
	for _, text := range []string{
		"a; echo $?", "a || echo \"exit $?\"", "printf '%s %s' a $?", "[ $? -eq 0 ] && a", "test \"$?\" = 0", "echo ${?}", "echo $#", "echo $$", "bash -c 'echo $?'",
		"for x in a b; do echo $x; done", "for x in a.txt src/b; do printf '%s' \"$x\"; done", "for x in a b; do c; echo \"== $x\" $?; done", "for i in {1..3}; do echo $i; done",
		"for x in a; do x=b; a; done",
	} {
		if r := Read(text, place); !r.Parsed || r.Dynamic || slices.ContainsFunc(r.Commands, func(c Command) bool { return c.Dynamic }) {
			t.Errorf("%s: %s (%s)", text, brief(text), r.Why)
		}
	}
	for _, text := range []string{
		"cat $?", "a $?", "rm $#", "sudo echo $?", "./echo $?", "/bin/echo $?", "$? a", "echo $?*", "echo \"$?$y\"", "echo $!", "echo $-", "echo $_", "echo $1", "echo ${#x}", "echo ${?:-a}", "echo $\"$?\"",
		"printf -v $? x", "printf $?", "[ -v $? ]", "echo > $?", "x=$?", "eval $?", "echo() { a; }; echo $?", "f() { a; }; alias echo=a; echo $?",
		"for x in a b; do cat $x; done", "for x in -v; do test $x y; done", "for x in 'a b'; do echo $x; done", "for x in *; do echo $x; done", "for x in $y; do echo $x; done", "for x; do echo $x; done",
		"for x in a; do x=$y; echo $x; done", "for x in a; do x=b; echo $x; done", "for x in a; do read x; echo $x; done", "for x in a; do f; echo $x; done; f() { x=b; }", "for x in a; do . b; echo $x; done",
		"for x in a; do b; done; echo $x", "select x in a; do echo $x; done", "for IFS in a; do echo $IFS; done", "for PATH in a; do echo $PATH; done", "for x in a; do for y in b; do echo $x; done; done",
		"for x in a; do echo $x > $x; done", "for x in ~; do echo $x; done", "for x in a; do printf -v x $y; echo $x; done",
	} {
		if r := Read(text, place); r.Parsed && !r.Dynamic && !slices.ContainsFunc(r.Commands, func(c Command) bool { return c.Dynamic }) {
			t.Errorf("%s is known: %s", text, brief(text))
		}
	}
}

// A variable that no program is known to load or obey leaves the command known; what others do
// with it is a question of its own. The rest makes it unknown, whatever the program is.
func TestAVariableForOneCommandIsNoDoubtUnlessProgramsObeyIt(t *testing.T) {
	for _, text := range []string{"FOO=bar npm test", "FOO=bar BAZ=1 go test ./...", "env FOO=bar npm test", "FOO='a b' npm test"} {
		if r := Read(text, place); !r.Parsed || r.Dynamic || slices.ContainsFunc(r.Commands, func(c Command) bool { return c.Dynamic }) {
			t.Errorf("%s: %s (%s)", text, brief(text), r.Why)
		}
	}
	for _, name := range []string{
		"PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "GIT_SSH_COMMAND", "GIT_DIR", "GIT_CONFIG_COUNT", "NODE_OPTIONS", "NODE_PATH", "BASH_ENV", "ENV", "IFS", "PAGER", "EDITOR",
		"PYTHONPATH", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "npm_config_script_shell", "GOFLAGS", "RUSTC_WRAPPER", "MAKEFLAGS", "HOME", "http_proxy", "SHELLOPTS", "PS4", "CC",
	} {
		for _, text := range []string{name + "=x npm test", "export " + name + "=x; npm test", "env " + name + "=x npm test", "FOO=bar " + name + "=x npm test"} {
			if r := Read(text, place); !r.Dynamic && !slices.ContainsFunc(r.Commands, func(c Command) bool { return c.Dynamic }) {
				t.Errorf("%s is known: %s", text, brief(text))
			}
		}
	}
}

func TestReadIsUnsureOfWhatChangesTheShell(t *testing.T) {
	for _, text := range []string{
		"alias ls=rm", "unalias a", "shopt -s extglob", "set -k", "set -o posix", "set -a", "enable -f ./x a", "hash -p ./x ls", "complete -C 'a' b", "bind -x '\"a\": b'", "trap 'a' EXIT", "source x", ". x",
		"PATH=/x", "PATH=/x ls", "export PATH=/x", "readonly PATH=/x", "declare -x PATH=/x", "command export PATH=/x", "\\export PATH=/x", "read PATH", "unset PATH", "IFS=x", "BASH_ENV=x", "BASH_ENV=x bash -c a", "ENV=x", "PS4='$(a)'", "PROMPT_COMMAND=a",
		"read GIT_PAGER", "for GIT_PAGER in ./x; do git log; done", "f() { \\export npm_config_script_shell=./x; }; f", "LD_PRELOAD=./x a", "LD_PRELOAD=./x; a", "export LD_PRELOAD=./x", "GIT_PAGER=./x; git log", "HOME=/x", "CDPATH=/x", "GLOBIGNORE=x", "printf -v 'a[$(b)]' c", "printf -vPATH /x", "read 'a[$(b)]'", "unset 'a[$(b)]'",
		"[ -v 'a[$(b)]' ]", "test -v 'a[$(b)]'", "[[ -v 'a[$(b)]' ]]", "let a=1", "getopts a b", "mapfile a", "mapfile -C a -c 1 b", "for PATH in /x; do a; done", "{PATH}> a", "set -- $x", "fc -s", "history -s a", "pushd /x", "popd",
		"$'\\x00'", "a $'b\\cc'", "a $'\\u00e9'", "a > /dev/tcp/192.0.2.1/4", "a < /dev/udp/192.0.2.1/4", "exec 3<>/dev/tcp/192.0.2.1/4", "a ~x/b", "r? a", "~x/a", ":(){ :|:& };:",
	} {
		if got := Read(text, place); !got.Parsed || !got.Dynamic {
			t.Errorf("%q is plain: %q", text, shownOf(got))
		}
	}
}

// What other shells than bash read in another way is plain only where bash reads it.
func TestReadKnowsWhichShellReadsAScript(t *testing.T) {
	for _, script := range []string{
		"[[ a > b ]]", "a &> b", "a $'b'", "a {b,c}", "function f { a; }; f", "a <<< b", "a |& b", "a=(b)", "a+=b", "time a", "((1))", "a =ls", "case a in b) c;& d) e;; esac", "{x}> a b", "declare a=b", "a >& b",
	} {
		if got := Read(`bash -c "`+strings.ReplaceAll(script, "$", `\$`)+`"`, place); got.Dynamic {
			t.Errorf("bash -c %q: %s", script, got.Why)
		}
		for _, shell := range []string{"sh -c", "dash -c", "zsh -c", "env sh -c", "ssh host"} {
			if got := Read(shell+` "`+strings.ReplaceAll(script, "$", `\$`)+`"`, place); !got.Dynamic {
				t.Errorf("%s %q is plain", shell, script)
			}
		}
	}
	for _, script := range []string{"a && b || c", "if a; then b; fi > c", "f() { a; }", "a {}", "case a in b) c;; esac", "export A=b", "a 2>&1"} {
		if got := Read("sh -c '"+script+"'", place); got.Dynamic {
			t.Errorf("sh -c %q: %s", script, got.Why)
		}
	}
}

func TestReadRaisesNoFalseAlarm(t *testing.T) {
	for _, text := range []string{
		"set -euo pipefail; make", "set -e", "cd a && make && cd ..", "FOO=1 make", "CI=true npm test", "echo '$(rm f)'", "echo \"\\$(rm f)\"", "git log --oneline -5 2>/dev/null | head -20", "go test ./... 2>&1 | tail -5",
		"[ -f a ] && cat a", "test -d b || mkdir b", "if [ -z a ]; then echo b; fi", "for i in 1 2; do echo x; done", "while true; do sleep 1; done", "cat <<'E' > a\n$(x) `y` ${z}\nE", "ls -la | sort -k5 > out.txt", "rm {a,b}.o",
		"git commit -m 'it'\\''s'", "grep -E 'a|b' *.go", "find . -name '*.go' -not -path './x/*'", "echo a\\ b", "read -r line", "true", "(cd a; ls)", "{ ls; pwd; }", "! grep -q x f", "ls &", "wait",
	} {
		if got := Read(text, place); !got.Parsed || got.Dynamic {
			t.Errorf("%q: parsed %v, %s", text, got.Parsed, got.Why)
		}
	}
}

func TestReadRefusesWhatIsTooMuch(t *testing.T) {
	for name, text := range map[string]string{
		"long": "echo " + strings.Repeat("a", maxBytes), "deep": strings.Repeat("(", 500) + "a" + strings.Repeat(")", 500), "many": strings.Repeat("a;", maxCommands+10),
		"variables": manyVariables(), "nul": "a\x00b", "bytes": "a \xff", "options": "-c ls", "statements": strings.Repeat("if a; then ", 300) + "b" + strings.Repeat("; fi", 300),
		"quoted depth": strings.Repeat("\"$(\")\" ", 3000), "negated": strings.Repeat("! ", 20000) + "a", "quotes": strings.Repeat("\"${a:-", 5000),
	} {
		if got := Read(text, place); got.Parsed || got.Why == "" {
			t.Errorf("%s: parsed", name)
		}
	}
	inner := strings.Repeat("eval ", 12) + "a"
	if got := Read(inner, place); !got.Dynamic {
		t.Errorf("scripts in scripts without end are plain: %d commands", len(got.Commands))
	}
}

func manyVariables() string {
	var out strings.Builder
	for i := range maxExported + 2 {
		fmt.Fprintf(&out, "A%d=b;", i)
	}
	return out.String() + "c"
}

// used lists the uses of a reading: r or w, the path, a slash behind a tree.
func used(text string) []string {
	out := []string{}
	for _, c := range Read(text, place).Commands {
		for _, u := range c.Uses {
			s := "r "
			if u.Access == tool.AccessWrite {
				s = "w "
			}
			s += u.Path
			if u.Tree && u.Path != "/" {
				s += "/"
			}
			out = append(out, s)
		}
	}
	return out
}

func TestReadFollowsPaths(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"a > b", []string{"w /w/b"}}, {"a >> b", []string{"w /w/b"}}, {"a >| b", []string{"w /w/b"}}, {"a &> b", []string{"w /w/b"}}, {"a &>> b", []string{"w /w/b"}}, {"a >& b", []string{"w /w/b"}}, {"a 2> b", []string{"w /w/b"}},
		{"a < b", []string{"r /w/b"}}, {"a <> b", []string{"r /w/b", "w /w/b"}}, {"{x}> b", []string{"w /w/b"}}, {"> b", []string{"w /w/b"}}, {"{ a; } > b", []string{"w /w/b"}}, {"while a; do c; done < b", []string{"r /w/b"}},
		{"a > /dev/null 2>&1 <&- 3>&1-", []string{}}, {"a > /dev/stderr", []string{}}, {"a > /dev/fd/2", []string{}}, {"a > /dev/tty", []string{"w /dev/tty"}}, {"a > /dev/../etc/x", []string{"w /dev", "w /etc/x"}},
		{"a > ~/b", []string{"w /home/user/b"}}, {"a > '~/b'", []string{"w /w/~/b"}}, {"a > \\~/b", []string{"w /w/~/b"}}, {"a > \"$HOME/b\"", []string{"w /home/user/b"}}, {"a > \"$PWD/b\"", []string{"w /w/b"}}, {"a > $x", []string{"w "}}, {"a > ~x/b", []string{"w ", "w /home/x/b"}},
		{"a > ../b", []string{"w /b"}}, {"a > b/../c", []string{"w /w/b", "w /w/c"}}, {"a > b/*", []string{"w /w/b/"}}, {"a > *", []string{"w /w/"}}, {"a > /*/b", []string{"w /"}}, {"a > */../../b", []string{"w "}},
		{"cd b && a > c", []string{"r /w/b", "w /w/b/c"}}, {"cd b; a > c", []string{"r /w/b", "w /w/b/c", "w /w/c"}}, {"cd b || a > c", []string{"r /w/b", "w /w/c"}}, {"! cd b && a > c", []string{"r /w/b", "w /w/c"}},
		{"(cd b); a > c", []string{"r /w/b", "w /w/c"}}, {"cd b | a > c", []string{"r /w/b", "w /w/c"}}, {"cd b & a > c", []string{"r /w/b", "w /w/c"}}, {"a $(cd b); a > c", []string{"r ", "w ", "r /w/b", "w /w/c"}},
		{"if cd b; then a > c; else a > d; fi", []string{"r /w/b", "w /w/b/c", "w /w/d"}}, {"cd b && cd .. && a > c", []string{"r /w/b", "r /w/b", "r /w", "w /w/c"}}, {"cd && a > c", []string{"w /home/user/c"}}, {"cd ~ && a > c", []string{"r /home/user", "w /home/user/c"}},
		{"cd $x && a > c", []string{"r ", "w "}}, {"cd - && a > c", []string{"r ", "w "}}, {"while cd b; do a > c; done", []string{"r ", "w "}}, {"f() { cd b; }; f; a > c", []string{"r ", "w "}}, {"\\cd b && a > c", []string{"r /w/b", "w /w/b/c"}},
		{"for x in 1; do \\cd b; a > c; done", []string{"r ", "w "}}, {"eval cd b && a > c", []string{"r /w/b", "w /w/b/c", "w /w/c"}}, {"command cd b && a > c", []string{"r /w/b", "w /w/b/c"}}, {"sh -c 'cd b' && a > c", []string{"r /w/b", "w /w/c"}}, {"x=b && cd $x && a > c", []string{"r /w/b", "w /w/b/c"}},
		{"env -C /b rm c", []string{"r /b/", "w /b/c"}}, {"cd a && cd b && cat ../../../c", []string{"r /w/a", "r /w/a/b", "r /w/a/b", "r /w/a", "r /c"}}, {"ssh h 'rm c'", []string{}}, {"cat b < c > d", []string{"r /w/c", "w /w/d", "r /w/b"}},
		// The body of a function runs wherever its name is called, that of a loop behind itself.
		{"f() { rm c; }; cd b; f", []string{"w ", "r /w/b"}}, {"f() { rm c; }; f", []string{"w /w/c"}}, {"f() { cd b; }; for i in 1 2; do rm c; f; done", []string{"r ", "w "}}, {"f() { cd b; }; eval f; rm c", []string{"r ", "w "}}, {"f() { cd b; }; eval 'f; rm c'", []string{"r ", "w "}},
		{"eval 'f() { cd b; }'; f; rm c", []string{"r ", "w "}}, {"f() { cd b; }; eval \"eval 'f'\"; rm c", []string{"r ", "w "}}, {"eval 'f() { rm c; }'; cd b; f", []string{"w ", "r /w/b"}},
	} {
		got := used(c.text)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// A command gets the variables of every way that may lead to it.
func TestReadSeesVariablesOnEveryWay(t *testing.T) {
	for text, want := range map[string]string{
		"A=1; git log": "A", "if c; then CI=1; else A=1; fi; git log": "CI A", "if c; then A=1; else A=2; fi; git log": "A", "for i in 1 2; do git log; A=1; done": "A", "while c; do git log; declare a=1; done": "a",
		"f() { A=1; }; f; git log": "A", "f() { A=1; }; for i in 1 2; do git log; f; done": "A", "eval 'f() { A=1; }'; f; git log": "A", "f() { A=1; }; git log": "", "A=1 c; git log": "", "(A=1); git log": "",
	} {
		got := Read(text, place).Commands
		var names []string
		for _, a := range got[slices.IndexFunc(got, func(c Command) bool { return c.Shown == "git log" })].Environment {
			names = append(names, a.Name)
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%q: %q, want %q", text, names, want)
		}
	}
	got := Read("if c; then CI=1; else CI=2; fi; git log", place).Commands
	if a := got[len(got)-1].Environment[0]; !a.Value.Dynamic {
		t.Errorf("a variable that is set in two ways is %q", a.Value.Text)
	}
	if got := Read("f() { "+manyVariables()+" }; f", place); got.Parsed {
		t.Error("too many variables of a function are followed")
	}
}

// inText writes commands and words as their places in the text say.
func inText(text string) []string {
	var out []string
	for _, c := range Read(text, place).Commands {
		s := fmt.Sprintf("%d<%s>", c.Of, text[c.Start:c.End])
		for _, w := range c.Words {
			s += " " + text[w.Start:w.End]
		}
		out = append(out, s)
	}
	return out
}

func TestReadSaysWhereThingsStand(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"a 'b c'; d", []string{"-1<a 'b c'> a 'b c'", "-1<d> d"}},
		{"A=1 a > b", []string{"-1<A=1 a > b> a"}},
		{"> b a c", []string{"-1<> b a c> a c"}},
		{"a <<E | b\nx\nE\nc", []string{"-1<a <<E> a", "-1<b> b", "-1<c> c"}},
		{"a $(b c)", []string{"-1<a $(b c)> a $(b c)", "-1<b c> b c"}},
		{"sudo a b", []string{"-1<sudo a b> sudo a b", "0<a b> a b"}},
		{"é; a b", []string{"-1<é> é", "-1<a b> a b"}},
		{"a\rb c\r\nd", []string{"-1<a\rb c\r> a\rb c\r", "-1<d> d"}},
		{"x=1; a $x", []string{"-1<x=1>", "-1<a $x> a $x"}},
		{"time a b", []string{"-1<time a b> time a b", "0<a b> a b"}},
		{"a & b", []string{"-1<a> a", "-1<b> b"}},
		{"a \\\n  b", []string{"-1<a \\\n  b> a b"}},
	} {
		if got := inText(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestReadSeesFeedsAndJobs(t *testing.T) {
	for text, want := range map[string]bool{
		"a | sh": true, "sh < a": true, "a | { b; sh; }": true, "a | while b; do sh; done": true, "sh <<< a": true, "sh <<E\na\nE": true, "f() { sh; }; a | f": true, "coproc sh": true, "a > >(sh)": true, "exec < a; sh": true,
		"sh a.sh": false, "sh -c a": false,
	} {
		if got := Read(text, place); got.Dynamic != want {
			t.Errorf("%q: dynamic %v: %s", text, got.Dynamic, got.Why)
		}
	}
	got := Read("a & b; (c; d) & e", place)
	var jobs []bool
	for _, c := range got.Commands {
		jobs = append(jobs, c.Background)
	}
	if !slices.Equal(jobs, []bool{true, false, true, true, false}) {
		t.Errorf("jobs are %v", jobs)
	}
}

func TestReadMarksRedirects(t *testing.T) {
	for text, want := range map[string]bool{
		"a": false, "a 2>&1": false, "a > /dev/null": false, "a &> /dev/null": false, "a <&-": false, "a <<E\nb\nE": false, "a <<< b": false,
		"a > b": true, "a < b": true, "a >& b": true, "a <> b": true, "a > /dev/tcp/192.0.2.1/4": true, "a > >(b)": true, "a > $x": true,
	} {
		if got := Read(text, place); got.Commands[0].Redirects != want {
			t.Errorf("%q: %v", text, got.Commands[0].Redirects)
		}
	}
}
