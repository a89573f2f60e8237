package shellcmd

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// texts are what a word inside another one is, or may be.
func (b *builder) texts(w *syntax.Word) []string {
	if w == nil {
		return []string{""}
	}
	if b.depth >= maxScripts || !spend(&b.r.left.parts) {
		return nil
	}
	var inner []nested
	made := b.r.word(w, builder{st: b.st, inner: &inner, assigned: true, depth: b.depth + 1})
	return made.texts()
}

// expanded is what a variable may be of which a part is put in, or more than its value.
func (b *builder) expanded(p *syntax.ParamExp) []string {
	if p.Param == nil || p.Length || p.Width || p.IsSet || p.Flags != nil || p.NestedParam != nil || p.Names != 0 || len(p.Modifiers) > 0 {
		return nil
	}
	if !spend(&b.r.left.parts) {
		return nil
	}
	values := b.values(p.Param.Value)
	if p.Excl {
		var out []string
		for _, name := range values {
			out = eitherText(out, b.values(name))
		}
		values = out
	}
	switch {
	case p.Slice != nil:
		return each(values, func(text string) []string { return sliced(text, p.Slice) })
	case p.Repl != nil:
		return b.replaced(p.Repl, values)
	case p.Exp != nil:
		return b.operated(p, values)
	}
	return values
}

// each is what a function makes of texts.
func each(texts []string, do func(string) []string) []string {
	var out []string
	for _, text := range texts {
		out = eitherText(out, do(text))
	}
	return out
}

func (b *builder) operated(p *syntax.ParamExp, values []string) []string {
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if text, ok := b.st.value(p.Param.Value); ok && text != "" {
			return values
		}
		return eitherText(values, b.texts(p.Exp.Word))
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return b.texts(p.Exp.Word)
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return b.cut(p.Exp, values)
	case syntax.UpperFirst:
		return each(values, func(text string) []string { return []string{first(text, strings.ToUpper), text} })
	case syntax.LowerFirst:
		return each(values, func(text string) []string { return []string{first(text, strings.ToLower), text} })
	case syntax.UpperAll:
		return each(values, func(text string) []string { return []string{strings.ToUpper(text), text} })
	case syntax.LowerAll:
		return each(values, func(text string) []string { return []string{strings.ToLower(text), text} })
	}
	return values
}

func first(text string, change func(string) string) string {
	_, size := utf8.DecodeRuneInString(text)
	return change(text[:size]) + text[size:]
}

// sliced is the part of a text from an offset on, where that is written as a number.
func sliced(text string, s *syntax.Slice) []string {
	from, ok := amount(s.Offset, 0)
	length, known := amount(s.Length, len(text))
	if !ok || !known {
		return nil
	}
	if from < 0 {
		from += len(text)
	}
	if from < 0 || from > len(text) {
		return []string{""}
	}
	to := from + length
	if length < 0 {
		to = len(text) + length
	}
	return []string{text[from:max(from, min(to, len(text)))]}
}

// amount is the value of an expression that is a number.
func amount(x syntax.ArithmExpr, without int) (int, bool) {
	switch x := x.(type) {
	case nil:
		return without, true
	case *syntax.Word:
		n, err := strconv.Atoi(x.Lit())
		return n, err == nil
	case *syntax.ParenArithm:
		return amount(x.X, without)
	case *syntax.UnaryArithm:
		n, ok := amount(x.X, without)
		return -n, ok && x.Op == syntax.Minus
	}
	return 0, false
}

// matcher is an expression around a pattern of the shell; nil where that is none, or too much
// was compared already.
func (b *builder) matcher(before, glob, after string) *regexp.Regexp {
	if len(glob) > maxMatched || !spend(&b.r.left.matches) {
		return nil
	}
	expr, err := pattern.Regexp(glob, 0)
	if err != nil {
		return nil
	}
	re, err := regexp.Compile(before + "(?:" + expr + ")" + after)
	if err != nil {
		return nil
	}
	re.Longest()
	return re
}

// matched is what a function makes of the texts that are short enough to be compared.
func (b *builder) matched(texts []string, do func(string) string) []string {
	return each(texts, func(text string) []string {
		if len(text) > maxMatched || !spend(&b.r.left.matches) {
			return nil
		}
		return []string{do(text)}
	})
}

// cut takes a beginning or an end off that matches a pattern.
func (b *builder) cut(e *syntax.Expansion, values []string) []string {
	large := e.Op == syntax.RemLargeSuffix || e.Op == syntax.RemLargePrefix
	suffix := e.Op == syntax.RemSmallSuffix || e.Op == syntax.RemLargeSuffix
	var out []string
	for _, glob := range b.patterns(e.Word) {
		re := b.matcher("^", glob, "$")
		if re == nil {
			continue
		}
		out = eitherText(out, b.matched(values, func(text string) string {
			for n := range len(text) + 1 {
				if large {
					n = len(text) - n
				}
				if suffix && re.MatchString(text[len(text)-n:]) {
					return text[:len(text)-n]
				}
				if !suffix && re.MatchString(text[:n]) {
					return text[n:]
				}
			}
			return text
		}))
	}
	return out
}

// replaced puts one text in the place of what matches a pattern.
func (b *builder) replaced(r *syntax.Replace, values []string) []string {
	var out []string
	for _, glob := range b.patterns(r.Orig) {
		before, after := "", ""
		if !r.All && strings.HasPrefix(glob, "#") {
			before, glob = "^", glob[1:]
		} else if !r.All && strings.HasPrefix(glob, "%") {
			after, glob = "$", glob[1:]
		}
		re := b.matcher(before, glob, after)
		if re == nil {
			continue
		}
		for _, with := range b.texts(r.With) {
			out = eitherText(out, b.matched(values, func(text string) string {
				if r.All {
					return re.ReplaceAllLiteralString(text, with)
				}
				at := re.FindStringIndex(text)
				if at == nil {
					return text
				}
				return text[:at[0]] + with + text[at[1]:]
			}))
		}
	}
	return out
}

// patterns are the texts of a word as a pattern, in which what is quoted means itself.
func (b *builder) patterns(w *syntax.Word) []string {
	if w == nil {
		return []string{""}
	}
	out := []string{""}
	for _, part := range w.Parts {
		var next []string
		switch p := part.(type) {
		case *syntax.Lit:
			next = []string{p.Value}
		default:
			for _, text := range b.texts(&syntax.Word{Parts: []syntax.WordPart{part}}) {
				next = append(next, pattern.QuoteMeta(text, 0))
			}
		}
		var all []string
		for _, head := range out {
			for _, tail := range next {
				all = append(all, head+tail)
			}
		}
		out = eitherText(nil, all)
	}
	return out
}
