package shellcmd

import (
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pieces make command lines that may be run: no letters but a and b, so that no program and
// no command of the shell has such a name, and nothing that opens a file.
var pieces = []string{
	"a", "b", "a", "b", "ab", " ", " ", " ", "\t", "\n", ";", "; ", " | ", "|", "'", "'", "\"", "\"", "\\", "\\\n", "$'", "#", " #", "!", "! ", "~", "{", "}", "{ ", "; }", ",", "..", "1", "2", "*", "?", "[", "]", "=", "a=", "%", "^", "@", "-", "\r", "\r\n", "\f", "\v",
	" <<E\n", " <<'E'\n", " <<'E'", " <<E", "\"E\"", " <<-E\n", "\nE\n", "\n\tE\n", " <<\\E\n",
	" && ", "&&", "&", " & ", "2>&1", " >&2 ", " <<< ", "if a; then ", "; fi", "; then ", "else ", "for b in a; do ", "; done", "case a in a) ", ";; esac", "time ", "a=(b)", ")#", "a=(", "a() { b; }\n", "coproc ", "in ", "do ", "fi ", "function ",
	"\\x61", "\\'", "\\n", "\u00a0", "é", "{a,b}", "{1..3}", "'a b'", "\"a b\"", "(", ")", "( ", " )", "/", "$", "+", "\\$",
}

// Whatever is plain must be run with the very words that are listed.
func TestBashRunsTheWordsThatAreListed(t *testing.T) {
	folder := t.TempDir()
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 14).Draw(t, "pieces"), "")
		got := Read(text, place)
		if !got.Parsed || got.Dynamic || strings.Contains(text, "||") || !harmlessToRun(got) {
			return
		}
		seen++
		ran := runs(t, folder, text)
		var have []string
		for _, c := range got.Commands {
			if len(c.Words) == 0 {
				continue
			}
			var words []string
			for _, w := range c.Words {
				words = append(words, w.Text)
			}
			have = append(have, strings.Join(words, "\x02"))
		}
		slices.Sort(have)
		slices.Sort(ran)
		// Not every way is taken through a condition, and a body may run more than once.
		if ways := strings.ContainsAny(text, "dfise!") || strings.Contains(text, "()"); !ways && !slices.Equal(have, ran) || slices.ContainsFunc(ran, func(s string) bool { return !slices.Contains(have, s) }) {
			t.Fatalf("%q is read as %q and run as %q", text, have, ran)
		}
	})
	if seen == 0 {
		t.Error("nothing was plain")
	}
}

// harmlessToRun holds back what is no made-up name, and what bash replaces in ways that the
// words do not show.
func harmlessToRun(r Reading) bool {
	for _, c := range r.Commands {
		if c.Redirects || len(c.Words) > 0 && strings.Trim(c.Words[0].Text, "ab") != "" {
			return false
		}
		for _, w := range c.Words {
			if strings.HasPrefix(w.Text, "~") || strings.Contains(w.Text, "=~") || w.Glob {
				return false
			}
		}
	}
	return true
}

// runs returns the words of the commands that bash tried to run, none of which exists. Each
// is written at once, without line breaks, since those of a pipeline write at the same time.
func runs(t *rapid.T, folder, text string) []string {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	cmd := exec.CommandContext(context.Background(), "bash", "-c", "command_not_found_handle() { local all; printf -v all '%s\\x02' \"$@\"; printf '%s\\x01' \"${all//$'\\n'/$'\\x03'}\" >&3; }\n"+text)
	cmd.Dir, cmd.ExtraFiles = folder, []*os.File{writer}
	cmd.Env = []string{"PATH=/nonexistent", "LANG=C.UTF-8", "HOME=/home/user"}
	_ = cmd.Run()
	_ = writer.Close()
	out, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range strings.Split(string(out), "\x01") {
		if s != "" {
			list = append(list, strings.ReplaceAll(strings.TrimSuffix(s, "\x02"), "\x03", "\n"))
		}
	}
	return list
}
