package calculate

import "countersign/backend/tool"

// maxDepth bounds grammar recursion: a group, a call argument, a unary sign and
// the right operand of a power each add one.
const maxDepth = 32

// none stands for the absence of a node.
const none int32 = -1

// node is a node of the tree. Nodes live in one slice and name each other by
// index, so that a small expression needs no allocation.
type node struct {
	kind kind
	// token is the number, name or operator that made the node.
	token int32
	// left and right are the operands. A unary sign has only right. For a call, left
	// is the first argument and right its function in functions.
	left, right int32
	// next is the following argument where the node is an argument of a call.
	next int32
	// call tells a call from a constant.
	call bool
}

// parser builds the tree of an expression:
//
//	expression := term (("+" | "-") term)*
//	term       := unary (("*" | "/" | "//" | "%") unary)*
//	unary      := ("+" | "-") unary | power
//	power      := primary [("^" | "**") unary]
//	primary    := NUMBER | NAME | call | "(" expression ")"
//	call       := NAME "(" [expression ("," expression)*] ")"
//
// It climbs precedence with one loop for the two left-associative levels.
type parser struct {
	expression string
	tokens     []token
	// nodes has room for one node a token, which is the most there can be; the first
	// count are made. Appending through p would send the room to the heap.
	nodes []node
	count int
	at    int
	// naming is the fault of the leftmost name that is unknown or has the wrong number
	// of arguments, at token namingAt. It counts only when the whole expression parses.
	naming   namingFault
	namingAt int
}

// namingFault is what can be wrong with a name in an expression that parses.
type namingFault uint8

const (
	namesGood namingFault = iota
	nameUnknown
	countWrong
)

// parse returns the index of the root node.
func (p *parser) parse() (int32, error) {
	root, err := p.binary(1, 0)
	if err != nil {
		return none, err
	}
	if p.peek() != kindEnd {
		return none, p.unexpected()
	}
	switch p.naming {
	case nameUnknown:
		return none, tool.Errorf(CodeUnknownName, "name at byte %d", p.tokens[p.namingAt].start)
	case countWrong:
		return none, tool.Errorf(CodeArity, "call at byte %d", p.tokens[p.namingAt].start)
	case namesGood:
	}
	return root, nil
}

func (p *parser) peek() kind {
	if p.at == len(p.tokens) {
		return kindEnd
	}
	return p.tokens[p.at].kind
}

func (p *parser) unexpected() error {
	if p.at == len(p.tokens) {
		return tool.Errorf(CodeSyntax, "unexpected end")
	}
	return tool.Errorf(CodeSyntax, "unexpected token at byte %d", p.tokens[p.at].start)
}

func (p *parser) add(n node) int32 {
	n.next = none
	p.nodes[p.count] = n
	p.count++
	return int32(p.count - 1)
}

// descend refuses a depth past the bound before anything is built at it.
func (p *parser) descend(depth int) error {
	if depth > maxDepth {
		return tool.Errorf(CodeTooDeep, "more than %d levels at token %d", maxDepth, p.at)
	}
	return nil
}

// binding returns the level of a left-associative operator, 0 for anything else.
func binding(k kind) int {
	switch k {
	case kindAdd, kindSubtract:
		return 1
	case kindMultiply, kindDivide, kindFloorDivide, kindModulo:
		return 2
	case kindEnd, kindNumber, kindName, kindOpen, kindClose, kindComma, kindPower:
		return 0
	}
	return 0
}

// binary parses operators of at least the given level. It calls itself for the
// tighter level only, so that a long chain of operators does not recurse.
func (p *parser) binary(level, depth int) (int32, error) {
	left, err := p.unary(depth)
	if err != nil {
		return none, err
	}
	for {
		k := p.peek()
		have := binding(k)
		if have < level {
			return left, nil
		}
		operator := int32(p.at)
		p.at++
		right, err := p.binary(have+1, depth)
		if err != nil {
			return none, err
		}
		left = p.add(node{kind: k, token: operator, left: left, right: right})
	}
}

func (p *parser) unary(depth int) (int32, error) {
	k := p.peek()
	if k != kindAdd && k != kindSubtract {
		return p.power(depth)
	}
	if err := p.descend(depth + 1); err != nil {
		return none, err
	}
	sign := int32(p.at)
	p.at++
	operand, err := p.unary(depth + 1)
	if err != nil {
		return none, err
	}
	return p.add(node{kind: k, token: sign, left: none, right: operand}), nil
}

func (p *parser) power(depth int) (int32, error) {
	base, err := p.primary(depth)
	if err != nil || p.peek() != kindPower {
		return base, err
	}
	operator := int32(p.at)
	p.at++
	if err := p.descend(depth + 1); err != nil {
		return none, err
	}
	exponent, err := p.unary(depth + 1)
	if err != nil {
		return none, err
	}
	return p.add(node{kind: kindPower, token: operator, left: base, right: exponent}), nil
}

func (p *parser) primary(depth int) (int32, error) {
	switch p.peek() {
	case kindNumber:
		p.at++
		return p.add(node{kind: kindNumber, token: int32(p.at - 1), left: none, right: none}), nil
	case kindName:
		p.at++
		if p.peek() == kindOpen {
			return p.call(depth)
		}
		return p.constant(), nil
	case kindOpen:
		if err := p.descend(depth + 1); err != nil {
			return none, err
		}
		p.at++
		inner, err := p.binary(1, depth+1)
		if err != nil {
			return none, err
		}
		if p.peek() != kindClose {
			return none, p.unexpected()
		}
		p.at++
		return inner, nil
	case kindEnd, kindClose, kindComma, kindAdd, kindSubtract, kindMultiply, kindDivide,
		kindFloorDivide, kindModulo, kindPower:
	}
	return none, p.unexpected()
}

func (p *parser) constant() int32 {
	name := p.at - 1
	which := constantIndex(p.tokens[name].text(p.expression))
	if which < 0 {
		p.blame(name, nameUnknown)
	}
	return p.add(node{kind: kindName, token: int32(name), left: none, right: int32(which)})
}

// call parses the arguments of the function whose name was just read.
func (p *parser) call(depth int) (int32, error) {
	name := p.at - 1
	p.at++
	first, last, count := none, none, 0
	for p.peek() != kindClose || count > 0 {
		if err := p.descend(depth + 1); err != nil {
			return none, err
		}
		argument, err := p.binary(1, depth+1)
		if err != nil {
			return none, err
		}
		if count == 0 {
			first = argument
		} else {
			p.nodes[last].next = argument
		}
		last = argument
		count++
		if p.peek() != kindComma {
			break
		}
		p.at++
	}
	if p.peek() != kindClose {
		return none, p.unexpected()
	}
	p.at++
	which := functionIndex(p.tokens[name].text(p.expression))
	switch {
	case which < 0:
		p.blame(name, nameUnknown)
	case count < functions[which].least || count > functions[which].most:
		p.blame(name, countWrong)
	}
	return p.add(node{kind: kindName, token: int32(name), left: first, right: int32(which), call: true}), nil
}

// blame remembers a fault of a name. Parsing goes on, since an expression that
// does not parse at all is a syntax fault whatever its names are.
func (p *parser) blame(name int, fault namingFault) {
	if p.naming == namesGood || name < p.namingAt {
		p.naming, p.namingAt = fault, name
	}
}
