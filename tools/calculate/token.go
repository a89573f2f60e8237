package calculate

import (
	"unicode/utf8"

	"countersign/backend/tool"
)

// maxChars and maxTokens bound an expression. The schema has the first bound too;
// it stands here as well because the tool can be called from elsewhere.
const (
	maxChars  = 1024
	maxTokens = 512
)

type kind uint8

const (
	kindEnd kind = iota
	kindNumber
	kindName
	kindOpen
	kindClose
	kindComma
	kindAdd
	kindSubtract
	kindMultiply
	kindDivide
	kindFloorDivide
	kindModulo
	kindPower
)

// token is a piece of the expression, as byte offsets into it.
type token struct {
	kind       kind
	start, end int32
}

func (t token) text(expression string) string { return expression[t.start:t.end] }

// tokenize appends the tokens of expression to tokens. It takes the longest token
// at each place, so that pie is one name and ** is one operator.
func tokenize(expression string, tokens []token) ([]token, error) {
	if len(expression) > maxChars && utf8.RuneCountInString(expression) > maxChars {
		return tokens, tool.Errorf(CodeTooLong, "more than %d characters", maxChars)
	}
	for i := 0; i < len(expression); {
		if isSpace(expression[i]) {
			i++
			continue
		}
		k, end := scan(expression, i)
		if end == i {
			return tokens, tool.Errorf(CodeSyntax, "no token starts at byte %d", i)
		}
		if len(tokens) == maxTokens {
			return tokens, tool.Errorf(CodeTooLong, "more than %d tokens", maxTokens)
		}
		tokens = append(tokens, token{k, int32(i), int32(end)})
		i = end
	}
	return tokens, nil
}

// scan returns the token that starts at i and where it ends; an end of i means
// that none does.
func scan(expression string, i int) (kind, int) {
	c := expression[i]
	switch {
	case isDigit(c):
		return kindNumber, scanNumber(expression, i)
	case isLower(c):
		end := i + 1
		for end < len(expression) && isNamePart(expression[end]) {
			end++
		}
		return kindName, end
	}
	twice := i+1 < len(expression) && expression[i+1] == c
	switch c {
	case '(':
		return kindOpen, i + 1
	case ')':
		return kindClose, i + 1
	case ',':
		return kindComma, i + 1
	case '+':
		return kindAdd, i + 1
	case '-':
		return kindSubtract, i + 1
	case '%':
		return kindModulo, i + 1
	case '^':
		return kindPower, i + 1
	case '*':
		if twice {
			return kindPower, i + 2
		}
		return kindMultiply, i + 1
	case '/':
		if twice {
			return kindFloorDivide, i + 2
		}
		return kindDivide, i + 1
	}
	return kindEnd, i
}

// scanNumber returns the end of digit+ ["." digit+] [("e"|"E") ["+"|"-"] digit+].
// A part that is not complete is left for the next token, which then fails.
func scanNumber(s string, i int) int {
	i = scanDigits(s, i)
	if i < len(s) && s[i] == '.' {
		if end := scanDigits(s, i+1); end > i+1 {
			i = end
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		from := i + 1
		if from < len(s) && (s[from] == '+' || s[from] == '-') {
			from++
		}
		if end := scanDigits(s, from); end > from {
			i = end
		}
	}
	return i
}

func scanDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLower(c byte) bool    { return 'a' <= c && c <= 'z' }
func isNamePart(c byte) bool { return isLower(c) || isDigit(c) || c == '_' }

// isSpace knows ASCII white space only: a no-break space or a byte order mark is
// a character that the grammar does not have.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
