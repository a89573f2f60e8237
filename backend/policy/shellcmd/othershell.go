package shellcmd

import "strings"

// otherShell says whether a name is one that only the shells of Windows know: a command of
// cmd.exe, such a shell itself, or a cmdlet. A line that holds one was written for a shell
// that reads it by other rules, so that nothing is concluded from how bash would.
func otherShell(name string) bool {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	return windowsNames[strings.TrimSuffix(strings.ToLower(name), ".exe")] || cmdlet(name)
}

var windowsNames = map[string]bool{
	"assoc": true, "attrib": true, "bitsadmin": true, "certutil": true, "chcp": true, "cls": true, "cmd": true, "copy": true,
	"cscript": true, "del": true, "erase": true, "ftype": true, "icacls": true, "iex": true, "iwr": true, "mklink": true, "move": true,
	"mshta": true, "powershell": true, "rd": true, "reg": true, "regsvr32": true, "ren": true, "robocopy": true,
	"rundll32": true, "schtasks": true, "setx": true, "takeown": true, "taskkill": true, "tasklist": true, "wmic": true,
	"wscript": true, "xcopy": true,
}

// cmdlet says whether a name is a verb of PowerShell, a dash and a noun, both with a capital
// as they are written: a script of a project may be called start-service.
func cmdlet(name string) bool {
	verb, noun, two := strings.Cut(name, "-")
	return two && capital(verb) && capital(noun) && cmdletVerbs[strings.ToLower(verb)] && cmdletNouns[strings.ToLower(noun)]
}

func capital(word string) bool { return word != "" && 'A' <= word[0] && word[0] <= 'Z' }

var cmdletVerbs = map[string]bool{
	"add": true, "clear": true, "convertfrom": true, "convertto": true, "copy": true, "export": true, "foreach": true, "get": true,
	"import": true, "invoke": true, "move": true, "new": true, "out": true, "read": true, "remove": true, "rename": true,
	"select": true, "set": true, "sort": true, "start": true, "stop": true, "test": true, "where": true, "write": true,
}

var cmdletNouns = map[string]bool{
	"acl": true, "childitem": true, "clipboard": true, "command": true, "content": true, "date": true, "error": true,
	"executionpolicy": true, "expression": true, "file": true, "history": true, "host": true, "item": true, "itemproperty": true,
	"job": true, "json": true, "location": true, "member": true, "module": true, "null": true, "object": true, "output": true,
	"path": true, "process": true, "restmethod": true, "service": true, "sleep": true, "string": true, "variable": true,
	"webrequest": true, "xml": true,
}
