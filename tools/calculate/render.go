package calculate

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// positionalBand is how far the first digit may be from the point for a value to
// be written without an exponent: past it the zeros are a page and the exponent
// is the information.
const positionalBand = 25

// render writes a value: zero as 0; inside the band in positional notation
// without trailing zeros; else with one digit before the point and a signed
// exponent.
func render(d decimal.Decimal) string {
	d = d.Normalize()
	if d.IsZero() {
		return "0"
	}
	var room [precision + 2*positionalBand]byte
	out, digits := room[:0], coefficientDigits(d)
	if digits[0] == '-' {
		out, digits = append(out, '-'), digits[1:]
	}
	first := int(d.Exponent()) + len(digits) - 1
	switch {
	case first < -positionalBand || first > positionalBand:
		out = append(out, digits[0])
		if len(digits) > 1 {
			out = append(append(out, '.'), digits[1:]...)
		}
		out = append(out, 'e')
		if first > 0 {
			out = append(out, '+')
		}
		out = strconv.AppendInt(out, int64(first), 10)
	case first < 0:
		out = append(out, "0."...)
		for range -first - 1 {
			out = append(out, '0')
		}
		out = append(out, digits...)
	case first+1 < len(digits):
		out = append(out, digits[:first+1]...)
		out = append(append(out, '.'), digits[first+1:]...)
	default:
		out = append(out, digits...)
		for range d.Exponent() {
			out = append(out, '0')
		}
	}
	return string(out)
}

// coefficientDigits returns the digits of the coefficient with its sign.
func coefficientDigits(d decimal.Decimal) string {
	if d.NumDigits() <= 18 {
		return strconv.FormatInt(d.CoefficientInt64(), 10)
	}
	return d.Coefficient().String()
}
