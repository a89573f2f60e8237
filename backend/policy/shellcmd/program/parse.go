package program

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
)

// sources are the rows as they are written: a line that is not indented names the
// programs, or a program, a colon and subcommands; the lines below it say what they do.
//
//	sort
//	  -k -t --key : =
//	  -o --output : = output
//	  operands read
//	  catch writes sort -o f
//	  pass writes sort -k 2 f
//
// How a program goes into the folders among its operands, where it does more than list names,
// is said by "through" (with the options that make it do so), "lists" (those that do not),
// "follows" (links), "hidden" and "ignored" (what it leaves out without these options), "only",
// "except", "except-folders" (options with patterns) and "here" (without an operand it is its
// own folder). "looks" is a program that reads what it names and prints, unless its words do
// more, and "wide" what takes away more than the words name. "signs" is a file to sign in with, whose text is not sent.
//
// A line of options has a colon, "=" where they take a value, "==" a name and a value, "=>"
// the next word even in the middle of a cluster, and "?" where they may have one attached. A row with an @ is not for a program but for "use" in others.
//
//go:embed table/*.txt
var sources embed.FS

// example is a command that a row must catch, or let pass.
type example struct {
	row     *row
	catch   bool
	what    string
	command string
}

// packed is the table, read when it is first asked.
var packed struct {
	once  sync.Once
	table *table
	fault error
}

func loaded() (*table, error) {
	packed.once.Do(func() { packed.table, packed.fault = parseAll(sources) })
	return packed.table, packed.fault
}

func rows() *table {
	t, _ := loaded()
	return t
}

// parseAll reads all files of the table. It always gives a table, so that a fault in one
// row, which refuses the start, never lets anything through either.
func parseAll(from fs.FS) (*table, error) {
	t := &table{rows: map[string]*row{}, under: map[[2]string]*row{}}
	files, err := fs.Glob(from, "table/*.txt")
	faults := []error{err}
	for _, name := range files {
		text, err := fs.ReadFile(from, name)
		faults = append(faults, err)
		p := parser{table: t, file: name}
		for n, line := range strings.Split(string(text), "\n") {
			if err := p.line(line); err != nil {
				faults = append(faults, fmt.Errorf("%s:%d: %w", name, n+1, err))
			}
		}
	}
	for id, r := range t.rows {
		r.finish()
		if at := strings.LastIndexByte(id, ' '); at > 0 {
			t.under[[2]string{id[:at], id[at+1:]}] = r
		}
	}
	return t, errors.Join(faults...)
}

type parser struct {
	table *table
	file  string
	row   *row
	// own are the options that the row has a line for, and not from another row.
	own map[string]bool
}

func (p *parser) line(line string) error {
	text := strings.TrimSpace(line)
	if text == "" || strings.HasPrefix(text, "#") {
		return nil
	}
	if line[0] != ' ' {
		return p.header(text)
	}
	if p.row == nil {
		return errors.New("a line before the first row")
	}
	key, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if key[0] == '-' || key[0] == '+' {
		return p.options(text)
	}
	return p.keyword(key, rest)
}

func (p *parser) header(text string) error {
	parent, names := "", text
	if at := strings.Index(text, ": "); at > 0 && text[at-1] != ' ' {
		parent, names = text[:at], text[at+2:]
	}
	list := strings.Fields(names)
	if len(list) == 0 {
		return errors.New("a row without a name")
	}
	p.own = map[string]bool{}
	p.row = &row{options: map[string]*option{}, wraps: -1}
	for _, parent := range strings.Split(parent, ",") {
		for _, n := range list {
			id := strings.TrimSpace(parent + " " + n)
			if p.table.rows[id] != nil {
				return fmt.Errorf("%s is there twice", id)
			}
			if p.row.id == "" {
				p.row.id = id
			}
			p.table.rows[id] = p.row
		}
	}
	return nil
}

func (p *parser) options(text string) error {
	names, does, ok := strings.Cut(text, " :")
	if !ok {
		return fmt.Errorf("options without a colon: %s", text)
	}
	o := &option{}
	words := strings.TrimSpace(does)
	if rest, has := strings.CutPrefix(words, "=="); has {
		o.need, words = needPair, rest
	} else if rest, has := strings.CutPrefix(words, "=>"); has {
		o.need, words = needNext, rest
	} else if rest, has := strings.CutPrefix(words, "="); has {
		o.need, words = needValue, rest
	} else if rest, has := strings.CutPrefix(words, "?"); has {
		o.need, words = needAttached, rest
	}
	var err error
	if o.acts, err = acts(words); err != nil {
		return err
	}
	for _, n := range strings.Fields(names) {
		if p.own[n] {
			return fmt.Errorf("%s is there twice", n)
		}
		p.own[n], p.row.options[n] = true, o
	}
	return nil
}

// acts reads tokens: what is quoted behind them are the words of the findings.
func acts(text string) ([]act, error) {
	text, words, quoted := strings.Cut(text, `"`)
	words = strings.TrimSuffix(strings.TrimSpace(words), `"`)
	restricted := false
	var out []act
	for _, t := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '+' }) {
		if t == "restricted" {
			restricted = true
			continue
		}
		does, ok := tokens[t]
		if !ok {
			return nil, fmt.Errorf("no such thing as %q", t)
		}
		out = append(out, does...)
	}
	for i := range out {
		if quoted {
			out[i].words = words
		} else if out[i].kind == actOpaque {
			return nil, errors.New("opaque without a reason")
		}
		out[i].restricted = restricted
	}
	return out, nil
}

func (p *parser) keyword(key, rest string) (err error) {
	r := p.row
	switch key {
	case "style":
		var ok bool
		if r.style, ok = styles[rest]; !ok {
			return fmt.Errorf("no such style: %s", rest)
		}
	case "operands":
		for _, role := range strings.Fields(rest) {
			does, err := acts(role)
			if err != nil {
				return err
			}
			r.roles = append(r.roles, does)
		}
	case "last":
		r.final, err = acts(rest)
	case "skip":
		r.skip = setOf(rest)
	case "quiet":
		r.quiet = setOf(rest)
	case "always":
		var more []act
		more, err = acts(rest)
		r.always = append(r.always, more...)
	case "none":
		r.none, err = acts(rest)
	case "given":
		count, does, _ := strings.Cut(rest, " ")
		if r.givenAt, err = strconv.Atoi(count); err == nil {
			r.given, err = acts(does)
		}
	case "subs":
		r.subs = true
		r.others, err = acts(rest)
	case "prints":
		r.prints = true
	case "looks":
		r.looks = true
	case "nothing":
		r.nothing, r.looks, r.style = true, true, styleNone
	case "wraps":
		return r.wrapsFrom(rest)
	case "use":
		return p.use(rest)
	case "special":
		if r.special = special(rest); r.special == nil {
			return fmt.Errorf("no such special: %s", rest)
		}
	case "catch", "pass":
		what, command, _ := strings.Cut(rest, " ")
		p.table.examples = append(p.table.examples, example{row: r, catch: key == "catch", what: what, command: command})
	default:
		if !r.deepKeyword(key, rest) {
			return fmt.Errorf("no such keyword: %s", key)
		}
	}
	return err
}

func (r *row) wrapsFrom(rest string) (err error) {
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return errors.New("wraps without a place")
	}
	if r.wraps, err = strconv.Atoi(fields[0]); err != nil {
		return err
	}
	for _, f := range fields[1:] {
		switch f {
		case "more":
			r.wrap.more = true
		case "elsewhere":
			r.wrap.elsewhere = true
		case "shell":
			r.wrap.shell = true
		default:
			return fmt.Errorf("no such way to start a command: %s", f)
		}
	}
	if r.style == styleGNU {
		r.style = stylePosix
	}
	return nil
}

// use takes the options of a row over that have no line of their own yet.
func (p *parser) use(name string) error {
	from := p.table.rows[name]
	if from == nil {
		return fmt.Errorf("no such row above: %s", name)
	}
	for n, o := range from.options {
		if p.row.options[n] == nil {
			p.row.options[n] = o
		}
	}
	return nil
}

// finish works out what follows from all lines of a row.
func (r *row) finish() {
	for _, names := range append(r.deep.names(), r.quiet, r.skip) {
		for n := range names {
			if r.options[n] == nil {
				r.options[n] = &option{}
			}
		}
	}
	r.cluster = true
	for n, o := range r.options {
		r.plus = r.plus || n[0] == '+' && len(n) == 2
		if len(n) > 2 && n[1] != '-' {
			r.cluster = false
		}
		for _, a := range o.acts {
			if a.kind == actEffect && a.effect == Runs {
				r.risky = true
			}
		}
	}
}
