package calculate

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"countersign/backend/tool"
)

var allCodes = []tool.Code{
	CodeSyntax, CodeUnknownName, CodeArity, CodeDomain, CodeDivisionByZero, CodeOutOfRange, CodeTooLong, CodeTooDeep,
}

// answerOf works an expression out.
func answerOf(expression string) answer {
	return ours(evaluate(expression))
}

// check fails unless an expression ends as it may: in a value inside the context
// that survives being written and read again, or in one of the eight codes.
func check(t rapid.TB, expression string) {
	value, a, err := evaluate(expression)
	if err != nil {
		failure, ok := errors.AsType[*tool.Error](err)
		if !ok || !slices.Contains(allCodes, failure.Code) {
			t.Fatalf("not one of the eight codes: %v", err)
		}
		return
	}
	if value.NumDigits() > precision || !value.IsZero() && (firstExponent(value) > maxExponent || value.Exponent() < leastExponent) {
		t.Fatalf("outside the context: %d digits, exponent %d", value.NumDigits(), value.Exponent())
	}
	if a.steps > maxSteps || a.longest > maxLongest {
		t.Fatalf("%d steps, %d digits", a.steps, a.longest)
	}
	text := render(value)
	if !rendered.MatchString(text) {
		t.Fatalf("rendered as %q", text)
	}
	again, _, err := evaluate(text)
	if err != nil || !again.Equal(value) {
		t.Fatalf("%q does not read back: %v", text, err)
	}
}

// The most work that an expression inside the bounds has been seen to take, with
// room: 250 function calls of a few hundred terms each.
const (
	maxSteps   = 200_000
	maxLongest = 2000
)

var rendered = regexp.MustCompile(`^-?(0|[1-9][0-9]*|0\.[0-9]*[1-9]|[1-9][0-9]*\.[0-9]*[1-9]|[1-9](\.[0-9]*[1-9])?e[+-][1-9][0-9]*)$`)

// expressions draws from the grammar, with faults mixed in.
func expressions(depth int) *rapid.Generator[string] {
	number := rapid.OneOf(
		rapid.StringMatching(`[0-9]{1,3}`), rapid.StringMatching(`[0-9]{1,60}`), rapid.StringMatching(`[0-9]{1,4}\.[0-9]{1,60}`),
		rapid.StringMatching(`[0-9](\.[0-9]{1,5})?[eE][+-]?[0-9]{1,5}`),
		rapid.SampledFrom([]string{"0", "1", "pi", "e", "0.5", "1e10000", "1e-10000", "9e9999", "1.0000000001"}),
	)
	if depth == 0 {
		return number
	}
	inner := rapid.Deferred(func() *rapid.Generator[string] { return expressions(depth - 1) })
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 9).Draw(t, "form") {
		case 0:
			return number.Draw(t, "number")
		case 1, 2, 3, 4, 5:
			operator := rapid.SampledFrom([]string{"+", "-", "*", "/", "//", "%", "^", "**", " - ", ")(", ","}).Draw(t, "operator")
			return "(" + inner.Draw(t, "left") + operator + inner.Draw(t, "right") + ")"
		case 6:
			return rapid.SampledFrom([]string{"-", "+", "--"}).Draw(t, "sign") + inner.Draw(t, "operand")
		default:
			name := rapid.SampledFrom([]string{
				"abs", "ceil", "exp", "floor", "ln", "log10", "max", "min", "round", "sqrt", "sin", "abs2",
			}).Draw(t, "name")
			return name + "(" + strings.Join(rapid.SliceOfN(inner, 0, 3).Draw(t, "arguments"), ",") + ")"
		}
	})
}

// spec: VB-30
func TestEveryExpressionEndsInAValueOrACode(t *testing.T) {
	t.Run("grammar", rapid.MakeCheck(func(t *rapid.T) { check(t, expressions(4).Draw(t, "expression")) }))
	t.Run("characters", rapid.MakeCheck(func(t *rapid.T) {
		check(t, rapid.StringOfN(rapid.RuneFrom([]rune("0123456789.eE+-*/%^(), pilnabs_\n√")), 0, 60, -1).Draw(t, "expression"))
	}))
	t.Run("text", rapid.MakeCheck(func(t *rapid.T) { check(t, rapid.String().Draw(t, "expression")) }))
}

func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{
		"17 * 23", "9**9**9", "-2^2", "1e10000 % 3", "7.5 // -2", "max(1, ln(2), 3)", "round(2.675, 2)",
		"exp(1e-30)^1e30", "1.0000001^10000000", "4^0.5", "2^-33220", "sqrt(1e9999)", "1e999999999999", "((((1))))", "abs(",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) { check(t, expression) })
}

// spec: VB-8, VB-31
func TestHostileExpressionsAreRefusedBeforeTheWork(t *testing.T) {
	deep := strings.Repeat("(", 33) + "1" + strings.Repeat(")", 33)
	for _, c := range []struct {
		expression    string
		code          tool.Code
		steps, digits int
	}{
		{"9**9**9", CodeOutOfRange, 100, 130},
		{"9^9^9", CodeOutOfRange, 100, 130},
		{"9^9^9^9^9^9", CodeOutOfRange, 100, 130},
		{"1.1^9^9", CodeOutOfRange, 100, 130},
		{"10^1e10000", CodeOutOfRange, 100, 130},
		{"2^-1e10000", CodeOutOfRange, 100, 130},
		{"1e10000*1e10000", CodeOutOfRange, 10, 60},
		{"1e10000//1e-10000", CodeOutOfRange, 10, 60},
		{"1e10000//7", CodeOutOfRange, 10, 210},
		{"exp(1e10000)", CodeOutOfRange, 10, 60},
		{"1e99999999999999999999", CodeOutOfRange, 10, 60},
		{strings.Repeat("1", 1025), CodeTooLong, 0, 0},
		{strings.Repeat("1+", 256) + "1", CodeTooLong, 0, 0},
		{deep, CodeTooDeep, 0, 0},
		{strings.Repeat("-", 33) + "1", CodeTooDeep, 0, 0},
		{strings.Repeat("abs(", 33) + "1" + strings.Repeat(")", 33), CodeTooDeep, 0, 0},
		{"1" + strings.Repeat("^1", 33), CodeTooDeep, 0, 0},
	} {
		value, a, err := evaluate(c.expression)
		if got := ours(value, a, err); got.value != string(c.code) {
			t.Errorf("%.20s: got %v, want %s", c.expression, got, c.code)
		}
		if a.steps > c.steps || a.longest > c.digits {
			t.Errorf("%.20s: %d steps on %d digits, at most %d on %d", c.expression, a.steps, a.longest, c.steps, c.digits)
		}
	}
}

// A logarithm of a value beside 1 begins with many zeros: the digits for them are
// added at once, and not found missing one doubling after another.
//
// spec: VB-6
func TestFunctionsSettleInOneRound(t *testing.T) {
	for expression, most := range map[string]int{
		"ln(1." + zeros48 + "1)": 4, "ln(1.000000001)": 8, "ln(2)": 40, "log10(1." + zeros48 + "1)": 80, "exp(0.5)": 120,
	} {
		if _, a, err := evaluate(expression); err != nil || a.steps > most {
			t.Errorf("%s: %d steps, at most %d, %v", expression, a.steps, most, err)
		}
	}
}

// spec: VB-8
func TestDepthIsRefusedWhileDescending(t *testing.T) {
	// What follows the thirty-third level is never looked at: it does not even parse.
	p := parser{expression: strings.Repeat("(", 33) + "1 1"}
	tokens, err := tokenize(p.expression, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.tokens, p.nodes = tokens, make([]node, len(tokens))
	_, err = p.parse()
	failure, ok := errors.AsType[*tool.Error](err)
	if !ok || failure.Code != CodeTooDeep || p.at != 32 || p.count != 0 {
		t.Errorf("ended with %v at token %d after %d nodes", err, p.at, p.count)
	}
}

// spec: VB-4, VB-8
func TestBoundsAreWhereTheySay(t *testing.T) {
	for expression, want := range map[string]answer{
		strings.Repeat("1+", 255) + "1":                              {value: "256"},
		"1" + strings.Repeat("^1", 32):                               {value: "1"},
		"2^" + strings.Repeat("-", 30) + "1":                         {value: "2"},
		"2^" + strings.Repeat("-", 32) + "1":                         {value: string(CodeTooDeep)},
		strings.Repeat("abs(", 31) + "--1" + strings.Repeat(")", 31): {value: string(CodeTooDeep)},
		strings.Repeat("(", 32) + "abs()" + strings.Repeat(")", 32):  {value: string(CodeArity)},
		strings.Repeat("(", 32) + "abs(1)" + strings.Repeat(")", 32): {value: string(CodeTooDeep)},
		"1" + strings.Repeat(" ", 1023):                              {value: "1"},
		"1" + strings.Repeat(" ", 1024):                              {value: string(CodeTooLong)},
		strings.Repeat("é", 1024):                                    {value: string(CodeSyntax)},
		"1" + strings.Repeat("\t\n\v\f\r ", 5) + "+1":                {value: "2"},
		"":             {value: string(CodeSyntax)},
		" ":            {value: string(CodeSyntax)},
		"1e+":          {value: string(CodeSyntax)},
		"1.e5":         {value: string(CodeSyntax)},
		"1 . 5":        {value: string(CodeSyntax)},
		"1e 5":         {value: string(CodeSyntax)},
		"7 / / 2":      {value: string(CodeSyntax)},
		"2***3":        {value: string(CodeSyntax)},
		"max(1,)":      {value: string(CodeSyntax)},
		"max(,1)":      {value: string(CodeSyntax)},
		"max 1":        {value: string(CodeSyntax)},
		"pi(1)":        {value: string(CodeUnknownName)},
		"Pi":           {value: string(CodeSyntax)},
		"round()":      {value: string(CodeArity)},
		"round(1,2,3)": {value: string(CodeArity)},
		"max()":        {value: string(CodeArity)},
		"007.50":       {value: "7.5"},
		"1E2":          {value: "100"},
	} {
		if got := answerOf(expression); got != want {
			t.Errorf("%.40q: got %v, want %v", expression, got, want)
		}
	}
}

// An expression is first parsed whole, then its names are looked at, then it is
// worked out.
//
// spec: VB-4, VB-10
func TestFaultsHaveAnOrder(t *testing.T) {
	for expression, want := range map[string]tool.Code{
		"sin(1) +":        CodeSyntax,
		"abs(1,2) sin(1)": CodeSyntax,
		"1/0 + sin(1)":    CodeUnknownName,
		"1/0 + abs()":     CodeArity,
		"abs(sin(1), 2)":  CodeArity,
		"sin(abs())":      CodeUnknownName,
		"ln(-1) + 1/0":    CodeDomain,
		"1/0 + ln(-1)":    CodeDivisionByZero,
	} {
		if got := answerOf(expression).value; got != string(want) {
			t.Errorf("%s: got %s, want %s", expression, got, want)
		}
	}
}

// spec: VB-32
func TestFloorOperatorsAgreeWithPythonIntegers(t *testing.T) {
	// The rows are what Python 3 prints for a // b and a % b.
	for _, c := range []struct{ a, b, quotient, rest string }{
		{"7", "2", "3", "1"}, {"-7", "2", "-4", "1"}, {"7", "-2", "-4", "-1"}, {"-7", "-2", "3", "-1"},
		{"6", "2", "3", "0"}, {"-6", "2", "-3", "0"}, {"6", "-2", "-3", "0"}, {"-6", "-2", "3", "0"},
		{"1", "3", "0", "1"}, {"-1", "3", "-1", "2"}, {"1", "-3", "-1", "-2"}, {"-1", "-3", "0", "-1"},
		{"0", "3", "0", "0"}, {"0", "-3", "0", "0"},
		{"12345678901234567890", "97", "127275040218913071", "3"},
		{"-12345678901234567890", "97", "-127275040218913072", "94"},
	} {
		quotient, rest := answerOf("("+c.a+")//("+c.b+")"), answerOf("("+c.a+")%("+c.b+")")
		if quotient != (answer{value: c.quotient}) || rest != (answer{value: c.rest}) {
			t.Errorf("%s by %s: got %v and %v, want %s and %s", c.a, c.b, quotient, rest, c.quotient, c.rest)
		}
	}
	for a := int64(-30); a <= 30; a++ {
		for b := int64(-30); b <= 30; b++ {
			if b == 0 {
				continue
			}
			quotient, rest := a/b, a%b
			if rest != 0 && (rest < 0) != (b < 0) {
				quotient, rest = quotient-1, rest+b
			}
			arithmetic := &arithmetic{}
			gotQuotient, err := arithmetic.floorDivide(decimal.New(a, 0), decimal.New(b, 0))
			if err != nil || !gotQuotient.Equal(decimal.New(quotient, 0)) {
				t.Errorf("%d // %d: got %s, %v", a, b, gotQuotient, err)
			}
			gotRest, err := arithmetic.modulo(decimal.New(a, 0), decimal.New(b, 0))
			if err != nil || !gotRest.Equal(decimal.New(rest, 0)) || arithmetic.inexact {
				t.Errorf("%d %% %d: got %s, %v", a, b, gotRest, err)
			}
		}
	}
}
