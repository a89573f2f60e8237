package shellcmd

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

type shellCase struct {
	ID      string `json:"id"`
	Group   string `json:"group"`
	Command string `json:"command"`
	Shell   string `json:"shell"`
	Expect  struct {
		Parse    string   `json:"parse"`
		Commands []string `json:"commands"`
		Dynamic  bool     `json:"dynamic"`
		Writes   []string `json:"writes"`
	} `json:"expect"`
}

func cases(t testing.TB) []shellCase {
	t.Helper()
	file, err := os.Open("testdata/shell.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out []shellCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c shellCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

var place = Place{Directory: "/w", Home: "/home/user"}

// bare takes off what quotes: the files list commands with and without.
func bare(list []string) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(s))
	}
	return out
}

func shownOf(r Reading) []string {
	out := []string{}
	for _, c := range r.Commands {
		if c.Shown != "" {
			out = append(out, c.Shown)
		}
	}
	return out
}

func TestReadAnswersTheCases(t *testing.T) {
	for _, c := range cases(t) {
		if c.Shell != "" {
			// What another shell would make of a line is not for this reader to say.
			if got := Read(c.Command, place); got.Parsed || got.Why == "" {
				t.Errorf("%q is for %s, and read as %q", c.Command, c.Shell, shownOf(got))
			}
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			got := Read(c.Command, place)
			if got.Parsed != (c.Expect.Parse == "ok") {
				t.Fatalf("%q: parsed is %v: %s", c.Command, got.Parsed, got.Why)
			}
			if want, have := bare(c.Expect.Commands), bare(shownOf(got)); !slices.Equal(want, have) {
				t.Errorf("%q\n got %q\nwant %q", c.Command, have, want)
			}
			if got.Dynamic != c.Expect.Dynamic {
				t.Errorf("%q: dynamic is %v (%s)", c.Command, got.Dynamic, got.Why)
			}
		})
	}
}
