package program

import "strings"

// harmlessVariables are those that only change in which language, colour or width a program
// prints, or that a build of one kind reads as a plain switch.
var harmlessVariables = map[string]bool{
	"LANG": true, "LANGUAGE": true, "TZ": true, "COLUMNS": true, "LINES": true, "NO_COLOR": true, "FORCE_COLOR": true, "CLICOLOR": true,
	"CLICOLOR_FORCE": true, "CI": true, "DEBIAN_FRONTEND": true, "PYTHONUNBUFFERED": true, "PYTHONDONTWRITEBYTECODE": true,
	"RUST_BACKTRACE": true, "CGO_ENABLED": true, "GOOS": true, "GOARCH": true,
}

// HarmlessVariable reports whether a variable that is set for a command is known to change
// nothing of what it runs, reads and writes. Any other may: PATH, PAGER, LD_PRELOAD.
func HarmlessVariable(name string) bool {
	return harmlessVariables[name] || strings.HasPrefix(name, "LC_")
}
