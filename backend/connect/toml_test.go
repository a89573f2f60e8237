package connect

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

func TestAnEntryComesIntoTOMLWithoutTouchingTheRest(t *testing.T) {
	const table = "[m.countersign]\ncommand = \"/c\"\nargs = [\"mcp\"]\ntimeout = 60\n"
	for name, c := range map[string]struct{ old, want string }{
		"empty":              {"", table},
		"at the end":         {"# mine\nmodel = \"x\" # y\n", "# mine\nmodel = \"x\" # y\n\n" + table},
		"no last line break": {"[m.other]\ncommand = 'z'", "[m.other]\ncommand = 'z'\n\n" + table},
		"CRLF":               {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
		"a table that looks like it": {
			"a = \"\"\"\n[m.countersign]\ncommand = \"no\"\n\"\"\"\n",
			"a = \"\"\"\n[m.countersign]\ncommand = \"no\"\n\"\"\"\n\n" + table,
		},
		"an entry that differs": {
			"[ m . \"countersign\" ] # ours\ntimeout=5 # short\n  args = [\n  \"mcp\", # a\n  \"--sets\", \"git\",\n]\ncommand = '/old'\nenabled = false\n\n[m.countersign.env]\nA = \"1\"\n\n[z]\n",
			"[ m . \"countersign\" ] # ours\ntimeout=60 # short\n  args = [\n  \"mcp\", # a\n  \"--sets\", \"git\",\n]\ncommand = \"/c\"\nenabled = false\n\n[m.countersign.env]\nA = \"1\"\n\n[z]\n",
		},
		"an entry that lacks keys": {
			"[m.countersign]\ncommand = \"/c\" # c\n# after\n[z]\nk = 1",
			"[m.countersign]\ncommand = \"/c\" # c\nargs = [\"mcp\"]\ntimeout = 60\n# after\n[z]\nk = 1",
		},
		"an empty table at the end": {"[m.countersign]", table},
		"dotted in the table above": {
			"[m]\ncountersign.command = \"/old\"\nother.x = 1\n",
			"[m]\ncountersign.command = \"/c\"\ncountersign.args = [\"mcp\"]\ncountersign.timeout = 60\nother.x = 1\n",
		},
		"dotted from the top": {
			"m.countersign.command = \"/c\"\n",
			"m.countersign.command = \"/c\"\nm.countersign.args = [\"mcp\"]\nm.countersign.timeout = 60\n",
		},
		"only a table below": {
			"[m.countersign.env]\nA = \"1\"\n",
			"[m.countersign.env]\nA = \"1\"\n\n" + table,
		},
		"numbers that are none": {"a = nan\nb = inf\nc = 07:32:00\nd = 1979-05-27\n", "a = nan\nb = inf\nc = 07:32:00\nd = 1979-05-27\n\n" + table},
	} {
		edits, _, err := planTOML([]byte(c.old), "m", small())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := apply([]byte(c.old), edits)
		if d := cmp.Diff(c.want, string(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if !keepsTOML([]byte(c.old), got, "m") {
			t.Errorf("%s: something else changed", name)
		}
		again, added, err := planTOML(got, "m", small())
		if err != nil || added || len(again) > 0 {
			t.Errorf("%s: planned again: %v %v %v", name, again, added, err)
		}
	}
}

func TestAnyTextCanStandInTOML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got struct{ V []string }
		want := rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "texts")
		want = append(want, rapid.StringOf(rapid.RuneFrom([]rune("\x01\b\t\n\f\r\x1b\x7f\"\\'#<&\u0085\u2028\ufeff"))).Draw(t, "hostile"))
		if err := toml.Unmarshal([]byte("V = "+renderTOML(want)), &got); err != nil {
			t.Fatalf("%q: %v", want, err)
		}
		if d := cmp.Diff(want, got.V); d != "" {
			t.Error(d)
		}
	})
}

func TestTOMLThatIsNotForUsIsRefused(t *testing.T) {
	for old, want := range map[string]error{
		"[m.countersign]\nurl = \"https://x\"\n":         ErrOccupied,
		"m = 1\n":                                        ErrOccupied,
		"[[m]]\na = 1\n":                                 ErrOccupied,
		"[m]\ncountersign = 1\n":                         ErrOccupied,
		"m = { countersign = { command = \"/old\" } }\n": ErrShape,
		"[m.countersign]\ncommand = \n":                  ErrBroken,
		"[m.countersign]\n[m.countersign]\n":             ErrBroken,
		strings.Repeat("a.", 100_000) + "b = 1":          ErrBroken,
		"a = " + strings.Repeat("[", 5000):               ErrBroken,
	} {
		if _, _, err := planTOML([]byte(old), "m", small()); !errors.Is(err, want) {
			t.Errorf("%.40q: %v", old, err)
		}
	}
}

// An entry inside an inline table cannot be extended from outside, so the check after the
// plan has to find it.
func TestATableInOneLineIsNotBrokenByAnAppendix(t *testing.T) {
	for _, old := range []string{
		"m = { other = { command = \"x\" } }\n",
		"m = { countersign = { command = \"/c\" } }\n",
	} {
		edits, _, err := planTOML([]byte(old), "m", small())
		if err == nil && keepsTOML([]byte(old), apply([]byte(old), edits), "m") {
			t.Errorf("%q was extended", old)
		}
	}
}
