package calculate

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// power returns base^exponent. 0^0 has no value that everybody agrees on and is
// outside the domain. A power with a fraction in its exponent counts as rounded
// even where the root comes out even, as in general decimal arithmetic.
func (a *arithmetic) power(base, exponent decimal.Decimal) (decimal.Decimal, error) {
	base, exponent = base.Normalize(), exponent.Normalize()
	integer := exponent.Exponent() >= 0
	switch {
	case base.IsZero() && exponent.IsZero():
		return base, domain("power")
	case base.IsZero() && exponent.Sign() < 0:
		return base, divisionByZero()
	case base.IsZero():
		return base, nil
	case exponent.IsZero():
		return exactOne, nil
	case !integer && base.Sign() < 0:
		return base, domain("power")
	case !integer:
		a.inexact = true
		return a.fractionalPower(base, exponent)
	}
	odd := exponent.Exponent() == 0 && exponent.Coefficient().Bit(0) == 1
	return a.integerPower(base.Abs(), exponent, base.Sign() < 0 && odd)
}

// directBits bounds the powers that are multiplied out, in bits of the result. It
// takes in every power that is exact in the precision and every one that lies on a
// tie, so what is left never comes out even.
const directBits = 4096

// integerPower returns base^n for a positive base and an n that is not zero, both
// normalised, with the sign asked for.
func (a *arithmetic) integerPower(base, n decimal.Decimal, negative bool) (decimal.Decimal, error) {
	c, exponent := base.Coefficient(), int(base.Exponent())
	unit := c.IsInt64() && c.Int64() == 1
	if unit && exponent == 0 {
		return signed(exactOne, negative), nil
	}
	times, small := smallInteger(n)
	switch {
	case unit && !small:
		return base, outOfRange()
	case unit:
		return a.fit(signed(decimal.New(1, int32(exponent*times)), negative))
	case small && c.BitLen()*max(times, -times) <= directBits:
		return a.directPower(c, exponent, times, negative)
	}
	return a.endlessPower(base, n, negative)
}

// smallInteger returns an integer that is short enough to count with.
func smallInteger(n decimal.Decimal) (int, bool) {
	if firstExponent(n) > 4 {
		return 0, false
	}
	return int(n.IntPart()), true
}

func signed(d decimal.Decimal, negative bool) decimal.Decimal {
	if negative {
		return d.Neg()
	}
	return d
}

func (a *arithmetic) directPower(c *big.Int, exponent, times int, negative bool) (decimal.Decimal, error) {
	result := new(big.Int).Exp(c, big.NewInt(int64(max(times, -times))), nil)
	a.steps++
	if negative {
		result.Neg(result)
	}
	if times < 0 {
		return a.ratio(big.NewInt(1), result, exponent*times)
	}
	return a.fit(decimal.NewFromBigInt(result, int32(exponent*times)))
}

// fractionalPower returns base^y for a positive base and a y that is no integer.
func (a *arithmetic) fractionalPower(base, y decimal.Decimal) (decimal.Decimal, error) {
	if compare(base, exactOne) == 0 {
		return exactOne, nil
	}
	if root, n, ok := evenRoot(base, y); ok {
		return a.integerPower(root, n, false)
	}
	return a.endlessPower(base, y, false)
}

// maxRootPlaces bounds the search for roots that come out even: y has a
// denominator of at least 2^places, which must divide an exponent under 20,000 or
// be the degree of a root of 50 digits.
const maxRootPlaces = 15

// evenRoot finds root and n with base^y = root^n, where base is a perfect power of
// the denominator of y. Such a result may be exact and would never settle.
func evenRoot(base, y decimal.Decimal) (root, n decimal.Decimal, ok bool) {
	places := -int(y.Exponent())
	if places > maxRootPlaces {
		return base, y, false
	}
	numerator, unit := y.Coefficient(), powerOfTen(places)
	common := new(big.Int).GCD(nil, nil, new(big.Int).Abs(numerator), unit)
	degree := int(new(big.Int).Quo(unit, common).Int64())
	if int(base.Exponent())%degree != 0 {
		return base, y, false
	}
	c, ok := perfectRoot(base.Coefficient(), degree)
	if !ok {
		return base, y, false
	}
	root = decimal.NewFromBigInt(c, base.Exponent()/int32(degree))
	n = decimal.NewFromBigInt(numerator.Quo(numerator, common), 0).Normalize()
	return root, n, true
}

// perfectRoot returns the integer root of a positive c when there is one.
func perfectRoot(c *big.Int, degree int) (*big.Int, bool) {
	if c.BitLen() == 1 {
		return c, true
	}
	if degree >= c.BitLen() {
		return nil, false
	}
	low, high := big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(c.BitLen()/degree+1))
	power, exponent := new(big.Int), big.NewInt(int64(degree))
	for low.Cmp(high) <= 0 {
		middle := new(big.Int).Add(low, high)
		middle.Rsh(middle, 1)
		switch power.Exp(middle, exponent, nil).Cmp(c) {
		case 0:
			return middle, true
		case -1:
			low.Add(middle, big.NewInt(1))
		case 1:
			high.Sub(middle, big.NewInt(1))
		}
	}
	return nil, false
}

// endlessPower returns e^(y*ln(base)) for a result that does not come out even. The
// range is known from the product alone, before any power is made.
func (a *arithmetic) endlessPower(base, y decimal.Decimal, negative bool) (decimal.Decimal, error) {
	c, exponent := base.Coefficient(), int(base.Exponent())
	factor := y.Coefficient()
	product := func(digits int) interval {
		i := a.lnOf(c, exponent, digits)
		return interval{
			i.coefficient.Mul(i.coefficient, factor),
			i.off.Mul(i.off, new(big.Int).Abs(factor)),
			i.exponent + int(y.Exponent()),
		}
	}
	rough := product(precision)
	switch first := rough.exponent + countDigits(rough.coefficient) - 1; {
	case first >= wideExponent:
		return base, outOfRange()
	case first <= tinyExponent:
		a.inexact = true
		return signed(exactOne, negative), nil
	}
	return a.settle(negative, func(digits int) interval {
		return a.expOf(product(digits+wideExponent+guard), digits)
	})
}
