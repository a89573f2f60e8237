package program

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// pieces are what random words are made of.
func pieces() []string {
	out := strings.Fields("-- - -c -x -o -e -f -i -I -C -t -z -- --output --output= --pre=x -exec {} ; + ( ) ! a=b =x PATH=x : :x @f @ a@ user@h:p http://h/x http:// file:/// ext::x .. ../x /etc ~ ~/x * [a] '' $(x) a[$(x)] 1 777 u+s s/a/b/w s/a/b/e 1{w {print>x} @load <dynamic> +x -9 \\ / // -o/ --= -= é")
	out = append(out, "", " ", "-", "a\nb", "s/a", "s|[|]|x|", "/[", "{print > \"", "\\", "y/a/")
	for id := range rows().rows {
		out = append(out, strings.Fields(id)...)
	}
	for _, r := range rows().rows {
		for n := range r.options {
			out = append(out, n)
			break
		}
	}
	return out
}

// What is judged is inside what was given, and nothing that was given makes it fail.
func TestAnyWordsAreJudged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	list := pieces()
	for range 60_000 {
		words := make([]Word, 1+random.IntN(9))
		for i := range words {
			words[i] = Word{Text: list[random.IntN(len(list))], Dynamic: random.IntN(12) == 0, Glob: random.IntN(12) == 0}
		}
		inv := Invocation{Words: words, Fed: random.IntN(2) == 0}
		if random.IntN(4) == 0 {
			inv.Script = &words[0].Text
		}
		j := Judge(inv)
		for _, f := range j.Findings {
			if f.Word < -1 || f.Word >= len(words) || f.Words == "" || f.Rule == "" || f.Effect == "" {
				t.Fatalf("%+v: %+v", words, f)
			}
		}
		for _, p := range j.Paths {
			if p.Word < 0 || p.Word >= len(words) || p.Text == "" || p.Access == "" {
				t.Fatalf("%+v: %+v", words, p)
			}
		}
		for _, in := range j.Inner {
			if in.By < 0 || in.By >= len(words) || (in.Shell == nil) == (len(in.Words) == 0) {
				t.Fatalf("%+v: %+v", words, in)
			}
		}
	}
}

// A harmless word more never hides what the words before it do.
func TestAWordMoreHidesNoRestriction(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	list := pieces()
	for _, command := range []string{"sudo", "git push --force", "git push origin +x", "countersign", "find . -exec sudo x ;", "su"} {
		for range 500 {
			words := append(split(command), Word{Text: list[random.IntN(len(list))]}, Word{Text: list[random.IntN(len(list))]})
			j := Judge(Invocation{Words: words})
			if hit, _ := j.shows("restricted"); !hit {
				t.Fatalf("%+v: %+v", words, j)
			}
		}
	}
}

func TestDeepWrappersEnd(t *testing.T) {
	j := Judge(Invocation{Words: split(strings.Repeat("env ", 5_000) + "rm x")})
	if len(j.Inner) != 1 || len(j.Inner[0].Words) != 5_002-maxDepth-1 {
		t.Errorf("%d words", len(j.Inner[0].Words))
	}
}

func BenchmarkJudge(b *testing.B) {
	for _, command := range []string{"git log --oneline -5", "sed -n 1,5p f", "grep -rn foo src", "sudo env FOO=1 rm -rf x", "find . -name x -exec rm {} +"} {
		words := split(command)
		b.Run(strings.ReplaceAll(command, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Judge(Invocation{Words: words})
			}
		})
	}
}
