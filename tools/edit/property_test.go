package edit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"countersign/backend/change"
	"countersign/backend/tool"

	"pgregory.net/rapid"
)

// edited runs an edit on bytes alone.
func edited(ctx context.Context, file []byte, in input) (plan, error) {
	old, err := change.Scan(ctx, bytes.NewReader(file), maxFile)
	if err != nil {
		return plan{}, err
	}
	p := plan{old: &old, all: in.ReplaceAll}
	if err := unsuited(in, tool.Path{}, &old); err != nil {
		return plan{}, err
	}
	return p, p.find(ctx, in)
}

// check holds an edit against the rules that have no exceptions.
func check(t rapid.TB, file []byte, in input) {
	p, err := edited(context.Background(), file, in)
	e, coded := errors.AsType[*tool.Error](err)
	if err != nil {
		if !coded || len(e.Content) != 1 || !strings.Contains("not_found ambiguous disproportionate identical not_text", string(e.Code[strings.LastIndexByte(string(e.Code), '.')+1:])) {
			t.Fatalf("ended with %v", err)
		}
		if text := e.Content[0].Text.Open(); len(text) > 2000 {
			t.Errorf("%d bytes are said: %.300s", len(text), text)
		}
		if e.Code == CodeNotText {
			return
		}
	}
	old, next := withoutMark(in, p.old.Shape)
	old, next = unixBreaks(old), unixBreaks(next)
	plain := unixBreaks(string(bytes.TrimPrefix(file, []byte(change.BOM))))
	count := 0
	for at := 0; ; count++ {
		i := strings.Index(plain[at:], old)
		if i < 0 {
			break
		}
		at += i + 1
	}
	switch {
	case old == next:
		if e == nil || e.Code != CodeIdentical {
			t.Errorf("identical strings: %v", err)
		}
	case in.ReplaceAll:
		// A carriage return at the end of the new text may join a line break that follows.
		want, got := strings.ReplaceAll(plain, old, next), unixBreaks(string(bytes.TrimPrefix(p.content, []byte(change.BOM))))
		if (count == 0) != (err != nil) || count > 0 && got != want && got != unixBreaks(want) {
			t.Errorf("%d places: %v, %q", count, err, p.content)
		}
	case count == 1:
		if err != nil || p.found.by.name != "exact" {
			t.Errorf("one exact place: %s, %v", p.found.by.name, err)
		}
	case count > 1:
		if e == nil || e.Code != CodeAmbiguous || e.Metadata.Extra["matches"] != count || e.Metadata.Extra["strategy"] != "exact" {
			t.Errorf("%d exact places: %v", count, err)
		}
	}
	if err == nil {
		checkBytes(t, file, in, p)
	}
}

// checkBytes holds the file that an edit makes against the one that it was made from.
func checkBytes(t rapid.TB, file []byte, in input, p plan) {
	places := slices.Collect(p.found.each)
	first, last := places[0], places[len(places)-1]
	if len(places) != p.found.count {
		t.Errorf("%d places, counted %d", len(places), p.found.count)
	}
	text := newText(file, p.old.Shape)
	head, tail := text.plain[:first.start], text.plain[last.end:]
	// What stands before and behind is a start and an end of the file, byte for byte.
	from := len(file) - len(text.raw) + text.byteAt(first.start)
	if !bytes.HasPrefix(p.content, file[:from]) || unixBreaks(string(bytes.TrimPrefix(file[:from], []byte(text.bom)))) != head {
		t.Errorf("before the place: %q", p.content)
	}
	behind := file[len(file)-len(text.raw)+text.byteAt(last.end):]
	if !bytes.HasSuffix(p.content, behind) || unixBreaks(string(behind)) != tail {
		t.Errorf("behind the place: %q", p.content)
	}
	if utf8.Valid(file) != utf8.Valid(p.content) && utf8.Valid(file) {
		t.Errorf("not UTF-8 any more: %q", p.content)
	}
	if ends := p.old.Shape.Ends; ends == change.EndsCRLF && strings.Count(string(p.content), "\n") != strings.Count(string(p.content), "\r\n") {
		t.Errorf("a line break that is not CRLF: %q", p.content)
	}
	// Outer white space of the file is not taken by a quote that has none.
	if core := strings.TrimSpace(unixBreaks(in.OldString)); core == unixBreaks(in.OldString) {
		for _, r := range places {
			matched := text.plain[r.start:r.end]
			if matched == "" || matched != strings.TrimSpace(matched) {
				t.Errorf("%s took %q for %q", p.found.by.name, matched, core)
			}
		}
	}
}

// drawn makes a file with a quote that is often like a part of it.
func drawn(t *rapid.T) ([]byte, input) {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"", "{", "}", "  a = 1;", "\ta = 1;", "a  = 2;", "b(\"x\")", "  b('y') ", "return\ta", "\u00e9t\u00e9", "x\rz", "\\n\\t"}),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab =;\t\\n\"é\u00a0")), 0, 8, -1))
	lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
	ends := rapid.SampledFrom([]string{"\n", "\r\n", "both"}).Draw(t, "ends")
	var file strings.Builder
	if rapid.IntRange(0, 4).Draw(t, "mark") == 0 {
		file.WriteString(change.BOM)
	}
	for i, l := range lines {
		file.WriteString(l)
		end := ends
		if ends == "both" {
			end = rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		}
		if i < len(lines)-1 || rapid.Bool().Draw(t, "ended") {
			file.WriteString(end)
		}
	}
	content := []byte(file.String())
	if rapid.IntRange(0, 4).Draw(t, "latin") == 0 {
		content = append(content, "\xe9\n"...)
	}
	from := rapid.IntRange(0, len(lines)).Draw(t, "from")
	to := rapid.IntRange(from, len(lines)).Draw(t, "to")
	part := slices.Clone(lines[from:to])
	for i := range part {
		switch rapid.IntRange(0, 7).Draw(t, "change") {
		case 0:
			part[i] = strings.TrimSpace(part[i])
		case 1:
			part[i] = "    " + part[i]
		case 2:
			part[i] = strings.Join(strings.FieldsFunc(part[i], unicode.IsSpace), "  ")
		case 3:
			part[i] += rapid.SampledFrom([]string{" ", "x", ";"}).Draw(t, "more")
		case 4:
			part[i] = strings.ReplaceAll(part[i], `"`, `\"`)
		}
	}
	in := input{
		OldString:  strings.Join(part, "\n") + rapid.SampledFrom([]string{"", "\n", " "}).Draw(t, "tail"),
		NewString:  strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "new"), "\n"),
		ReplaceAll: rapid.IntRange(0, 4).Draw(t, "all") == 0,
	}
	if in.OldString == "" {
		in.OldString = "a"
	}
	return content, in
}

// spec: KH-34, KH-35, KH-57
func TestAnEditKeepsItsRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file, in := drawn(t)
		check(t, file, in)
	})
}

// Lines that nobody named keep their bytes, whatever ends them.
//
// spec: KH-29, KH-34
func TestLinesThatStayKeepTheirOwnEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "lines")
		var lines []string
		for i := range n {
			lines = append(lines, string(rune('a'+i))+rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"))
		}
		from := rapid.IntRange(0, n-1).Draw(t, "from")
		to := rapid.IntRange(from+1, n).Draw(t, "to")
		quoted := lines[from:to]
		// Some lines go, some come, the others stay.
		var next, stay []string
		for _, l := range quoted {
			if rapid.IntRange(0, 3).Draw(t, "fate") > 0 {
				next = append(next, l[:1])
				stay = append(stay, l)
			}
			if rapid.IntRange(0, 3).Draw(t, "more") == 0 {
				next = append(next, "new")
			}
		}
		in := input{OldString: unixBreaks(strings.Join(quoted, "")), NewString: strings.Join(append(next, ""), "\n")}
		if in.OldString == in.NewString {
			in.NewString += "new\n"
		}
		p, err := edited(context.Background(), []byte(strings.Join(lines, "")), in)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.SplitAfter(string(p.content), "\n")
		for _, l := range got {
			if l != "" && !strings.HasPrefix(l, "new") && !slices.Contains(lines, l) {
				t.Errorf("%q is no line of the file any more: %q", l, p.content)
			}
		}
		for _, l := range stay {
			if !slices.Contains(got, l) {
				t.Errorf("%q is gone: %q", l, p.content)
			}
		}
		if want := strings.Join(lines[:from], ""); !strings.HasPrefix(string(p.content), want) {
			t.Errorf("before: %q", p.content)
		}
		if want := strings.Join(lines[to:], ""); !strings.HasSuffix(string(p.content), want) {
			t.Errorf("behind: %q", p.content)
		}
	})
}

// A block that is quoted at another depth is edited as if it had been quoted at its own.
//
// spec: KH-34
func TestABlockAtAnotherDepthGetsTheDepthOfTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depths := []string{"", "  ", "    ", "\t", "\t\t", "      "}
		i := rapid.IntRange(0, len(depths)-1).Draw(t, "from")
		from, to := depths[i], depths[(i+rapid.IntRange(1, len(depths)-1).Draw(t, "to"))%len(depths)]
		line := rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "deeper") + rapid.StringMatching("[a-z]{4,9}").Draw(t, "word")
		})
		at := func(depth string, lines []string) string {
			out := make([]string, len(lines))
			for i, l := range lines {
				if l != "" {
					out[i] = depth + l
				}
			}
			return strings.Join(out, "\n")
		}
		// The first line stands at the depth itself, so that both sides have it in common.
		old := append([]string{rapid.StringMatching("[A-Z]{4,9}").Draw(t, "first")}, rapid.SliceOfN(rapid.OneOf(line, rapid.Just("")), 0, 5).Draw(t, "old")...)
		old = append(old, rapid.StringMatching("[A-Z]{4,9}").Draw(t, "last"))
		next := append([]string{"first"}, rapid.SliceOfN(rapid.OneOf(line, rapid.Just("")), 0, 5).Draw(t, "new")...)
		file := func(block []string) string { return "before\n" + at(to, block) + "\nbehind\n" }
		p, err := edited(context.Background(), []byte(file(old)), input{OldString: at(from, old), NewString: at(from, next)})
		if err != nil {
			t.Fatal(err)
		}
		if p.found.by.name != "indentation_flexible" || string(p.content) != file(next) {
			t.Errorf("%s made %q, want %q", p.found.by.name, p.content, file(next))
		}
	})
}

func FuzzEdit(f *testing.F) {
	for _, s := range []struct {
		file, old, new string
	}{
		{"a\nb\n", "b", "c"}, {"\ufeffa\r\nb\r\n", "a\nb", "c"}, {"\t\tgo()\n\t\tstop()\n", "go()\nstop()", "x\ny"},
		{"f(x); g(x);\n", " x ", "y"}, {"{\n a b\n}\n", "{\n a c\n}", "z"}, {"x\xe9\nq  r\n", "q r\n", "s\n"},
		{"log(\"a\")", `log(\"a\")`, `\n`}, {"head\nkeep\n???\ntail", "head\nkeep\nabc\ntail", ""}, {"\r\r\n\n", "\n", "\r"},
		{"     1→a\n", "     1→a\n     2→b", ""}, {"a b\n c", "\n\na  b c\n", "\nd"},
	} {
		f.Add([]byte(s.file), s.old, s.new, false)
		f.Add([]byte(s.file), s.old, s.new, true)
	}
	f.Fuzz(func(t *testing.T, file []byte, old, new string, all bool) {
		if old == "" || old == new || !utf8.ValidString(old) || !utf8.ValidString(new) {
			return
		}
		check(t, file, input{OldString: old, NewString: new, ReplaceAll: all})
	})
}
