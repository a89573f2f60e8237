package calculate

import "math/big"

// interval holds a true value: it lies within off units of coefficient, in units
// of 10^exponent.
type interval struct {
	coefficient, off *big.Int
	exponent         int
}

// The series below are fixed-point: an integer v at scale s stands for v/10^s. An
// operation that truncates is off by at most one unit, and the bounds returned are
// sums of those units, rounded up generously.

// guard is how many digits a series works with beyond those it promises. It covers
// the bounds below with a hundred times to spare.
const guard = 12

// fixed is a scale: the integer that stands for 1, and room for what a product and
// a quotient leave behind.
type fixed struct{ one, product, rest big.Int }

func fixedAt(s int) *fixed {
	f := &fixed{}
	f.one.Set(powerOfTen(s))
	return f
}

// multiply sets z to x*y.
func (f *fixed) multiply(z, x, y *big.Int) {
	f.product.Mul(x, y)
	z.QuoRem(&f.product, &f.one, &f.rest)
}

// divide sets z to x/y for a plain integer y.
func (f *fixed) divide(z, x *big.Int, y int) {
	z.QuoRem(x, f.product.SetInt64(int64(y)), &f.rest)
}

// atanh returns the inverse hyperbolic tangent of z, |z| < 1, and how many terms it
// took; it is off by at most two units a term.
func (a *arithmetic) atanh(f *fixed, z *big.Int) (sum *big.Int, terms int) {
	sum, square, part := new(big.Int), new(big.Int), new(big.Int)
	f.multiply(square, z, z)
	for power := new(big.Int).Set(z); power.Sign() != 0; f.multiply(power, power, square) {
		f.divide(part, power, 2*terms+1)
		sum.Add(sum, part)
		terms++
	}
	a.steps += terms
	return sum, terms
}

// lnTenTimes returns k*ln(10) at scale s, off by at most s units for |k| < 50,000.
func (a *arithmetic) lnTenTimes(k, s int) *big.Int {
	const extra = 8
	total := new(big.Int).Mul(a.lnTen(s+extra), big.NewInt(int64(k)))
	return total.Quo(total, powersOfTen[extra])
}

// lnTen returns ln(10) at scale s, which an expression asks for again and again:
// 46 atanh(1/31) + 34 atanh(1/49) + 20 atanh(1/161).
func (a *arithmetic) lnTen(s int) *big.Int {
	if a.tenScale == s {
		return a.ten
	}
	f, total, z := fixedAt(s), new(big.Int), new(big.Int)
	for _, t := range [...]struct{ factor, divisor int }{{46, 31}, {34, 49}, {20, 161}} {
		f.divide(z, &f.one, t.divisor)
		part, _ := a.atanh(f, z)
		total.Add(total, part.Mul(part, big.NewInt(int64(t.factor))))
	}
	a.tenScale, a.ten = s, total
	return total
}

// lnOf returns ln(c*10^exponent) to the given number of significant digits, for a
// positive c and a value that is not 1.
//
// The value is brought to m in [0.3, 3) times a power of ten. When that power is 0
// the logarithm may be tiny, and as many digits are added as it has zeros; else
// k*ln(10) outweighs ln(m) and nothing cancels.
func (a *arithmetic) lnOf(c *big.Int, exponent, digits int) interval {
	length := countDigits(c)
	k, places := exponent+length-1, length-1
	if c.Cmp(new(big.Int).Mul(big.NewInt(3), powerOfTen(places))) >= 0 {
		k, places = k+1, length
	}
	s := max(digits+guard, places)
	if k == 0 {
		near := new(big.Int).Sub(c, powerOfTen(places))
		s += places - countDigits(near) + 1
	}
	f := fixedAt(s)
	m := new(big.Int).Mul(c, powerOfTen(s-places))
	// Three square roots bring m near enough to 1 for a short series; each is off by one
	// unit and halves what came before.
	distance := new(big.Int).Sub(m, &f.one)
	factor := int64(2)
	if distance.Mul(distance, big.NewInt(10)).CmpAbs(&f.one) > 0 {
		for range 3 {
			m.Sqrt(f.product.Mul(m, &f.one))
		}
		factor = 16
		a.steps += 3
	}
	z := new(big.Int).Sub(m, &f.one)
	z.Mul(z, &f.one)
	z.Quo(z, m.Add(m, &f.one))
	sum, terms := a.atanh(f, z)
	sum.Mul(sum, big.NewInt(factor))
	if k != 0 {
		sum.Add(sum, a.lnTenTimes(k, s))
	}
	return interval{sum, big.NewInt(int64(64*(terms+4) + s)), -s}
}

// expOf returns e^t to the given number of significant digits, for |t| < 10^5 and
// a t that is itself good to that many digits after the point.
//
// t is brought to k*ln(10) + r with |r| < 1.2, so that the powers of ten are exact,
// and r is halved six times before the series and squared back after it.
func (a *arithmetic) expOf(t interval, digits int) interval {
	const halvings = 6
	s := digits + guard
	f := fixedAt(s)
	r, off := rescale(t.coefficient, t.exponent+s), rescale(t.off, t.exponent+s)
	k := roundedQuotient(r, a.lnTenTimes(1, s))
	r.Sub(r, a.lnTenTimes(k, s))
	r.Quo(r, big.NewInt(1<<halvings))
	sum, term, terms := new(big.Int).Set(&f.one), new(big.Int).Set(&f.one), 0
	for term.Sign() != 0 {
		terms++
		f.multiply(term, term, r)
		f.divide(term, term, terms)
		sum.Add(sum, term)
	}
	for range halvings {
		f.multiply(sum, sum, sum)
	}
	a.steps += terms + halvings
	// e^r is under 3.4: four times what r is off by, and 2^6 times that for each term.
	off.Add(off, big.NewInt(int64(s+2)))
	off.Mul(off, big.NewInt(4))
	off.Add(off, big.NewInt(int64(512*(terms+4))))
	return interval{sum, off, k - s}
}

// rescale returns v*10^shift, truncated.
func rescale(v *big.Int, shift int) *big.Int {
	if shift >= 0 {
		return new(big.Int).Mul(v, powerOfTen(shift))
	}
	return new(big.Int).Quo(v, powerOfTen(-shift))
}

// roundedQuotient returns n/d to the nearest integer or the one next to it; the
// quotient is small.
func roundedQuotient(n, d *big.Int) int {
	twice := new(big.Int).Lsh(n, 1)
	q := int(twice.Quo(twice, d).Int64())
	return (q + sign(q)) / 2
}

func sign(v int) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}
