package program

import "strings"

// shells are the programs that run the text of their input as a POSIX shell does.
var shells = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "mksh": true, "ash": true, "rbash": true,
}

// interpreters run the text of their input, which is no shell's.
var interpreters = map[string]bool{
	"python": true, "python2": true, "python3": true, "perl": true, "ruby": true, "node": true, "nodejs": true,
	"php": true, "lua": true, "luajit": true, "deno": true, "bun": true, "fish": true, "pwsh": true,
	"powershell": true, "osascript": true, "tclsh": true, "csh": true, "tcsh": true, "R": true, "Rscript": true,
	"source": true, ".": true, "eval": true, "xargs": true,
}

// downloaders print what another machine sends.
var downloaders = map[string]bool{
	"curl": true, "wget": true, "aria2c": true, "fetch": true, "lynx": true, "links": true, "w3m": true,
	"http": true, "https": true, "xh": true, "nc": true, "ncat": true, "netcat": true, "socat": true,
	"ftp": true, "telnet": true, "ssh": true,
}

// IsShell says that the program runs the text that it is fed: a shell or another
// interpreter, also behind wrappers such as sudo and env. What a download is piped into is
// judged with it.
func IsShell(words []Word) bool {
	name, ok := innermost(words)
	return ok && (shells[name] || interpreters[name])
}

// Downloads says that the program prints what another machine sends.
func Downloads(words []Word) bool {
	name, ok := innermost(words)
	return ok && downloaders[name]
}

// innermost is the base name of the program that words start in the end.
func innermost(words []Word) (string, bool) {
	for depth := 0; len(words) > 0 && depth < maxDepth; depth++ {
		j := Judge(Invocation{Words: words})
		next := -1
		for i := range j.Inner {
			if !j.Inner[i].Silent && len(j.Inner[i].Words) > 0 {
				next = i
				break
			}
		}
		if next < 0 {
			return base(words[0].Text), true
		}
		words = j.Inner[next].Words
	}
	return "", false
}

// base is the last part of a program's path.
func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
