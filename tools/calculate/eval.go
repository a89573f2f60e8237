package calculate

import "github.com/shopspring/decimal"

// evaluator walks a tree whose names are known to be good.
type evaluator struct {
	arithmetic
	expression string
	tokens     []token
	nodes      []node
}

// evaluate returns the value of an expression and the arithmetic that it was
// worked out in. The error is a *tool.Error with one of the eight codes.
func evaluate(expression string) (decimal.Decimal, arithmetic, error) {
	// The two arrays stay on the stack and hold every expression of ordinary size.
	var tokenRoom [32]token
	var nodeRoom [32]node
	tokens, err := tokenize(expression, tokenRoom[:0])
	if err != nil {
		return decimal.Decimal{}, arithmetic{}, err
	}
	p := parser{expression: expression, tokens: tokens, nodes: nodeRoom[:0]}
	root, err := p.parse()
	if err != nil {
		return decimal.Decimal{}, arithmetic{}, err
	}
	e := evaluator{expression: expression, tokens: tokens, nodes: p.nodes}
	value, err := e.value(root)
	return value, e.arithmetic, err
}

func (e *evaluator) value(at int32) (decimal.Decimal, error) {
	n := e.nodes[at]
	e.steps++
	switch {
	case n.kind == kindNumber:
		return e.literal(e.tokens[n.token].text(e.expression))
	case n.kind == kindName && !n.call:
		return e.literal(constants[n.right].literal)
	case n.kind == kindName:
		return e.apply(n)
	case n.left == none:
		return e.sign(n)
	}
	left, err := e.value(n.left)
	if err != nil {
		return left, err
	}
	right, err := e.value(n.right)
	if err != nil {
		return right, err
	}
	return e.operate(n.kind, left, right)
}

func (e *evaluator) sign(n node) (decimal.Decimal, error) {
	operand, err := e.value(n.right)
	if err == nil && n.kind == kindSubtract {
		operand = operand.Neg()
	}
	return operand, err
}

func (e *evaluator) operate(k kind, left, right decimal.Decimal) (decimal.Decimal, error) {
	switch k {
	case kindAdd:
		return e.add(left, right)
	case kindSubtract:
		return e.add(left, right.Neg())
	case kindMultiply:
		return e.multiply(left, right)
	case kindDivide:
		return e.divide(left, right)
	case kindFloorDivide:
		return e.floorDivide(left, right)
	case kindModulo:
		return e.modulo(left, right)
	case kindPower:
		return e.power(left, right)
	case kindEnd, kindNumber, kindName, kindOpen, kindClose, kindComma:
	}
	panic("calculate: a node that is no operator")
}

func (e *evaluator) apply(n node) (decimal.Decimal, error) {
	var arguments []decimal.Decimal
	for at := n.left; at != none; at = e.nodes[at].next {
		argument, err := e.value(at)
		if err != nil {
			return argument, err
		}
		arguments = append(arguments, argument)
	}
	return functions[n.right].apply(&e.arithmetic, arguments)
}
