package calculate

import (
	"math/big"

	"github.com/shopspring/decimal"

	"countersign/backend/tool"
)

// The context of every value: 50 significant digits, half-even, and the exponent
// of the first digit within ±10,000. Below that a value may lose digits, down to
// 1e-10049, as long as it is exact; a rounded one there is an underflow.
const (
	precision     = 50
	maxExponent   = 10000
	minExponent   = -10000
	leastExponent = minExponent - (precision - 1)
)

// arithmetic is the context in which one expression is worked out. Every value
// that its methods return went through fit.
type arithmetic struct {
	// inexact is set when any step was rounded and is never cleared.
	inexact bool
	// steps counts operations and series terms, and longest is the most digits that a
	// step had before rounding: what the bounds of the language keep small.
	steps, longest int
	// ten is ln(10) at tenScale, once a function has needed it.
	ten      *big.Int
	tenScale int
}

func outOfRange() error { return tool.Errorf(CodeOutOfRange, "exponent past the bound") }

// firstExponent returns the exponent of the first digit of d, which is not zero.
func firstExponent(d decimal.Decimal) int { return int(d.Exponent()) + d.NumDigits() - 1 }

// fit rounds d to the context.
func (a *arithmetic) fit(d decimal.Decimal) (decimal.Decimal, error) {
	if d.IsZero() {
		return decimal.Zero, nil
	}
	digits := d.NumDigits()
	a.longest = max(a.longest, digits)
	first := int(d.Exponent()) + digits - 1
	if first > maxExponent {
		return d, outOfRange()
	}
	drop := digits - precision
	if first < minExponent {
		drop = max(drop, leastExponent-int(d.Exponent()))
	}
	if drop <= 0 {
		return d, nil
	}
	if drop > digits {
		return d, outOfRange()
	}
	q, rounded := dropDigits(d.Coefficient(), drop)
	if rounded && first < minExponent {
		return d, outOfRange()
	}
	a.inexact = a.inexact || rounded
	d = decimal.NewFromBigInt(q, d.Exponent()+int32(drop)).Normalize()
	if firstExponent(d) > maxExponent {
		return d, outOfRange()
	}
	return d, nil
}

// literal reads the text of a number token. The exponent is bounded before any
// digit is placed by it.
func (a *arithmetic) literal(text string) (decimal.Decimal, error) {
	digits := make([]byte, 0, 64)
	places, exponent := 0, 0
	for i, point := 0, false; i < len(text); i++ {
		switch c := text[i]; {
		case c == '.':
			point = true
		case !isDigit(c):
			exponent = readExponent(text[i+1:])
			i = len(text)
		case c == '0' && len(digits) == 0 && !point:
		default:
			digits = append(digits, c)
			if point {
				places++
			}
		}
	}
	exponent -= places
	if len(digits) <= 18 {
		var small int64
		for _, c := range digits {
			small = small*10 + int64(c-'0')
		}
		if small == 0 {
			return decimal.Zero, nil
		}
		return a.fit(decimal.New(small, int32(exponent)))
	}
	large, ok := new(big.Int).SetString(string(digits), 10)
	if !ok {
		panic("calculate: a number token that is no number")
	}
	return a.fit(decimal.NewFromBigInt(large, int32(exponent)))
}

// exponentCap is past every exponent that a literal of maxChars digits could bring
// back into range, and far inside an int32.
const exponentCap = 1_000_000

// readExponent reads [+|-]digit+ and stops counting at exponentCap.
func readExponent(text string) int {
	value, negative := 0, text[0] == '-'
	for i := range len(text) {
		if isDigit(text[i]) {
			value = min(value*10+int(text[i]-'0'), exponentCap)
		}
	}
	if negative {
		return -value
	}
	return value
}

// add returns l + r.
func (a *arithmetic) add(l, r decimal.Decimal) (decimal.Decimal, error) {
	if l.IsZero() {
		return r, nil
	}
	if r.IsZero() {
		return l, nil
	}
	// An operand below the last kept digit by this much changes nothing but the flag, so
	// the two are never aligned over thousands of zeros.
	const beyond = precision + 2
	switch gap := firstExponent(l) - firstExponent(r); {
	case gap > beyond:
		a.inexact = true
		return l, nil
	case gap < -beyond:
		a.inexact = true
		return r, nil
	}
	return a.fit(l.Add(r))
}

// multiply returns l * r. Its range is known from the exponents of the operands.
func (a *arithmetic) multiply(l, r decimal.Decimal) (decimal.Decimal, error) {
	if l.IsZero() || r.IsZero() {
		return decimal.Zero, nil
	}
	first := firstExponent(l) + firstExponent(r)
	if first > maxExponent || first+1 < leastExponent {
		return l, outOfRange()
	}
	return a.fit(l.Mul(r))
}

// divide returns l / r.
func (a *arithmetic) divide(l, r decimal.Decimal) (decimal.Decimal, error) {
	if r.IsZero() {
		return r, divisionByZero()
	}
	if l.IsZero() {
		return decimal.Zero, nil
	}
	return a.ratio(l.Coefficient(), r.Coefficient(), int(l.Exponent())-int(r.Exponent()))
}

// ratio returns n/d * 10^exponent, for n and d that are not zero.
func (a *arithmetic) ratio(n, d *big.Int, exponent int) (decimal.Decimal, error) {
	negative := n.Sign() != d.Sign()
	n, d = new(big.Int).Abs(n), new(big.Int).Abs(d)
	// At least one digit more than is kept, and one more that says whether anything
	// follows: with it half-even is right whatever the rest of the quotient is.
	if scale := precision + 2 + countDigits(d) - countDigits(n); scale > 0 {
		n.Mul(n, powerOfTen(scale))
		exponent -= scale
	}
	q, rest := new(big.Int).QuoRem(n, d, new(big.Int))
	if rest.Sign() != 0 {
		q.Mul(q, powersOfTen[1]).Add(q, big.NewInt(1))
		exponent--
	}
	if negative {
		q.Neg(q)
	}
	return a.fit(decimal.NewFromBigInt(q, int32(exponent)).Normalize())
}

func divisionByZero() error { return tool.Errorf(CodeDivisionByZero, "the divisor is zero") }
