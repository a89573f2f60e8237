package shellcmd_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
)

func words(texts ...string) []program.Word {
	var out []program.Word
	for _, t := range texts {
		out = append(out, program.Word{Text: t})
	}
	return out
}

func TestARuleIsReadAsAShellReadsWords(t *testing.T) {
	for text, want := range map[string]shellcmd.Rule{
		"git log *":             {Words: []string{"git", "log"}, Prefix: true},
		"  git\tlog ":           {Words: []string{"git", "log"}},
		"go build*":             {Words: []string{"go", "build*"}},
		"go 'build' '*'":        {Words: []string{"go", "build", "*"}},
		`echo "a b" c\ d 'e"f'`: {Words: []string{"echo", "a b", "c d", `e"f`}},
		`echo ""`:               {Words: []string{"echo", ""}},
		`echo $'a\nb\'c\x80'`:   {Words: []string{"echo", "a\nb'c\x80"}},
		`'FOO=1' x`:             {Words: []string{"FOO=1", "x"}},
		"echo FOO=1":            {Words: []string{"echo", "FOO=1"}},
		"ls *.go":               {Words: []string{"ls", "*.go"}},
		"echo a\"b\"'c'd":       {Words: []string{"echo", "abcd"}},
	} {
		got, err := shellcmd.ParseRule(text)
		if err != nil || !got.Equal(want) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestWhatIsNoRuleSaysWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                "names no command",
		"*":               "every command",
		"''":              "names no command",
		"git * log":       "at the end",
		"git * *":         "at the end",
		"ls | sh":         "for one command",
		"ls; rm x":        "for one command",
		"ls > f":          "for one command",
		"echo $(id)":      "for one command",
		"echo `id`":       "for one command",
		`echo "$HOME"`:    "for one command",
		"echo $HOME":      "for one command",
		"FOO=1 make *":    "begins with a variable",
		"echo 'open":      "quote is not closed",
		`echo "open`:      "quote is not closed",
		`echo $'open`:     "quote is not closed",
		`echo $'a\q'`:     "not understood",
		"echo trailing\\": "not understood",
	} {
		_, err := shellcmd.ParseRule(text)
		bad, is := errors.AsType[*shellcmd.BadRule](err)
		if !is || !strings.Contains(bad.Words, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What cannot be seen is printed by its number, so that two rules that look alike are not.
func TestARuleShowsWhatCannotBeSeen(t *testing.T) {
	for word, want := range map[string]string{
		"a\u200bb":     `x $'a\u200bb'`,
		"a\nb":         `x $'a\x0ab'`,
		"\u202eevil":   `x $'\u202eevil'`,
		"a\u00a0b":     `x $'a\u00a0b'`,
		"\U000e0041":   `x $'\U000e0041'`,
		"\xff":         `x $'\xff'`,
		"it's":         `x 'it'\''s'`,
		"Grüße":        `x Grüße`,
		"a b":          `x 'a b'`,
		"*":            `x '*'`,
		"--format=%h":  `x --format=%h`,
		"HEAD~1":       `x 'HEAD~1'`,
		"user@host:/a": `x user@host:/a`,
	} {
		if got := (shellcmd.Rule{Words: []string{"x", word}}).String(); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

var anyWord = rapid.OneOf(
	rapid.SampledFrom([]string{"git", "log", "*", "'", "\"", "\\", "$'", "a b", "", "FOO=1", "\n", "\u200b", "\xff", "\xf0\x9f", "-x", "$(id)", "#", "~", "é", "é́", "\x00", "\x7f", "\u0085", "\ufffd"}),
	rapid.String(),
	rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
)

// spec: CT-30
func TestARuleIsReadAsItIsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// No program has no name.
		program := anyWord.Filter(func(w string) bool { return w != "" }).Draw(t, "program")
		r := shellcmd.Rule{Words: append([]string{program}, rapid.SliceOfN(anyWord, 0, 4).Draw(t, "words")...), Prefix: rapid.Bool().Draw(t, "prefix")}
		back, err := shellcmd.ParseRule(r.String())
		if err != nil || !back.Equal(r) {
			t.Fatalf("%q printed as %q and read as %q: %v", r, r.String(), back, err)
		}
	})
}

// What is read is printed as what is read again, whatever the text was.
func TestWhatIsReadIsARule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z*'"$\\ |=]{0,12}`)).Draw(t, "text")
		r, err := shellcmd.ParseRule(text)
		if err != nil {
			return
		}
		back, err := shellcmd.ParseRule(r.String())
		if err != nil || !back.Equal(r) || len(r.Words) == 0 || r.Words[0] == "" {
			t.Fatalf("%q is %+v, printed %q, read %+v: %v", text, r, r.String(), back, err)
		}
	})
}

func TestARuleCoversByItsWords(t *testing.T) {
	for _, c := range []struct {
		rule string
		argv []string
		want bool
	}{
		{"git log *", []string{"git", "log"}, true},
		{"git log *", []string{"git", "log", "--oneline", "-5"}, true},
		{"git log *", []string{"git", "logs"}, false},
		{"git log *", []string{"git"}, false},
		{"git log *", []string{"/usr/bin/git", "log"}, false},
		{"git log *", []string{"Git", "log"}, false},
		{"git log", []string{"git", "log"}, true},
		{"git log", []string{"git", "log", ""}, false},
		{"go build*", []string{"go", "build"}, false},
		{"go build*", []string{"go", "build*"}, true},
		{"echo 'a b'", []string{"echo", "a", "b"}, false},
	} {
		r, err := shellcmd.ParseRule(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Covers(&shellcmd.Command{Words: words(c.argv...)}); got != c.want {
			t.Errorf("%s on %q: %v", c.rule, c.argv, got)
		}
	}
}

// A person who saw `git commit` saw what changes git; who saw `find` did not see -delete.
func TestARuleCoversOnlyWhatItsOwnWordsDo(t *testing.T) {
	does := func(word int) *shellcmd.Command {
		return &shellcmd.Command{Words: words("a", "b", "c"), Findings: []program.Finding{{Effect: program.Writes, Word: word, Words: "writes"}}}
	}
	for _, c := range []struct {
		rule string
		word int
		want bool
	}{
		{"a *", 0, true}, {"a *", 1, false}, {"a b *", 1, true}, {"a b *", 2, false}, {"a b c", 2, true}, {"a b c", -1, false}, {"a b c", 3, false},
	} {
		r, err := shellcmd.ParseRule(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Covers(does(c.word)); got != c.want {
			t.Errorf("%s, done by word %d: %v", c.rule, c.word, got)
		}
	}
}

// spec: CT-30
func TestWhatNoRuleCoversSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*shellcmd.Command)
		words  string
	}{
		"dynamic":            {func(c *shellcmd.Command) { c.Dynamic = true }, "not known"},
		"a dynamic word":     {func(c *shellcmd.Command) { c.Words[1].Dynamic = true }, "not known"},
		"a redirect":         {func(c *shellcmd.Command) { c.Redirects = true }, "redirect"},
		"no words":           {func(c *shellcmd.Command) { c.Words = nil }, "no program"},
		"a pattern as name":  {func(c *shellcmd.Command) { c.Words[0].Glob = true }, "not known"},
		"a pattern in front": {func(c *shellcmd.Command) { c.Words[1] = program.Word{Text: "*.go", Glob: true} }, "option"},
		"raised rights": {func(c *shellcmd.Command) {
			c.Findings = []program.Finding{{Effect: program.Privileged, Words: "acts as root"}}
		}, "acts as root"},
		"restricted": {func(c *shellcmd.Command) {
			c.Findings = []program.Finding{{Effect: program.ChangesGit, Restricted: true, Words: "overwrites history"}}
		}, "overwrites history"},
		"a variable that matters": {func(c *shellcmd.Command) {
			c.Environment = []program.Assignment{{Name: "PAGER"}}
		}, "PAGER"},
		"a harmless variable by something unknown": {func(c *shellcmd.Command) {
			c.Environment = []program.Assignment{{Name: "TZ", Value: program.Word{Dynamic: true}}}
		}, "TZ"},
		"a finding about the variables": {func(c *shellcmd.Command) {
			c.Findings = []program.Finding{{Effect: program.Runs, Word: -1}}
		}, "variable"},
	} {
		command := &shellcmd.Command{Words: words("a", "b")}
		if got := command.Uncoverable(); got != "" {
			t.Fatalf("the plain command: %s", got)
		}
		c.change(command)
		if got := command.Uncoverable(); !strings.Contains(got, c.words) {
			t.Errorf("%s: %q", name, got)
		}
		if (shellcmd.Rule{Words: []string{"a", "b"}}).Covers(command) || (shellcmd.Rule{Words: []string{"a"}, Prefix: true}).Covers(command) {
			t.Errorf("%s is covered", name)
		}
	}
	kept := &shellcmd.Command{Words: []program.Word{{Text: "a"}, {Text: "src/*.go", Glob: true}}, Environment: []program.Assignment{{Name: "LC_ALL", Value: program.Word{Text: "C"}}}}
	if !(shellcmd.Rule{Words: []string{"a"}, Prefix: true}).Covers(kept) {
		t.Error("what is harmless is not covered")
	}
}

// A rule never covers a command with a finding outside its words, nor one of which anything
// is unknown.
//
// spec: CT-30
func TestARuleNeverCoversMoreThanItsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &shellcmd.Command{
			Dynamic: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "dynamic"), Redirects: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "redirects"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "argc") {
			c.Words = append(c.Words, program.Word{
				Text: rapid.SampledFrom([]string{"a", "b", "*", "-x", ""}).Draw(t, "word"), Dynamic: rapid.SampledFrom([]bool{false, false, false, false, true}).Draw(t, "unknown"),
				Glob: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "glob"),
			})
		}
		for range rapid.IntRange(0, 2).Draw(t, "findings") {
			c.Findings = append(c.Findings, program.Finding{
				Effect: rapid.SampledFrom([]program.Effect{program.Runs, program.Writes, program.Privileged}).Draw(t, "effect"),
				Word:   rapid.IntRange(-1, 5).Draw(t, "at"), Restricted: rapid.SampledFrom([]bool{false, false, true}).Draw(t, "restricted"),
			})
		}
		for range rapid.IntRange(0, 1).Draw(t, "variables") {
			c.Environment = append(c.Environment, program.Assignment{Name: rapid.SampledFrom([]string{"TZ", "PATH"}).Draw(t, "name")})
		}
		r := shellcmd.Rule{Prefix: rapid.Bool().Draw(t, "prefix")}
		n := rapid.IntRange(0, len(c.Words)).Draw(t, "length")
		for _, w := range c.Words[:n] {
			r.Words = append(r.Words, w.Text)
		}
		if !r.Covers(c) {
			return
		}
		if c.Dynamic || c.Redirects || n == 0 || !r.Prefix && n != len(c.Words) {
			t.Fatalf("%v covers %+v", r, c)
		}
		for _, f := range c.Findings {
			if f.Word < 0 || f.Word >= n || f.Restricted || f.Effect == program.Privileged {
				t.Fatalf("%v covers %+v", r, c)
			}
		}
		for _, w := range c.Words {
			if w.Dynamic {
				t.Fatalf("%v covers %+v", r, c)
			}
		}
		for _, a := range c.Environment {
			if a.Name != "TZ" {
				t.Fatalf("%v covers %+v", r, c)
			}
		}
	})
}
