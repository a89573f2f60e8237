package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parameter adds what stands for a variable.
func (b *builder) parameter(p *syntax.ParamExp, quoted bool) {
	b.nest(p)
	if !plain(p) {
		b.unknown("it puts in a part of a variable, or more than its value", b.expanded(p)...)
		return
	}
	name := p.Param.Value
	why := "it puts in the value of " + name
	text, show, ok := "", true, false
	if numeric[name] || b.st.plain[name] {
		b.number(why, b.st.may[name]...)
		return
	}
	if text, ok = b.st.value(name); !ok {
		text, show, ok = b.own(name)
	}
	if !ok || !quoted && !b.assigned && !b.heredoc && (text == "" || strings.ContainsAny(text, " \t\n*?[\\")) {
		b.unknown(why, b.values(name)...)
		return
	}
	b.known(text, why, show)
}

// numeric are what the shell keeps numbers in that nothing can assign to: how the last command
// ended, how many arguments there are, and its own process.
var numeric = map[string]bool{"?": true, "#": true, "$": true}

// own returns the variables that the place of a command line gives; they are followed but
// not listed.
func (b *builder) own(name string) (string, bool, bool) {
	switch name {
	case "HOME":
		home, ok := b.r.home()
		return home, false, ok
	case "PWD":
		if len(b.st.folders) == 1 && !b.r.facts.set["PWD"] {
			return b.st.folders[0], false, true
		}
	}
	return "", false, false
}

// plain says whether p puts in the value of a variable and nothing else.
func plain(p *syntax.ParamExp) bool {
	return p.Param != nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Flags == nil && p.NestedParam == nil &&
		p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil && len(p.Modifiers) == 0
}

// nest collects the commands inside a part of a word.
func (b *builder) nest(node syntax.Node) { collect(node, b.inner) }

func collect(node syntax.Node, into *[]nested) {
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			*into = append(*into, nested{stmts: n.Stmts})
			return false
		case *syntax.ProcSubst:
			*into = append(*into, nested{stmts: n.Stmts, fed: n.Op == syntax.CmdOut})
			return false
		}
		return true
	})
}
