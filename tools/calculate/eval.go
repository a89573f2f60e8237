package calculate

import "github.com/shopspring/decimal"

// tree is a parsed expression whose names are known to be good. The arithmetic is
// handed along apart from it: what the table of functions sees goes to the heap,
// and with it all that one value holds.
type tree struct {
	expression string
	tokens     []token
	nodes      []node
}

// evaluate returns the value of an expression and the arithmetic that it was
// worked out in. The error is a *tool.Error with one of the eight codes.
func evaluate(expression string) (decimal.Decimal, *arithmetic, error) {
	// The two arrays stay on the stack and hold every expression of ordinary size.
	var tokenRoom [32]token
	var nodeRoom [len(tokenRoom)]node
	tokens, err := tokenize(expression, tokenRoom[:0])
	if err != nil {
		return decimal.Decimal{}, &arithmetic{}, err
	}
	nodes := nodeRoom[:]
	if len(tokens) > len(nodes) {
		nodes = make([]node, len(tokens))
	}
	p := parser{expression: expression, tokens: tokens, nodes: nodes}
	root, err := p.parse()
	if err != nil {
		return decimal.Decimal{}, &arithmetic{}, err
	}
	a := &arithmetic{}
	t := tree{expression: expression, tokens: tokens, nodes: nodes}
	value, err := t.value(a, root)
	return value, a, err
}

func (t *tree) value(a *arithmetic, at int32) (decimal.Decimal, error) {
	n := t.nodes[at]
	a.steps++
	switch {
	case n.kind == kindNumber:
		return a.literal(t.tokens[n.token].text(t.expression))
	case n.kind == kindName && !n.call:
		return a.literal(constants[n.right].literal)
	case n.kind == kindName:
		return t.apply(a, n)
	case n.left == none:
		return t.sign(a, n)
	}
	left, err := t.value(a, n.left)
	if err != nil {
		return left, err
	}
	right, err := t.value(a, n.right)
	if err != nil {
		return right, err
	}
	return a.operate(n.kind, left, right)
}

func (t *tree) sign(a *arithmetic, n node) (decimal.Decimal, error) {
	operand, err := t.value(a, n.right)
	if err == nil && n.kind == kindSubtract {
		operand = operand.Neg()
	}
	return operand, err
}

func (a *arithmetic) operate(k kind, left, right decimal.Decimal) (decimal.Decimal, error) {
	switch k {
	case kindAdd:
		return a.add(left, right)
	case kindSubtract:
		return a.add(left, right.Neg())
	case kindMultiply:
		return a.multiply(left, right)
	case kindDivide:
		return a.divide(left, right)
	case kindFloorDivide:
		return a.floorDivide(left, right)
	case kindModulo:
		return a.modulo(left, right)
	case kindPower:
		return a.power(left, right)
	case kindEnd, kindNumber, kindName, kindOpen, kindClose, kindComma:
	}
	panic("calculate: a node that is no operator")
}

func (t *tree) apply(a *arithmetic, n node) (decimal.Decimal, error) {
	var arguments []decimal.Decimal
	for at := n.left; at != none; at = t.nodes[at].next {
		argument, err := t.value(a, at)
		if err != nil {
			return argument, err
		}
		arguments = append(arguments, argument)
	}
	return functions[n.right].apply(a, arguments)
}
