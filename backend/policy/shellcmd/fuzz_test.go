package shellcmd

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// bash runs the shell on a text that it only reads.
func bash(t testing.TB, text string, options ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), "bash", append(options, "-c", text)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
	out, err := cmd.Output()
	return string(out), err == nil
}

func seeds(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.Command)
	}
	for _, text := range plainTexts {
		f.Add(text)
	}
	for _, text := range refusedTexts {
		f.Add(text)
	}
}

// FuzzReadAgreesWithBash holds the reader to the shell: what bash refuses is never plain,
// and what bash prints of a text that it read is the same list of commands.
func FuzzReadAgreesWithBash(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		agrees(t, text)
	})
}

func agrees(t testing.TB, text string) {
	t.Helper()
	got := Read(text, place)
	if !got.Parsed || got.Dynamic {
		return
	}
	if _, ok := bash(t, text, "-n"); !ok {
		t.Fatalf("bash refuses %q, which was read as %q", text, shownOf(got))
	}
	if misprinted(text) {
		return
	}
	if again, printed := reread(t, text); !slices.Equal(again, shownOf(got)) {
		t.Fatalf("%q is %q, but bash makes it %q, which is %q", text, shownOf(got), printed, again)
	}
}

// FuzzReadIsTheSameAfterPrinting holds the reader to itself.
func FuzzReadIsTheSameAfterPrinting(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		got := Read(text, place)
		checkReading(t, text, got)
		// The printer lays out with tables, in which some control characters mean something.
		if !got.Parsed || got.Dynamic || strings.ContainsAny(text, "\r\f\v") {
			return
		}
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
		if err != nil {
			return
		}
		var out strings.Builder
		if err := syntax.NewPrinter().Print(&out, file); err != nil {
			t.Fatal(err)
		}
		// A text that begins with a dash would be an option.
		again := Read(" "+out.String(), place)
		if !again.Parsed || !slices.Equal(shownOf(again), shownOf(got)) {
			t.Fatalf("%q is %q, but printed as %q it is %q", text, shownOf(got), out.String(), shownOf(again))
		}
	})
}

// checkReading looks for what no reading may hold.
func checkReading(t *testing.T, text string, r Reading) {
	t.Helper()
	if !r.Parsed && (len(r.Commands) > 0 || r.Dynamic || r.Why == "") {
		t.Fatalf("%q was not parsed, yet more is said: %+v", text, r)
	}
	if r.Dynamic && r.Why == "" {
		t.Fatalf("%q is dynamic without a reason", text)
	}
	for i, c := range r.Commands {
		if c.Start < 0 || c.End > len(text) || c.Start > c.End || c.Of >= i {
			t.Fatalf("%q: command %d stands at %d to %d, of %d", text, i, c.Start, c.End, c.Of)
		}
		if c.Dynamic && !r.Dynamic {
			t.Fatalf("%q: a command is dynamic, the whole is not", text)
		}
		for n, w := range c.Words {
			// A number that is only printed, such as that of the shell, is unknown and does no harm.
			harmless := n > 0 && program.Prints(c.Words[0].Text)
			if w.Start < 0 || w.End > len(text) || w.Start > w.End || w.Dynamic && !r.Dynamic && !harmless {
				t.Fatalf("%q: word %+v", text, w)
			}
		}
		for _, u := range c.Uses {
			if u.Path != "" && u.Path[0] != '/' || u.Word >= len(c.Words) {
				t.Fatalf("%q: use %+v", text, u)
			}
		}
	}
	for _, h := range r.Hidden {
		if h.Start < 0 || h.End > len(text) || h.Start >= h.End || h.Name == "" {
			t.Fatalf("%q: hidden %+v", text, h)
		}
	}
}
