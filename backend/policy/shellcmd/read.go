package shellcmd

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// Longer and deeper texts are not read: what nobody would type, nobody would check either.
const (
	maxBytes = 64 << 10
	maxDepth = 100
	// maxScripts is how deep scripts may stand in words of scripts.
	maxScripts = 8
	// maxCommands is how many simple commands are listed.
	maxCommands = 2000
	// maxExported is how many variables are followed that programs may see.
	maxExported = 64
	// maxUnclosed is how many here-documents may be ended by the end of the text.
	maxUnclosed = 8
	// maxDigits is how long the number of a descriptor may be: bash takes one that is too
	// large for a word.
	maxDigits = 4
)

// Read says what bash would do with text, started as its -c in the folder of p. It runs
// nothing and looks at no file.
func Read(text string, p Place) Reading {
	return read(text, p, program.Judge)
}

// read is Read with what knows the programs handed in.
func read(text string, p Place, judge func(program.Invocation) program.Judgement) Reading {
	out := Reading{Hidden: hidden(text)}
	r := &reader{judge: judge, place: p, out: &out, of: -1, left: newBudget()}
	if why := r.script(text, newState(p)); why != "" {
		return Reading{Why: why, Hidden: out.Hidden}
	}
	for _, c := range out.Commands {
		if len(c.Words) > 0 && otherShell(c.Words[0].Text) {
			return Reading{Why: "it is written for another shell, which reads it by other rules", Hidden: out.Hidden}
		}
	}
	out.Parsed = true
	follow(&out)
	return out
}

// reader walks one text; a script that stands in a word of it gets a reader of its own.
type reader struct {
	judge func(program.Invocation) program.Judgement
	place Place
	out   *Reading
	// standIn is the byte that stands for a carriage return while the text is parsed.
	standIn byte
	length  int
	text    string
	facts   facts
	depth   int
	// scripts counts the readers around this one, within is where its text stands in the
	// command line; of is -1, since the index of the command that starts it comes later.
	scripts int
	within  *span
	of      int
	refused string
	// left is what may still be guessed, substitutions how many are guessed in one another.
	left          *budget
	substitutions int
	// foreign says that the script is read by a shell that may not be bash.
	foreign bool
	// current is the state behind the last statement of the script.
	current state
}

type span struct{ start, end int }

// script reads a text from its beginning; it says why where it cannot.
func (r *reader) script(text string, st state) string {
	file, why := r.parse(text)
	if why != "" {
		return why
	}
	r.length = len(text)
	if joinsComment(file, r.text) {
		return "a comment in it ends in a backslash, which is easily misread"
	}
	if joinsWord(file, r.text) {
		return "a line of it goes on in the middle of a word, which is easily misread"
	}
	around := r.facts
	r.facts, why = survey(file, r.text)
	if why != "" {
		return why
	}
	r.facts.inherit(&around)
	if r.foreign && bashOnly(file) {
		r.unsure("a shell that may not be bash reads a script that is written for bash")
	}
	r.out.Commands = slices.Grow(r.out.Commands, r.facts.calls)
	ok, no := r.list(file.Stmts, st)
	r.current = join(ok, no)
	return r.refused
}

func (r *reader) parse(text string) (*syntax.File, string) {
	switch {
	case len(text) > maxBytes:
		return nil, "it is longer than 64 KB"
	case !utf8.ValidString(text):
		return nil, "it holds bytes that are no text"
	case strings.IndexByte(text, 0) >= 0:
		return nil, "it holds a NUL character, at which a shell may stop"
	case strings.HasPrefix(text, "-"), strings.HasPrefix(text, "+"):
		return nil, "bash would take it for options of its own"
	case (len(text)-len(strings.TrimRight(text, "\\")))%2 == 1:
		return nil, "it ends in a backslash, behind which something may be missing"
	case depth(text) > maxDepth:
		return nil, "its brackets are nested too deep"
	}
	if strings.IndexByte(text, '\r') >= 0 {
		// The parser drops a carriage return before a line break; bash keeps it as a letter
		// like any other.
		if r.standIn = unused(text); r.standIn == 0 {
			return nil, "it holds too many kinds of control characters"
		}
		text = strings.ReplaceAll(text, "\r", string(rune(r.standIn)))
	}
	for range maxUnclosed {
		r.text = text
		file, err := parsed(text)
		if err == nil {
			return file, ""
		}
		stop, ok := unclosed(err)
		if !ok || strings.HasSuffix(text, "\\") {
			break
		}
		// bash takes the end of the text for the end of the here-document.
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += stop + "\n"
	}
	return nil, "bash does not take it, or reads it in a way that cannot be told for certain"
}

// parsed parses a text. A parser that cannot go on has not read it.
func parsed(text string) (file *syntax.File, err error) {
	defer func() {
		if recover() != nil {
			file, err = nil, errors.New("the parser gave up")
		}
	}()
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// unclosed returns the delimiter that a here-document lacks.
func unclosed(err error) (string, bool) {
	var wrong syntax.ParseError
	if !errors.As(err, &wrong) {
		return "", false
	}
	quoted, ok := strings.CutPrefix(wrong.Text, "unclosed here-document ")
	if !ok {
		return "", false
	}
	stop, err := strconv.Unquote(quoted)
	return stop, err == nil && stop != "" && !strings.ContainsAny(stop, "\n\\")
}

// unused returns a control character that text does not hold and that no shell gives a
// meaning to, 0 if it holds them all.
func unused(text string) byte {
	for b := byte(2); b < 7; b++ {
		if strings.IndexByte(text, b) < 0 {
			return b
		}
	}
	return 0
}

// depth is how deep brackets seem to be nested. Those in quotes count too, so that it may be
// too much, never so much too little that the parser could run out of stack.
func depth(text string) int {
	now, most := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			now++
			most = max(most, now)
		case ')', '}', ']':
			now = max(0, now-1)
		}
	}
	return most
}

// refuse ends the reading.
func (r *reader) refuse(why string) {
	if r.refused == "" {
		r.refused = why
	}
}

// unsure notes that what runs cannot be told.
func (r *reader) unsure(why string) {
	if !r.out.Dynamic {
		r.out.Dynamic, r.out.Why = true, why
	}
}

func (r *reader) at(start, end syntax.Pos) span {
	if r.within != nil {
		return *r.within
	}
	s := span{int(start.Offset()), int(end.Offset())}
	s.end = min(s.end, r.length)
	s.start = min(s.start, s.end)
	return s
}
