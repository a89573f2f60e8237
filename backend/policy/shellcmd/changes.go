package shellcmd

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// changes are what commands may change for those that run behind them, wherever these stand
// in the text: the body of a loop is behind itself, that of a function behind all.
type changes struct {
	// moves says that the shell may be in another folder.
	moves bool
	// sets are the variables that programs may see.
	sets []string
}

// changesOf looks at all commands below a node.
func changesOf(node syntax.Node) changes {
	var c changes
	c.in(node)
	return c
}

func (c *changes) in(node syntax.Node) {
	syntax.Walk(node, func(n syntax.Node) bool {
		c.note(n)
		return true
	})
}

// note looks at one command.
func (c *changes) note(node syntax.Node) {
	switch n := node.(type) {
	case *syntax.DeclClause:
		for _, a := range n.Args {
			if a.Name != nil {
				c.set(a.Name.Value)
			}
		}
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			c.moves = c.moves || mayMove(n.Args[0].Lit())
			return
		}
		for _, a := range n.Assigns {
			if mayBeExported(a.Name.Value) {
				c.set(a.Name.Value)
			}
		}
	}
}

// mayMove says whether a command of that name may change the folder of the shell; "" is a name
// that is not written plainly.
func mayMove(name string) bool {
	switch name {
	case "", "cd", "pushd", "popd", "eval", "source", ".", "command", "builtin", "trap":
		return true
	}
	return strings.IndexByte(name, '\\') >= 0
}

// set keeps one name more than may be followed, so that a script with too many is refused.
func (c *changes) set(name string) {
	if len(c.sets) <= maxExported && !slices.Contains(c.sets, name) {
		c.sets = append(c.sets, name)
	}
}

func (c *changes) add(o changes) {
	c.moves = c.moves || o.moves
	for _, name := range o.sets {
		c.set(name)
	}
}

// behind is the state behind commands of which nobody knows how often they ran.
func (c changes) behind(st state) state {
	st = st.forget()
	if c.moves {
		st = st.lost()
	}
	for _, name := range c.sets {
		st = st.export(unknownValue(name))
	}
	return st
}
