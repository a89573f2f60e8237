package calculate

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// settle widens the working precision until both ends of the interval round to the
// same value. A result that is exact would never settle; callers take those out
// first.
func (a *arithmetic) settle(negative bool, approximate func(digits int) interval) (decimal.Decimal, error) {
	for digits := precision + 12; digits < 1<<14; digits *= 2 {
		i := approximate(digits)
		size := new(big.Int).Abs(i.coefficient)
		low, high := new(big.Int).Sub(size, i.off), size.Add(size, i.off)
		length := countDigits(high)
		a.longest = max(a.longest, length)
		if low.Sign() <= 0 || countDigits(low) != length || length <= precision {
			continue
		}
		drop := length - precision
		q, _ := dropDigits(low, drop)
		if other, _ := dropDigits(high, drop); q.Cmp(other) != 0 {
			continue
		}
		if i.exponent+length-1 < minExponent {
			return decimal.Zero, outOfRange()
		}
		if negative != (i.coefficient.Sign() < 0) {
			q.Neg(q)
		}
		a.inexact = true
		return a.fit(decimal.NewFromBigInt(q, int32(i.exponent+drop)).Normalize())
	}
	panic("calculate: an exact result was taken for an endless one")
}

func (a *arithmetic) sqrt(v []decimal.Decimal) (decimal.Decimal, error) {
	x := v[0]
	if x.Sign() < 0 {
		return x, domain("sqrt")
	}
	if x.IsZero() {
		return x, nil
	}
	c, exponent := x.Coefficient(), int(x.Exponent())
	// The root of at least 104 digits has 52: one past what is kept and room for the
	// digit that says whether anything follows.
	shift := max(0, 2*(precision+2)-countDigits(c))
	if (exponent-shift)%2 != 0 {
		shift++
	}
	c.Mul(c, powerOfTen(shift))
	root := new(big.Int).Sqrt(c)
	exponent = (exponent - shift) / 2
	if new(big.Int).Mul(root, root).Cmp(c) != 0 {
		root.Mul(root, powersOfTen[1]).Add(root, big.NewInt(1))
		exponent--
	}
	a.steps++
	return a.fit(decimal.NewFromBigInt(root, int32(exponent)).Normalize())
}

var exactOne = decimal.New(1, 0)

func (a *arithmetic) ln(v []decimal.Decimal) (decimal.Decimal, error) {
	x := v[0]
	if x.Sign() <= 0 {
		return x, domain("ln")
	}
	if compare(x, exactOne) == 0 {
		return decimal.Zero, nil
	}
	c, exponent := x.Coefficient(), int(x.Exponent())
	return a.settle(false, func(digits int) interval { return a.lnOf(c, exponent, digits) })
}

func (a *arithmetic) log10(v []decimal.Decimal) (decimal.Decimal, error) {
	x := v[0].Normalize()
	if x.Sign() <= 0 {
		return x, domain("log10")
	}
	c, exponent := x.Coefficient(), int(x.Exponent())
	if c.IsInt64() && c.Int64() == 1 {
		return decimal.New(int64(exponent), 0), nil
	}
	return a.settle(false, func(digits int) interval {
		// ln(x)/ln(10), each good to more digits than the quotient promises; the quotient
		// keeps digits+5 and is off by less than 1,000 units of the last.
		i := a.lnOf(c, exponent, digits+guard)
		s := digits + guard
		ten := a.lnTenTimes(1, s)
		q := new(big.Int).Mul(i.coefficient, powerOfTen(s))
		q.Quo(q, ten)
		trim := max(0, countDigits(q)-digits-5)
		return interval{q.Quo(q, powerOfTen(trim)), big.NewInt(1000), i.exponent + trim}
	})
}

// e^x is past the bound for a first exponent of wideExponent, and 1 to all digits
// kept for one of tinyExponent or less.
const (
	wideExponent = 5
	tinyExponent = -(precision + 3)
)

func (a *arithmetic) exp(v []decimal.Decimal) (decimal.Decimal, error) {
	x := v[0]
	if x.IsZero() {
		return exactOne, nil
	}
	switch first := firstExponent(x); {
	case first >= wideExponent:
		return x, outOfRange()
	case first <= tinyExponent:
		a.inexact = true
		return exactOne, nil
	}
	t := interval{x.Coefficient(), new(big.Int), int(x.Exponent())}
	return a.settle(false, func(digits int) interval { return a.expOf(t, digits) })
}
