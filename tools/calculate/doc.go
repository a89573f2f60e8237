// Package calculate is math.calculate: exact decimal arithmetic for a closed,
// small expression language.
//
// An expression passes four steps, one file each: token.go splits it, parse.go
// builds a tree and refuses depth while it descends, eval.go walks the tree, and
// render.go writes the value. The language is exactly the grammar above parse;
// there is no evaluator of another language behind it, so nothing can be reached
// that the grammar does not name.
//
// Every value is a shopspring decimal that passed through the context of
// context.go: 50 significant digits, half-even, exponents within ±10,000, and a
// flag that remembers whether any step was rounded. The decimal library has no
// such context of its own. Its Pow, Ln and Exp round to places after the point
// and not to significant digits, so the functions are ours (series.go): they
// compute an interval that holds the true value and widen the working precision
// until both ends round to the same 50 digits. cockroachdb/apd has a context, but
// its quotients below the least exponent forget what was cut off; it serves the
// tests as a second opinion.
//
// The package is not a general calculator: there is no trigonometry, since a
// result cannot say whether it read degrees or radians, and no variable, unit,
// complex number or float.
package calculate
