package shellcmd

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"
)

// steering are the variables that change how the shell itself reads, finds or runs what
// follows.
var steering = []string{
	"BASHOPTS", "CDPATH", "DIRSTACK", "ENV", "EXECIGNORE", "FCEDIT", "FIGNORE", "FUNCNEST", "GLOBIGNORE", "GLOBSORT", "HISTFILE",
	"HOME", "IFS", "INPUTRC", "MAILPATH", "OLDPWD", "OPTIND", "PATH", "POSIXLY_CORRECT",
	"PROMPT_COMMAND", "PROMPT_DIRTRIM", "PS0", "PS1", "PS2", "PS3", "PS4", "PWD", "SHELL", "SHELLOPTS", "TEXTDOMAIN", "TEXTDOMAINDIR",
	"TMOUT", "auto_resume", "histchars",
}

// steers says why an assignment to name changes what later commands do, "" if it does not.
func steers(name string) string {
	if slices.Contains(steering, name) || strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_") || strings.HasPrefix(name, "COMP_") {
		return "it changes " + name + ", and with it how later commands are found or read"
	}
	return ""
}

// steersLater says why setting a variable of the shell changes what later commands do, ""
// where it does not; exported says that programs get it whatever it is called.
func steersLater(name string, exported bool) string {
	if why := steers(name); why != "" {
		return why
	}
	if (exported || mayBeExported(name)) && program.Loads(name) {
		return "it changes " + name + ", which later programs may obey"
	}
	return ""
}

// lowerExported are names in small letters that programs look for in their environment.
var lowerExported = []string{"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "rsync_proxy"}

// mayBeExported says whether a variable that the shell sets may be one that programs get.
// Nobody knows which ones were handed to the shell; by custom those are in capitals.
func mayBeExported(name string) bool {
	return name == strings.ToUpper(name) || slices.Contains(lowerExported, name)
}
