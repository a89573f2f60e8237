package shellcmd

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// BadRule says why a text is no rule, in words for the person who wrote it.
type BadRule struct{ Words string }

// Error says why.
func (b *BadRule) Error() string { return "not a rule of commands: " + b.Words }

// What is said of a text that is no rule.
const (
	ruleEmpty    = "It names no command. Write the words that a command must have, such as git log *."
	ruleAny      = "It would match every command. Write the name of a program before the *."
	ruleMiddle   = "A * of its own may only stand at the end. Put it in quotes to mean the character."
	ruleQuote    = "A quote is not closed."
	ruleOperator = "A rule is for one command. Take out the part from %s on, or put it in quotes."
	ruleVariable = "It begins with a variable. Write the name of the program first."
	ruleEscape   = "A character after a backslash is not understood."
)

// ParseRule reads a rule as String prints it: words as a shell takes them, with a * of its own
// at the end where more may follow. Nothing in it is a pattern: "go build*" is the word "build*".
// Its error is a *BadRule.
func ParseRule(text string) (Rule, error) {
	p := ruleParser{rest: text}
	var r Rule
	star := false
	for p.space(); p.rest != ""; p.space() {
		if star {
			return Rule{}, &BadRule{ruleMiddle}
		}
		word, plain, err := p.word()
		switch {
		case err != nil:
			return Rule{}, err
		case plain && word == "*":
			star = true
			continue
		case plain && len(r.Words) == 0 && assigns(word):
			return Rule{}, &BadRule{ruleVariable}
		}
		r.Words = append(r.Words, word)
	}
	r.Prefix = star
	switch {
	case len(r.Words) == 0 && star:
		return Rule{}, &BadRule{ruleAny}
	case len(r.Words) == 0 || r.Words[0] == "":
		return Rule{}, &BadRule{ruleEmpty}
	}
	return r, nil
}

// String prints the rule with quotes where a word needs them. What a reader could not see or
// would take for something else is printed by its number.
func (r Rule) String() string {
	var b strings.Builder
	for i, w := range r.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(w, i == 0))
	}
	if r.Prefix {
		b.WriteString(" *")
	}
	return b.String()
}

// ruleParser reads the words of a rule.
type ruleParser struct{ rest string }

func (p *ruleParser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// word reads the next word; plain says that no part of it was quoted.
func (p *ruleParser) word() (word string, plain bool, err error) {
	var b strings.Builder
	plain = true
	for p.rest != "" {
		c := p.rest[0]
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			return b.String(), plain, nil
		case strings.HasPrefix(p.rest, "$'"):
			plain = false
			if err := p.escaped(&b); err != nil {
				return "", false, err
			}
		case strings.IndexByte("|&;<>()$`", c) >= 0:
			return "", false, &BadRule{fmt.Sprintf(ruleOperator, string(c))}
		case c == '\'':
			plain = false
			inside, rest, closed := strings.Cut(p.rest[1:], "'")
			if !closed {
				return "", false, &BadRule{ruleQuote}
			}
			b.WriteString(inside)
			p.rest = rest
		case c == '"':
			plain = false
			if err := p.double(&b); err != nil {
				return "", false, err
			}
		case c == '\\':
			plain = false
			if len(p.rest) == 1 {
				return "", false, &BadRule{ruleEscape}
			}
			b.WriteByte(p.rest[1])
			p.rest = p.rest[2:]
		default:
			b.WriteByte(c)
			p.rest = p.rest[1:]
		}
	}
	return b.String(), plain, nil
}

// double reads what stands between double quotes.
func (p *ruleParser) double(b *strings.Builder) error {
	for rest := p.rest[1:]; rest != ""; {
		c := rest[0]
		switch {
		case c == '"':
			p.rest = rest[1:]
			return nil
		case c == '$' || c == '`':
			return &BadRule{fmt.Sprintf(ruleOperator, string(c))}
		case c == '\\' && len(rest) > 1 && strings.IndexByte("\\\"$`", rest[1]) >= 0:
			b.WriteByte(rest[1])
			rest = rest[2:]
		default:
			b.WriteByte(c)
			rest = rest[1:]
		}
	}
	return &BadRule{ruleQuote}
}

// escaped reads what stands between $' and ', as quote writes it.
func (p *ruleParser) escaped(b *strings.Builder) error {
	rest := p.rest[2:]
	for rest != "" {
		if rest[0] == '\'' {
			p.rest = rest[1:]
			return nil
		}
		if rest[0] != '\\' {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		char, multibyte, tail, err := strconv.UnquoteChar(rest, '\'')
		if err != nil {
			return &BadRule{ruleEscape}
		}
		if char < utf8.RuneSelf || !multibyte {
			b.WriteByte(byte(char))
		} else {
			b.WriteRune(char)
		}
		rest = tail
	}
	return &BadRule{ruleQuote}
}

// quote prints a word so that a shell, and ParseRule, read the same word again.
func quote(w string, first bool) string {
	if strings.ContainsFunc(w, unseen) || !utf8.ValidString(w) {
		return escape(w)
	}
	if w != "" && w != "*" && !(first && assigns(w)) && !strings.ContainsFunc(w, special) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// special reports whether a character means something to a shell.
func special(c rune) bool {
	return c <= ' ' || strings.ContainsRune("\"'\\$`|&;<>()#!{}~?[]*", c)
}

// unseen reports whether a character does not show as itself.
func unseen(c rune) bool {
	return c == utf8.RuneError || c != ' ' && !unicode.IsGraphic(c) || c != ' ' && unicode.IsSpace(c) || unicode.Is(unicode.Cf, c)
}

func escape(w string) string {
	var b strings.Builder
	b.WriteString("$'")
	for len(w) > 0 {
		c, n := utf8.DecodeRuneInString(w)
		switch {
		case c == utf8.RuneError && n == 1, c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, w[0])
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case unseen(c) && c > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, c)
		case unseen(c):
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
		w = w[n:]
	}
	return b.String() + "'"
}

// assigns reports whether a shell would take a first word for an assignment.
func assigns(w string) bool {
	name, _, found := strings.Cut(w, "=")
	if !found || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return !strings.ContainsFunc(strings.TrimSuffix(name, "+"), func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '[' && c != ']'
	})
}
