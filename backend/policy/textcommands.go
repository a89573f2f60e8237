package policy

import (
	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"
)

// commandCases are the command lines that are judged otherwise than others.
func commandCases() []matrixCase {
	line := func(what string, f Facts) matrixCase { return matrixCase{string(f.Effect), what, f} }
	inside := line("stays inside", commanding(plainCommand("ls")))
	tree := func(access tool.Access, path string) shellcmd.Command {
		c := using(access, "chmod", "-R", path)
		c.Uses[0].Tree = true
		return c
	}
	effect := func(e program.Effect, words ...string) Facts {
		return commanding(found(program.Finding{Effect: e, Words: "does that"}, words...))
	}
	return []matrixCase{
		inside,
		inside.but("isolated, stays inside", func(f *Facts) { f.Class.Target = tool.TargetSandbox }),
		inside.but("foreign text was read", func(f *Facts) { f.Origin = tool.TrustExternalUntrusted }),
		inside.but("cannot be parsed", func(f *Facts) { f.Reading = &shellcmd.Reading{} }),
		inside.but("was not read", func(f *Facts) { f.Reading = nil }),
		inside.but("known only when it runs", func(f *Facts) {
			f.Reading = &shellcmd.Reading{Parsed: true, Dynamic: true, Commands: f.Reading.Commands}
		}),
		inside.but("a file was not looked at", func(f *Facts) {
			f.Reading = &shellcmd.Reading{Parsed: true, Commands: []shellcmd.Command{using(tool.AccessRead, "cat", "/w/a")}}
		}),
		line("writes a file inside", commanding(using(tool.AccessWrite, "touch", "/w/a"))),
		line("reads a file outside", commanding(using(tool.AccessRead, "cat", "/etc/hosts"))),
		line("writes a file outside", commanding(using(tool.AccessWrite, "touch", "/home/u/a"))),
		line("writes the null device", commanding(using(tool.AccessWrite, "tee", "/dev/null"))),
		line("reads secrets", commanding(using(tool.AccessRead, "cat", "/w/.env"))),
		line("writes a git hook", commanding(using(tool.AccessWrite, "touch", "/w/.git/hooks/x"))),
		line("reads our home", commanding(using(tool.AccessRead, "cat", "/home/u/.countersign/config.json"))),
		line("reads all below the home", commanding(tree(tool.AccessRead, "/home/u"))),
		line("changes all below the home", commanding(tree(tool.AccessWrite, "/home/u"))),
		line("removes the workspace", removing("/w")),
		line("removes the home", removing("/home/u")),
		line("removes the root", removing("/")),
		line("removes below the home", removing("/home/u/a")),
		line("removes a folder of the system", removing("/etc")),
		line("removes below a folder of the system", removing("/etc/a")),
		line("writes by an option", effect(program.Writes, "sort", "-o", "a")),
		line("runs a program", effect(program.Runs, "find", "-exec")),
		line("reaches another machine", commanding(talking("curl", "a.example"))),
		line("reaches a metadata address", commanding(talking("curl", "http://169.254.169.254/"))),
		line("reads secrets and reaches", sending("/w/.env")),
		line("signs in and reaches", commanding(signing("/w/k.pem"))),
		line("signs in and reads secrets", commanding(using(tool.AccessRead, "cat", "/w/.env"), signing("/w/k.pem"))),
		line("changes git", effect(program.ChangesGit, "git", "commit")),
		line("changes the machine", effect(program.Changes, "hostname", "a")),
		line("acts on the machine", effect(program.Privileged, "mkfs")),
		line("is restricted", commanding(found(program.Finding{Effect: program.Privileged, Restricted: true, Words: "does that"}, "sudo", "ls"))),
	}
}
