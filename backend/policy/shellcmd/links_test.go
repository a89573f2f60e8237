package shellcmd

import (
	"slices"
	"testing"
)

// A link that a command line makes is not there yet when it is judged.
func TestALinkThatIsMadeIsFollowed(t *testing.T) {
	for text, want := range map[string]string{
		"ln -s .git/hooks h && cp a h/b":              "w /w/.git/hooks/b",
		"ln -sfn .git/hooks s/h; echo x > s/h/y":      "w /w/.git/hooks/y",
		"ln -s . d; cat d/out/x":                      "r /w/out/x",
		"ln -s .git g; ln -s g f; echo x > f/config":  "w /w/.git/config",
		"cd s/a && ln -s ../../.. ../up; cat ../up/x": "r /x",
		"mv out x && cat x/secret":                    "r /w/out/secret",
		"mv out d/ && cat d/out/secret":               "r /w/out/secret",
		"cp -a s d; echo y > d/out/z":                 "r /w/s/out/z",
		"mv -t d out; rm d/out/z":                     "w /w/out/z",
		"env ln -s .git g; sed -i s/a/b/ g/config":    "w /w/.git/config",
		"while true; do cat h/b; ln -s .git h; done":  "r /w/.git/b",
		"ln .git/config c; echo >> c":                 "w /w/.git/config",
		"ln -s .git g && sh -c 'echo x > g/config'":   "w /w/.git/config",
		"f() { ln -s .git g; }; f; echo x > g/config": "w /w/.git/config",
		"ln -s \"$PWD\" d; cat d/out/x":               "r /w/out/x",
	} {
		if got := used(text); !slices.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"ln -s .git; cat x", "ln -s $x h; cat h/a"} {
		if !Read(text, place).Dynamic {
			t.Errorf("%q is plain", text)
		}
	}
	for text, not := range map[string]string{
		"ln -s .git g; rm g": "w /w/.git", "cp -r .git b; rm -rf b/hooks": "w /w/.git/hooks", "cp a b; rm b": "w /w/a", "ln -s a b": "r /w/a/b",
	} {
		if got := used(text); slices.Contains(got, not) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
