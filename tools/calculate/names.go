package calculate

import (
	"math"

	"github.com/shopspring/decimal"
)

// function is a row of the closed table of functions. apply receives between
// least and most values.
type function struct {
	name        string
	least, most int
	apply       func(*arithmetic, []decimal.Decimal) (decimal.Decimal, error)
}

var functions = [...]function{
	{"abs", 1, 1, (*arithmetic).abs},
	{"ceil", 1, 1, (*arithmetic).ceil},
	{"exp", 1, 1, (*arithmetic).exp},
	{"floor", 1, 1, (*arithmetic).floor},
	{"ln", 1, 1, (*arithmetic).ln},
	{"log10", 1, 1, (*arithmetic).log10},
	{"max", 1, math.MaxInt, (*arithmetic).max},
	{"min", 1, math.MaxInt, (*arithmetic).min},
	{"round", 1, 2, (*arithmetic).roundTo},
	{"sqrt", 1, 1, (*arithmetic).sqrt},
}

// constants have ten digits more than the context keeps, so that the last kept
// digit is the right one.
var constants = [...]struct{ name, literal string }{
	{"pi", "3.14159265358979323846264338327950288419716939937510582097494"},
	{"e", "2.71828182845904523536028747135266249775724709369995957496696"},
}

func functionIndex(name string) int {
	for i := range functions {
		if functions[i].name == name {
			return i
		}
	}
	return -1
}

func constantIndex(name string) int {
	for i := range constants {
		if constants[i].name == name {
			return i
		}
	}
	return -1
}
