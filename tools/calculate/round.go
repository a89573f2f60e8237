package calculate

import (
	"github.com/shopspring/decimal"

	"countersign/backend/tool"
)

// maxPlaces bounds the second argument of round, either way.
const maxPlaces = 50

func domain(name string) error { return tool.Errorf(CodeDomain, "an argument of %s", name) }

func (a *arithmetic) abs(v []decimal.Decimal) (decimal.Decimal, error) { return v[0].Abs(), nil }

func (a *arithmetic) floor(v []decimal.Decimal) (decimal.Decimal, error) {
	return a.toInteger(v[0], decimal.Decimal.Floor)
}

func (a *arithmetic) ceil(v []decimal.Decimal) (decimal.Decimal, error) {
	return a.toInteger(v[0], decimal.Decimal.Ceil)
}

// toInteger applies floor or ceil. A value below one is first brought near it, so
// that 1e-10000 is not written out.
func (a *arithmetic) toInteger(v decimal.Decimal, integer func(decimal.Decimal) decimal.Decimal) (decimal.Decimal, error) {
	if !v.IsZero() && firstExponent(v) < -1 {
		v = decimal.New(int64(v.Sign()), -1)
	}
	return a.fit(integer(v))
}

func (a *arithmetic) min(v []decimal.Decimal) (decimal.Decimal, error) {
	least := v[0]
	for _, other := range v[1:] {
		if compare(other, least) < 0 {
			least = other
		}
	}
	return least, nil
}

func (a *arithmetic) max(v []decimal.Decimal) (decimal.Decimal, error) {
	most := v[0]
	for _, other := range v[1:] {
		if compare(other, most) > 0 {
			most = other
		}
	}
	return most, nil
}

// compare orders two values without aligning exponents that are far apart.
func compare(l, r decimal.Decimal) int {
	if l.Sign() != r.Sign() || l.IsZero() {
		return l.Sign() - r.Sign()
	}
	if gap := firstExponent(l) - firstExponent(r); gap != 0 {
		return gap * l.Sign()
	}
	return l.Cmp(r)
}

// roundTo is round(x) and round(x, n): half to even, to n places after the point,
// or before it when n is negative. Rounding on request is what was asked for and
// so leaves the result exact.
func (a *arithmetic) roundTo(v []decimal.Decimal) (decimal.Decimal, error) {
	places := 0
	if len(v) == 2 {
		n := v[1].Normalize()
		if n.Exponent() < 0 || compare(n.Abs(), decimal.New(maxPlaces, 0)) > 0 {
			return n, domain("round")
		}
		places = int(n.IntPart())
	}
	x := v[0]
	if x.IsZero() {
		return x, nil
	}
	drop := -places - int(x.Exponent())
	switch {
	case drop <= 0:
		return x, nil
	case drop > x.NumDigits():
		return decimal.Zero, nil
	}
	q, _ := dropDigits(x.Coefficient(), drop)
	return a.fit(decimal.NewFromBigInt(q, x.Exponent()+int32(drop)))
}
