package calculate

import "math/big"

// tabledPowers covers what context arithmetic multiplies with: products and
// quotients of 50-digit coefficients.
const tabledPowers = 128

var powersOfTen = func() (table [tabledPowers]*big.Int) {
	for i := range table {
		table[i] = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(i)), nil)
	}
	return table
}()

// powerOfTen returns 10^n, n >= 0, for reading only.
func powerOfTen(n int) *big.Int {
	if n < tabledPowers {
		return powersOfTen[n]
	}
	return new(big.Int).Exp(powersOfTen[1], big.NewInt(int64(n)), nil)
}

// countDigits returns the number of decimal digits of |v|, 1 for zero.
func countDigits(v *big.Int) int {
	if v.Sign() == 0 {
		return 1
	}
	// A number of b bits is at least 2^(b-1), and 30103/100000 is a hair above log10(2),
	// so n starts at most at the answer.
	n := (v.BitLen() - 1) * 30103 / 100000
	for v.CmpAbs(powerOfTen(n)) >= 0 {
		n++
	}
	return n
}

// dropDigits returns v / 10^n rounded half to even, and whether anything but
// zeros was dropped. n >= 0.
func dropDigits(v *big.Int, n int) (*big.Int, bool) {
	unit := powerOfTen(n)
	q, r := new(big.Int).QuoRem(v, unit, new(big.Int))
	if r.Sign() == 0 {
		return q, false
	}
	half := r.Abs(r).Lsh(r, 1).Cmp(unit)
	if half > 0 || half == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(int64(v.Sign())))
	}
	return q, true
}
