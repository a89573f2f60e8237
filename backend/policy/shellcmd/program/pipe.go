package program

import "strings"

// evaluators run text that is among their words as code, where it is not the name of a file.
var evaluators = setOf(`sh bash dash zsh ksh mksh ash rbash fish csh tcsh eval source . python python2 python3 perl ruby node
	nodejs php lua luajit deno bun pwsh powershell osascript tclsh R Rscript`)

// downloaders print what another machine sends.
var downloaders = setOf(`curl wget wget2 aria2c fetch lynx links w3m http https xh nc ncat netcat socat ftp telnet`)

// RunsInput says that words start a program that runs what its input says: a shell or
// another interpreter, also behind wrappers such as sudo and env.
func RunsInput(words []Word) bool {
	w := innermost(words)
	return len(w) > 0 && Judge(Invocation{Words: w, Fed: true}).Input
}

// Evaluates says that words start a program that runs code which is among its words, so that
// a substitution there is code: bash -c, eval, source.
func Evaluates(words []Word) bool {
	w := innermost(words)
	return len(w) > 0 && evaluators[base(w[0].Text)]
}

// Downloads says that words start a program that prints what another machine sends.
func Downloads(words []Word) bool {
	w := innermost(words)
	return len(w) > 0 && downloaders[base(w[0].Text)]
}

// innermost are the words that are started in the end.
func innermost(words []Word) []Word {
	for depth := 0; len(words) > 0 && depth < maxDepth; depth++ {
		j := Judge(Invocation{Words: words, Fed: true})
		next := -1
		for i := range j.Inner {
			switch in := &j.Inner[i]; {
			case in.Silent:
			case len(in.Words) > 0 && next < 0:
				next = i
			case in.Shell != nil && in.By < len(words) && next < 0:
				return words[shellBefore(words, in.By):]
			}
		}
		if next < 0 {
			return words
		}
		words = j.Inner[next].Words
	}
	return nil
}

// shellBefore is the index of the shell whose script stands at a word.
func shellBefore(words []Word, at int) int {
	for i := at - 1; i > 0; i-- {
		if evaluators[base(words[i].Text)] {
			return i
		}
	}
	return 0
}

// Base is the last part of a program's path.
func Base(name string) string { return base(name) }

// base is Base, for this package.
func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
