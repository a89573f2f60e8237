package shellcmd

import (
	"strings"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// word is one word with what only the reader of the shell knows of it.
type word struct {
	program.Word
	// shown is the text as it is listed.
	shown string
	// unsure says why what the shell makes of it cannot be told, even where its text is
	// known.
	unsure string
	// plain says that what is not known of it is a number, or one of the words of a loop, none
	// of which is an option: unsure then matters only to a program that does more than print.
	plain bool
	// tilde says that it begins with ~ that the shell does not replace.
	tilde bool
	// guesses are what may stand in its place where it is not known, each a list of words; nil
	// where nothing is known of that either.
	guesses []guess
}

// nested is a list of commands that stands inside a word.
type nested struct {
	stmts []*syntax.Stmt
	// fed says that it reads from the command around it.
	fed bool
}

// builder puts a word together from its parts.
type builder struct {
	r     *reader
	st    state
	inner *[]nested
	// assigned says that it is the value of an assignment, heredoc that it is the text of a
	// here-document: there the shell makes neither several words nor names of files of it.
	assigned, heredoc bool

	text, shown    strings.Builder
	dynamic, glob  bool
	why            string
	tilde          bool
	brace, bracket bool
	begun          bool
	// numbers says that it holds a part that is plain, others one that is not.
	numbers, others bool
	guessing        guessing
	// depth is how many words with variables in them this one stands in.
	depth int
}

// words reads the words of a command. The commands inside them are added to inner.
func (r *reader) words(list []*syntax.Word, st state, inner *[]nested) []word {
	out := make([]word, 0, len(list))
	for _, w := range list {
		r.ends(w)
		if texts, ok := braces(w); ok {
			at := r.at(w.Pos(), w.End())
			for _, text := range texts {
				text = r.restore(text)
				out = append(out, word{Word: program.Word{Text: text, Glob: strings.ContainsAny(text, "*?"), Start: at.start, End: at.end}, shown: text})
			}
			continue
		}
		one := r.word(w, builder{st: st, inner: inner})
		if one.Dynamic {
			if made := r.bracesGuessed(w, st); made != nil {
				one.guesses = made
			}
		}
		out = append(out, one)
	}
	return out
}

// ends refuses a script in which a word goes on where the parser ends it, with a comment that
// is none for bash.
func (r *reader) ends(w *syntax.Word) {
	if at := int(w.End().Offset()); at < len(r.text) && strings.IndexByte(" \t\n;&|()<>`\\", r.text[at]) < 0 {
		r.refuse("a word in it goes on where it seems to end")
	}
}

// word reads one word with what b says of its place.
func (r *reader) word(w *syntax.Word, b builder) word {
	at := r.at(w.Pos(), w.End())
	if text, ok := simpleText(w); ok {
		text = r.restore(text)
		return word{Word: program.Word{Text: text, Start: at.start, End: at.end}, shown: text}
	}
	b.r = r
	b.parts(w.Parts, false)
	out := b.word()
	out.shown = collapse(out.shown)
	out.Start, out.End = at.start, at.end
	return out
}

// simpleText returns the text of a word that is all of one kind and holds nothing special.
func simpleText(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value, !strings.ContainsAny(p.Value, "\\*?[~{")
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar && !strings.HasPrefix(p.Value, "~")
	}
	return "", false
}

func (b *builder) word() word {
	w := word{Word: program.Word{Text: b.r.restore(b.text.String()), Dynamic: b.dynamic, Glob: b.glob}, shown: b.r.restore(b.shown.String()), unsure: b.why, tilde: b.tilde}
	if b.brace && !b.assigned && !b.heredoc {
		w.Dynamic = true
		w.Text, w.shown = program.Unknown, program.Unknown
		b.doubt("it holds braces that the shell makes several words of")
		w.unsure = b.why
	}
	w.plain = b.numbers && !b.others && !b.glob
	if w.Dynamic {
		w.guesses = b.guessed()
	}
	return w
}

// collapse lists a word that is not known as one, but for an option or a name before it.
func collapse(shown string) string {
	i := strings.Index(shown, program.Unknown)
	if i < 0 {
		return shown
	}
	if name, ok := strings.CutSuffix(shown[:i], "="); ok && variable(strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")) {
		return shown[:i] + program.Unknown
	}
	return program.Unknown
}

// restore puts carriage returns back.
func (r *reader) restore(text string) string {
	if r.standIn == 0 {
		return text
	}
	return strings.ReplaceAll(text, string(rune(r.standIn)), "\r")
}

func (b *builder) add(text string) {
	b.guessing.add(text)
	b.text.WriteString(text)
	b.shown.WriteString(text)
	b.begun = true
}

func (b *builder) doubt(why string) {
	b.others = true
	if b.why == "" {
		b.why = why
	}
}

// unknown adds a part that only the shell can know. may are the texts that it may be.
func (b *builder) unknown(why string, may ...string) {
	b.open(may)
	b.doubt(why)
}

// open adds a part of which no more is known than what it may be.
func (b *builder) open(may []string) {
	for _, text := range may {
		b.r.left.bytes -= len(text)
	}
	if b.r.left.bytes < 0 {
		may = nil
	}
	b.guessing.either(b.text.String(), may)
	b.text.WriteString(program.Unknown)
	b.shown.WriteString(program.Unknown)
	b.begun, b.dynamic = true, true
}

// number adds a part that only the shell can know and that is plain.
func (b *builder) number(why string, may ...string) {
	b.open(may)
	b.numbers = true
	if b.why == "" {
		b.why = why
	}
}

// known adds a part that the shell replaces by a text that is known.
func (b *builder) known(text, why string, show bool) {
	if b.r.left.bytes -= len(text); b.r.left.bytes < 0 || b.text.Len()+len(text) > maxValue {
		b.unknown(why)
		return
	}
	b.guessing.add(text)
	b.text.WriteString(text)
	if show {
		b.shown.WriteString(text)
	} else {
		b.shown.WriteString(program.Unknown)
	}
	b.begun = true
	b.doubt(why)
}

func (b *builder) parts(parts []syntax.WordPart, quoted bool) {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.literal(p.Value, quoted, i == len(parts)-1)
		case *syntax.SglQuoted:
			b.single(p)
		case *syntax.DblQuoted:
			b.begin()
			if p.Dollar {
				b.doubt("it holds a text that is translated")
			}
			b.parts(p.Parts, true)
		case *syntax.ParamExp:
			b.parameter(p, quoted)
		case *syntax.CmdSubst:
			b.nest(p)
			b.unknown("it puts in what another command prints", b.r.substituted(p, b.st)...)
		case *syntax.ProcSubst:
			b.nest(p)
			b.unknown("it puts in the name of a pipe")
		case *syntax.ArithmExp:
			b.nest(p)
			b.unknown("it puts in the result of a calculation")
		default:
			b.nest(p)
			b.unknown("it holds a pattern that cannot be told")
		}
	}
}

// begin notes that the word has begun, so that a later ~ is an ordinary letter.
func (b *builder) begin() {
	if !b.begun && b.text.Len() == 0 {
		b.begun = true
	}
}

func (b *builder) single(p *syntax.SglQuoted) {
	first := b.text.Len() == 0 && !b.begun
	text := p.Value
	if p.Dollar {
		var ok bool
		if text, ok = ansi(text); !ok {
			b.unknown("it holds an escape that cannot be told")
			return
		}
	}
	b.tilde = b.tilde || first && strings.HasPrefix(text, "~")
	b.add(text)
}

// literal adds a part of a word that stands in the text as it is, but for backslashes.
func (b *builder) literal(s string, quoted, last bool) {
	if quoted {
		b.tilde = b.tilde || b.text.Len() == 0 && strings.HasPrefix(s, "~")
		b.add(unescape(s, b.heredoc))
		return
	}
	if b.heredoc {
		b.add(unescape(s, true))
		return
	}
	var text strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '\\':
			if i+1 == len(s) {
				text.WriteByte(c)
				continue
			}
			i++
			if s[i] == '~' && b.text.Len() == 0 && text.Len() == 0 && !b.begun {
				b.tilde = true
			}
			if s[i] != '\n' {
				text.WriteByte(s[i])
			}
			continue
		case '*', '?':
			b.glob = b.glob || !b.assigned
		case '[':
			b.bracket = true
		case ']':
			b.glob = b.glob || b.bracket && !b.assigned
		case '{':
			b.brace = b.brace || opens(s[i:])
		case '~':
			if b.tildeHere(text.String()) && b.user(s[i:], last) {
				b.unknown("it names the folder of a user", b.folderOf(s[i:])...)
				if end := strings.IndexByte(s[i:], '/'); end >= 0 {
					i += end - 1
				} else {
					i = len(s)
				}
				continue
			}
		}
		text.WriteByte(c)
	}
	b.add(text.String())
}

// tildeHere says whether an unquoted ~ behind text is replaced by the shell.
func (b *builder) tildeHere(text string) bool {
	if b.text.Len() == 0 && text == "" {
		return !b.begun
	}
	if !b.assigned {
		return false
	}
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "=")
}

// user says whether s begins with a ~ that is not the one of the user at the desk.
func (b *builder) user(s string, last bool) bool {
	if s == "~" {
		return !last
	}
	if strings.HasPrefix(s, "~/") {
		_, ok := b.r.home()
		return !ok
	}
	// In an assignment a colon ends the name.
	return true
}

// opens says whether s, which begins with a brace, may be one that makes several words.
func opens(s string) bool {
	return !strings.HasPrefix(s, "{}")
}
