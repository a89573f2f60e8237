package shellcmd

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// plainTexts are of the kinds that a reader may take for something else than bash does.
var plainTexts = []string{
	"a \\\n b", "a &&\\\nb", "a |\\\n b", "a \"b\\\nc\"", "a 'b$\\\\\nc'",
	"ls", "ls; pwd", "a && b || c", "! a", "a | b |& c", "{ a; b; }", "(a; b)", "( (a); b )", "if a; then b; elif c; then d; else e; fi",
	"while a; do b; done", "until a; do b; done", "for x in 1 2; do a; done", "for x; do a; done", "select x in a; do b; done", "case a in b|c) d;; (e) f;& *) g;;& esac",
	"f() { a; }", "function f { a; }", "function f() ( a )", "f() if a; then b; fi", "time a", "time -p a | b", "coproc a", "[[ a == b ]]", "[[ a == @(b|c) ]]", "[[ -f a && ! ( b < c ) ]]",
	"a\nb", "a \\\nb", "a &\nb &", "a # b\nc", "a#b", "a '#' b", "'a b' \"c d\" $'e\\nf'", "a\\ b", "\"\\$x \\` \\\\ \\\" \\a\"", "''", "a '' b", "\\ls", "l\\s", "'ls'", "a'b'\"c\"",
	"a > b", "a >> b 2>&1", "a >| b", "a &> b", "a &>> b", "a >& b", "a <> b", "a <&-", "a 3<b 4>&3-", "{x}> b a", "> a", "> a b < c", "a 2> b c",
	"a <<E\nb\nE", "a <<-E\n\tb\n\tE\nc", "a <<'E'\n$x\nE", "a <<\\E\n`x`\nE", "a <<E1 <<E2\nb\nE1\nc\nE2\nd", "a <<E; b\nc\nE", "a <<E | b\nc\nE", "a <<< b", "a <<E\nb", "a <<\"E F\"\nb\nE F\nc", "{ a <<E\nb\nE\n}",
	"a {b,c}", "a {b..c}", "a {b}", "a {}", "a }", "a {", "echo {a,b}{c,d}", "a=b", "a=b c", "a=b c=d e", "a+=b", "export a=b", "declare -x a=b", "local a", "readonly a",
	"a * ? [b]", "a ~ ~/b", "a=~/b c", "a !b", "!a", "a ]", "[ a ]", "a )b", "a\tb", "a\rb", "a\r\nb", "a\fb", "a\vb", "a\u00a0b", "a\u2028b", "\u200ba", "a\x01b", "a\x7fb",
	"set -e", "cd a; b", "a;b", "a;;", "a & & b", "a ;& b", "if", "then", "a; then b", "else", "in", "do a", "a do", "echo if", "echo }", "echo !", "} a", "a && ! b", "! ! a", "! time a", "time ! a",
	"f() a", "f() (a) > b", "f() { a; } > b", "a() b() { c; }", "a b() { c; }", "a-b() { c; }", "a.b() { c; }", "a@b() { c; }", "1() { a; }", "if() { a; }", "'a'() { b; }", "export() { a; }",
	"((a))", "(( 1 ))", "((a) )", "let a=1", "a[1]=b", "a=(b c)", "a=(b c) d", "declare a=(b)", "-a", "+a", "--", "a @(b)", "a !(b)", "a ?(b)", "a +(b)", "case a in @(b)) c;; esac",
	"a <(b)", "a >(b)", "a > >(b)", "a `b`", "a $(b)", "a \"$(b \")\")\"", "a $((1+2))", "a $((b) )", "a $[1]", "a ${b}", "a ${b:-c}", "a $b", "a $", "a $ b", "a \"$\"", "a $'b", "a \"b", "a 'b",
	"a `", "a $(", "a ${", "a\\", "a &&", "| a", "&& a", "; a", "& a", "()", "{ }", "{}", "( )", "a ()", "a (b)", "a (", "a )", "a { b; }", "{a; }", "{ a }", "{ a; }b", "(a)b", "(a) (b)", "(a) b",
	"a <", "a <<", "a <<<", "a > > b", "a >&", "a 2>", "2>a 3", "a >b>c", "a>b", "a2>b", "a 2 >b", "a&>b", "a&b", "a&&b", "a|b", "a||b", "a|&b", "a;b", "a\n;b", "a\n&&b", "a &&\nb", "a |\nb", "a \\", "#a", "a\n#b\nc", "a;#b", "a&#b", "a (#b)", "\\\na", "a\\\nb", "'a\\\nb'", "\"a\\\nb\"",
	"for x in a; { b; }", "for ((;;)); do a; done", "for ((;;)) { a; }", "case a in esac", "case a in b) ;; esac", "case a in (b) c; esac", "case a { b) c;; }", "[[ a ]] b", "[[ a", "[[ ]]", "[[ a b ]]", "[[ a =~ b(c) ]]", "[[ ! a ]]", "[[ a == b && c ]] > d", "[[ -v a ]]", "[[ a -eq 1 ]]",
	"function f", "function { a; }", "function f a", "function a-b { c; }", "coproc", "time", "time -p", "time;a", "a | time b", "a && time b", "select x; do a; done", "nameref a=b", "typeset a=b", "@test a { b; }", "a |& b", "a <<E\n$(b)\nE", "a <<E\n\\$x\nE", "a &>> b c", "a >&2 b", "a >&b c", "a <&b", "a 1<>b",
	"a <<'E'\na\\\nE\nb", "a <<E\na\\\nE\nb", "a <<'E'\n# a \\\nb\nE\nc", "a '#\\\n' b", "a \"#\\\n\" b", "a \\\n#b", "a\\\n#b", "a $'b\\\nc'", "a <<\"E\"\n\\\nE\n",
	"a=#b; d", "a+=#b; d", "a[1]=#b; d", "a=(#b); d\nc)", "a=(b #c; d\nc)", "a >#b; d", "a >&#b; d", "a <<#b; d\n#b\nc", "a 2>#b; d", "!#b; d", "{#b; d; }", "time#b; d", "case x in #b; d\na) c;; esac", "case x in a)#b; d\nc;; esac", "case x in a) c;;#b; d\nesac", "[[ #b ]]; d", "[[ a ]]#b; d", "((1))#b; d", "(a)#b; d", "{ a; }#b; d", "f()#b; d\n{ a; }", "f() { a; }#b; d", "if a; then b; fi#c; d", "a&&#b; d\nc", "a|#b; d\nc", "a&#b; d", "a<<E#b; d\nE#b\nc", "a <<E #b; d\nE\nc", "'a'#b; d", "\"a\"#b; d", "$'a'#b; d", "a\\ #b; d", "\\#b; d", "a {b,c}#d; e", "a ~#b; d", "for x in a#b; do c; done; d", "for x in a #b; do c; done\ndo c; done", "a]#b; d", "a[#b; d", "a[b]#c; d", "a[b]=#c; d", "a}#b; d", "a{#b; d", "a=b#c; d", "a= #b; d\nc", "#a\\\nb", "a \\\n #b; d\nc", "a;\\\n#b; d", "declare a=#b; d", "export a#b; d", "a 2>&1#b; d", "a >&2#b; d", "a >b#c; d", "a <&-#b; d", "a `#b`; d", "\t#a; b\nc", "a\r#b; d", "a\f#b; d", "a #b; d", "a#; b", "#; b\nc", "a '#' ; b",
	"echo $$$$$$", "echo $? \"a$#b\"", "for x in a b; do echo $x$x; done", "ls $?", "repeat 3 a", "foreach x (a) b end", "a=b>c d", "a =b", "=a", "a= b", "a==b", "1=a", "a-b=c", "a\\=b", "'a'=b", "a=b\\ c d", "a='b c' d", "a=\"b\"c d", "a={b,c} d", "a=* b", "a=[b c", "a[b=c", "a[b]=c d", "a[b c]=d",
}

// refusedTexts are what bash never takes, or what the parser takes for something else.
var refusedTexts = []string{
	" cat <<-EOF\n\"E\t\x01Or\\\n\tEOF\n\t\x01Ord x", "a <<-E\nb\\\n\t\tE\nc",
	"a <<\"E'F\"\nb\nE F\nc", "a <<'E\"F'\nb\nE\"F\nc",
	"ls &&", "; ls", "echo \\$(rm f)", "git log &&& rm x", "echo \"unterminated", "echo (Get-Date)", "f() ls", "else", "in", "then ls", "echo !(a)", "a <<E''$(r\nF", "() (b)", "() { b; }", "a <<'E'#a\nb\nE\nc", "a=(b)#c; d", "declare a=(b)#c; d", "a=(b)c", "a <<E\n\\\nE\nb", "a <<E\nc\nE\\\n\nb", "a <<-EF\n\tE\\\nF\nb", "a #\\\nb", "a # b\\\nc", "a;#\\\nb", "\\a=[", "i >& -bash", "in() { a; }", "2>2>a", "a <2>b", "a <<<2>b", "a && time&b", "ls\x00; rm x", "-x", "a=(b) c(", "ls \\", "a <<-E\n\tb$\tE\nc", "nameref a=f f a+=f f b", "[[ a == b &&#c\t]] > d", "3333333333> b", "[[\n#b ]]; d", "[[ a #b ]]; d", "a << - << b c\nb", "coproc a{_0+<b;#}", "coproc $(a) { b; }", "coproc X { a; }", "coproc { a; }", "coproc (a)", "coproc X if a; then b; fi", "coproc X coproc a b", "coproc  Coproc  coproc   \x03bZ} FM \x7f  a }", "a$\\\n'b'", "a\\\nb", "a 2\\\n>b", "a &\\\n& b", "a \"$\\\nHOME\"", "a \\\\\\",
}

func TestWhatBashRefusesIsNeverPlain(t *testing.T) {
	for _, text := range append(append([]string(nil), plainTexts...), refusedTexts...) {
		agrees(t, text)
	}
	for _, text := range refusedTexts {
		if got := Read(text, place); got.Parsed {
			t.Errorf("%q is read as %q", text, shownOf(got))
		}
	}
}

// quoted are words in all the ways to quote. They are run by bash, so they stand here and
// come from nowhere else.
var quoted = []string{
	`a`, `\a`, `a\ b`, `'a b'`, `"a b"`, `"a\"b"`, `"a\$b"`, `"a\\b"`, `"a\qb"`, `'a\b'`, `'a'"b"c`, `a'b c'd`, `''`, `""`, `a''b`, `\\`, `\"`, `\'`, `"'"`, `'"'`,
	`$'a\tb'`, `$'\x72\x6d'`, `$'\162m'`, `$'\u0072m'`, `$'a\'b'`, `$'a\\b'`, `$'\e[0m'`, `$'\q'`, `$'\"'`, `$'\?'`, `$'\1011'`, `$'\x411'`, `$'\xc3\xa9'`, `$'é'`, `a$'b'c`, "$'a\nb'",
	`{a,b}`, `x{a,b}y`, `{a,b}{c,d}`, `{a}`, `{}`, `a{}b`, `{,}a`, `{a,b`, `a,b}`, `x{a,b}y{c}`, `{a,b,c}d`, `--{x,y}=z`, `stash@{0}`, `HEAD@{1}`, `a{b,c}.{d,e}`, `{1..3}`, `{3..-1}`, `x{1..2}{a,b}`, `{1..1}`, `{a..c}`, `{01..3}`, `{1..9..2}`,
	"'a\\\nb'", "\"a\\\nb\"", "\"a\nb\"", `a#b`, `a=b`, `=`, `!`, `a!b`, `"!a"`, `~a~`, `a~b`, `'~'`, `"~"/b`, `\~`, `a:~`, `]`, `a]`, `%a`, `@`, `a^b`, `+`, `:`, `,`,
	"a\fb", "a\vb", "a\u00a0b", "a\u200bb", "‘a’", "é", "a\rb", "\r", `a\*b`, `'*'`, `"?"`, `\[a\]`,
}

func TestWordsAreThoseOfBash(t *testing.T) {
	for _, w := range quoted {
		got := Read("printf '%s\\1' "+w, place)
		if !got.Parsed || got.Dynamic {
			if !slices.Contains([]string{`{,}a`, `{a,b`, `~a~`, `{a..c}`, `{01..3}`, `{1..9..2}`}, w) {
				t.Errorf("%q is dynamic: %s", w, got.Why)
			}
			continue
		}
		out, ok := bash(t, "printf '%s\\1' "+w)
		if !ok {
			t.Errorf("bash refuses %q", w)
		}
		want := strings.Split(strings.TrimSuffix(out, "\x01"), "\x01")
		var words []string
		for _, w := range got.Commands[0].Words[2:] {
			words = append(words, w.Text)
		}
		if !slices.Equal(words, want) {
			t.Errorf("%q is %q, for bash it is %q", w, words, want)
		}
	}
}

// misprinted says whether what bash prints of a text may not be what it read: it leaves out
// what parts the commands behind a here-document.
func misprinted(text string) bool {
	document := strings.Contains(text, "<<")
	return document && (strings.ContainsAny(text, ";&|{(") || strings.Contains(text, "do") || strings.Contains(text, "then")) ||
		strings.Contains(text, "coproc") || strings.Contains(text, "time") || strings.HasSuffix(text, "\\") ||
		strings.ContainsAny(text, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x7f")
}

// reread reads what bash prints of a text that it does not run.
func reread(t testing.TB, text string) ([]string, string) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), "bash", "--pretty-print", "/dev/stdin")
	cmd.Stdin = strings.NewReader(text)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bash does not print %q: %v", text, err)
	}
	return shownOf(Read(" "+string(out), place)), string(out)
}
