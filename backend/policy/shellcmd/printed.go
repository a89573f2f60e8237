package shellcmd

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// maxPrinted is how long an output is that is guessed, in bytes.
const maxPrinted = 16 << 10

// substituted is what a command substitution may put in.
func (r *reader) substituted(c *syntax.CmdSubst, st state) []string {
	if r.substitutions >= maxScripts || !spend(&r.left.parts) {
		return nil
	}
	r.substitutions++
	defer func() { r.substitutions-- }()
	text, ok := r.printed(c.Stmts, st)
	if !ok || len(text) > maxGuess {
		return nil
	}
	return []string{strings.TrimRight(text, "\n")}
}

// printed is what commands may print, as far as that is certain from their words: all of what
// they may print on any way that they take.
func (r *reader) printed(stmts []*syntax.Stmt, st state) (string, bool) {
	var out strings.Builder
	known := len(stmts) == 0
	for _, s := range stmts {
		if text, ok := r.output(s.Cmd, s.Redirs, st); ok && out.Len()+len(text) <= maxPrinted {
			out.WriteString(text)
			known = true
		}
	}
	return out.String(), known
}

func (r *reader) output(c syntax.Command, redirs []*syntax.Redirect, st state) (string, bool) {
	if !spend(&r.left.parts) {
		return "", false
	}
	if text, ok := r.given(redirs, st); ok {
		st.piped = &text
	}
	switch c := c.(type) {
	case *syntax.CallExpr:
		var inner []nested
		return r.printedBy(r.words(c.Args, st, &inner), st)
	case *syntax.Block:
		return r.printed(c.Stmts, st)
	case *syntax.Subshell:
		return r.printed(c.Stmts, st)
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
			return r.printed([]*syntax.Stmt{c.X, c.Y}, st)
		}
		st.piped = nil
		if text, ok := r.printed([]*syntax.Stmt{c.X}, st); ok {
			st.piped = &text
		}
		return r.printed([]*syntax.Stmt{c.Y}, st)
	case *syntax.ForClause:
		if l, ok := c.Loop.(*syntax.WordIter); ok {
			var inner []nested
			return r.printed(c.Do, st.guess(l.Name.Value, textsOf(r.words(l.Items, st, &inner))))
		}
	}
	return "", false
}

// given is the text that the redirects of a command feed it, where the line holds it.
func (r *reader) given(redirs []*syntax.Redirect, st state) (string, bool) {
	for _, d := range redirs {
		w := d.Hdoc
		if d.Op == syntax.WordHdoc {
			w = d.Word
		}
		if w == nil {
			continue
		}
		var inner []nested
		made := r.word(w, builder{st: st, inner: &inner, heredoc: true})
		if texts := made.texts(); len(texts) > 0 {
			return strings.Join(texts, "\n") + "\n", true
		}
	}
	return "", false
}

// textsOf are all that words are, or may be.
func textsOf(words []word) []string {
	var out []string
	for i := range words {
		out = append(out, words[i].texts()...)
	}
	return out
}

// printedBy is what a program prints of its words or passes on.
func (r *reader) printedBy(words []word, st state) (string, bool) {
	for len(words) > 0 && slices.Contains([]string{"command", "builtin", "exec", "env"}, words[0].Text) {
		words = words[1:]
	}
	if len(words) == 0 || words[0].Dynamic {
		return "", len(words) == 0
	}
	for i := range words {
		if words[i].Dynamic && words[i].guesses == nil {
			return "", false
		}
	}
	args := textsOf(words[1:])
	switch name := program.Base(words[0].Text); name {
	case "echo":
		return echoed(args), true
	case "printf":
		return formatted(args), true
	case ":", "true", "false", "cd", "test", "[":
		return "", true
	case "pwd":
		return lined(append(slices.Clone(st.folders), st.near...)), len(st.folders)+len(st.near) > 0
	case "dirname", "realpath", "readlink", "basename":
		return pathsOf(name, args), true
	case "find", "ls":
		return listed(args)
	case "cat", "tee", "sort", "uniq", "head", "tail", "grep", "egrep", "fgrep", "nl", "tac", "tr", "cut", "awk", "sed":
		if st.piped == nil {
			return "", false
		}
		return *st.piped, true
	}
	return "", false
}

func lined(texts []string) string {
	var out strings.Builder
	for _, text := range texts {
		out.WriteString(text)
		out.WriteByte('\n')
	}
	return out.String()
}

// echoed is what echo prints.
func echoed(args []string) string {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		args = args[1:]
	}
	text := strings.Join(args, " ") + "\n"
	return text + decoded(text)
}

// nul are the ways to write a NUL character, which parts words as a line break does.
var nul = regexp.MustCompile(`\\(0{1,4}|x0{1,2})([^0-9a-fA-F]|$)`)

// decoded is a text with its escapes replaced, "" where it holds none.
func decoded(text string) string {
	out, ok := ansi(nul.ReplaceAllString(text, "\n$2"))
	if !ok || out == text {
		return ""
	}
	return out
}

// formatted is what printf prints, whose format stands for all arguments in turn.
func formatted(args []string) string {
	for len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	format, rest := args[0], args[1:]
	if text := decoded(format); text != "" {
		format = text
	}
	var out strings.Builder
	for {
		used := false
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i+1 == len(format) {
				out.WriteByte(format[i])
				continue
			}
			for i++; i < len(format)-1 && strings.IndexByte("0123456789-+ #.", format[i]) >= 0; i++ {
			}
			if format[i] == '%' {
				out.WriteByte('%')
				continue
			}
			if used = true; len(rest) > 0 {
				out.WriteString(rest[0])
				rest = rest[1:]
			}
		}
		if !used || len(rest) == 0 || out.Len() > maxPrinted {
			return out.String()
		}
	}
}

// pathsOf are paths as a program prints them that only works with names.
func pathsOf(name string, args []string) string {
	var out []string
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
		case name == "dirname" && strings.Trim(a, "/") != "":
			out = append(out, path.Dir(strings.TrimRight(a, "/")))
		case name == "basename":
			out = append(out, path.Base(a))
		default:
			out = append(out, path.Clean(a))
		}
	}
	return lined(out)
}

// listed are the folders that find and ls list the content of, where they leave nothing out.
func listed(args []string) (string, bool) {
	var out []string
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
			if slices.Contains([]string{"-name", "-iname", "-path", "-ipath", "-regex", "-mtime", "-mmin", "-size", "-newer", "-user", "-empty"}, a) {
				return "", false
			}
		default:
			if !strings.ContainsAny(a, "*?[") {
				a = strings.TrimSuffix(a, "/") + "/*"
			}
			out = append(out, a)
		}
	}
	return lined(out), len(out) > 0
}
