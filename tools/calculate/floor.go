package calculate

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// The decimal library's own QuoRem truncates: -7 by 2 gives -3 and -1. A caller
// who writes // and % expects them to floor, -4 and 1, so they are made here.

// endless is more digits after the point than a quotient of two 50-digit
// coefficients can need to end: a divisor below 10^50 holds no more than 166 factors
// of 2. What has not ended there never does, nor can it have 50 zeros or nines in a
// row, so its floor is refused for its digits whether or not the rest is written.
const endless = 200

// floorDivide returns floor(l / r), exactly. A floor that does not fit in the
// precision is out of range: a rounded one would be a wrong integer.
func (a *arithmetic) floorDivide(l, r decimal.Decimal) (decimal.Decimal, error) {
	if r.IsZero() {
		return r, divisionByZero()
	}
	if l.IsZero() {
		return decimal.Zero, nil
	}
	first := firstExponent(l) - firstExponent(r)
	if first < 0 {
		return belowOne(l.Sign() == r.Sign()), nil
	}
	if first-1 > maxExponent {
		return l, outOfRange()
	}
	n, d := l.Coefficient(), r.Coefficient()
	shift, exponent := int(l.Exponent())-int(r.Exponent()), 0
	if shift > endless {
		shift, exponent = endless, shift-endless
	}
	if shift >= 0 {
		n.Mul(n, powerOfTen(shift))
	} else {
		d.Mul(d, powerOfTen(-shift))
	}
	q, _ := floorQuotient(n, d)
	a.longest = max(a.longest, countDigits(q))
	floor := decimal.NewFromBigInt(q, int32(exponent)).Normalize()
	if floor.NumDigits() > precision {
		return l, outOfRange()
	}
	return a.fit(floor)
}

// belowOne is the floor of a quotient between -1 and 1 that is not zero.
func belowOne(positive bool) decimal.Decimal {
	if positive {
		return decimal.Zero
	}
	return decimal.New(-1, 0)
}

// floorQuotient returns floor(n / d) and the rest that has the sign of d.
func floorQuotient(n, d *big.Int) (q, rest *big.Int) {
	q, rest = new(big.Int).QuoRem(n, d, new(big.Int))
	if rest.Sign() != 0 && rest.Sign() != d.Sign() {
		q.Sub(q, big.NewInt(1))
		rest.Add(rest, d)
	}
	return q, rest
}

// modulo returns l - r*floor(l / r), rounded only at the end. The quotient itself
// may have thousands of digits and is never made.
func (a *arithmetic) modulo(l, r decimal.Decimal) (decimal.Decimal, error) {
	if r.IsZero() {
		return r, divisionByZero()
	}
	if l.IsZero() {
		return decimal.Zero, nil
	}
	if firstExponent(l) < firstExponent(r) {
		if l.Sign() == r.Sign() {
			return l, nil
		}
		return a.add(l, r)
	}
	n, d := l.Coefficient(), r.Coefficient()
	exponent := min(l.Exponent(), r.Exponent())
	if shift := int64(l.Exponent()) - int64(r.Exponent()); shift >= 0 {
		size := new(big.Int).Abs(d)
		n.Mul(n, new(big.Int).Exp(powersOfTen[1], big.NewInt(shift), size))
	} else {
		d.Mul(d, powerOfTen(int(-shift)))
	}
	_, rest := floorQuotient(n, d)
	return a.fit(decimal.NewFromBigInt(rest, exponent))
}
