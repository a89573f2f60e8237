package pathclass

// Rule is one row: a pattern, what it means, an example that it must match and a
// near miss that it must not.
//
// A pattern is a list of names. It matches the end of a path; with a slash at the
// end it matches the folder and everything below it, anywhere in a path; with a
// slash at the start it begins at the root. A star stands at one end of a name,
// alone for any one name; two stars stand for any number of names.
type Rule struct {
	ID      string
	Pattern string
	// Except are patterns that take a path off this row.
	Except []string
	// Systems limits a row to some systems; empty means all.
	Systems []System
	// Host says that the row is about the machine's folders: it is silent inside a
	// workspace that itself lies in that folder.
	Host  bool
	Kind  Kind
	Read  Hold
	Write Hold
	Words string
	Match string
	Miss  string
}

// Rules returns a copy of the rows, in the order in which they are judged.
func Rules() []Rule { return append([]Rule(nil), rules...) }

func secret(id, pattern, words, match, miss string, except ...string) Rule {
	return Rule{
		ID: id, Pattern: pattern, Except: except, Kind: Credential, Read: Restricted, Write: Restricted,
		Words: words, Match: match, Miss: miss,
	}
}

func shut(id, pattern, words, match, miss string, except ...string) Rule {
	return Rule{
		ID: id, Pattern: pattern, Except: except, Kind: Protected, Write: Restricted,
		Words: words, Match: match, Miss: miss,
	}
}

func gitRuns(id, pattern, words, match, miss string) Rule {
	return Rule{ID: id, Pattern: pattern, Kind: GitControl, Write: Blocked, Words: words, Match: match, Miss: miss}
}

func marked(id, pattern, words, match, miss string) Rule {
	return Rule{ID: id, Pattern: pattern, Kind: Marked, Words: words, Match: match, Miss: miss}
}

func host(id, pattern, words, match, miss string, systems ...System) Rule {
	r := shut(id, pattern, words, match, miss)
	r.Host, r.Systems = true, systems
	return r
}

// rules are frozen: they are part of the policy version.
var rules = concat(credentialRules, gitRules, ownRules, shellRules, hostRules, markedRules)

func concat(lists ...[]Rule) []Rule {
	var out []Rule
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

const (
	holdsKeys   = "holds private keys"
	holdsSecret = "holds passwords or tokens"
)

var credentialRules = []Rule{
	secret("ssh", ".ssh/", holdsKeys, "/home/u/.ssh/config", "/home/u/ssh/config"),
	secret("gnupg", ".gnupg/", holdsKeys, "/home/u/.gnupg/trustdb.gpg", "/home/u/gnupg.txt"),
	secret("aws", ".aws/", holdsSecret, "/home/u/.aws/credentials", "/home/u/aws/credentials.go"),
	secret("kube-config", ".kube/config", holdsSecret, "/home/u/.kube/config", "/home/u/.kube/cache"),
	secret("docker-config", ".docker/config.json", holdsSecret, "/home/u/.docker/config.json", "/home/u/.docker/daemon.json"),
	secret("gh", ".config/gh/", holdsSecret, "/home/u/.config/gh/hosts.yml", "/home/u/.config/ghostty/config"),
	secret("crystal-credentials", ".crystal/credentials.json", holdsSecret, "/home/u/.crystal/credentials.json", "/w/credentials.json"),
	secret("env", ".env*", holdsSecret, "/w/sub/.env.production", "/w/my.environment", ".env.example", ".env.sample", ".env.template"),
	secret("git-config", ".git/**/config", "may hold passwords", "/w/.git/config", "/w/config"),
	secret("git-credential-store", "git/credentials", holdsSecret, "/home/u/.config/git/credentials", "/w/gitlab/credentials"),
	secret("gitconfig", ".gitconfig", "may hold passwords", "/home/u/.gitconfig", "/w/gitconfig.md"),
	secret("git-credentials", ".git-credentials", holdsSecret, "/w/.git-credentials", "/w/git-credentials.md"),
	secret("netrc", ".netrc", holdsSecret, "/home/u/.netrc", "/w/netrc.go"),
	secret("netrc-windows", "_netrc", holdsSecret, "/home/u/_netrc", "/w/my_netrc"),
	secret("npmrc", ".npmrc", holdsSecret, "/w/.npmrc", "/w/.npmignore"),
	secret("pypirc", ".pypirc", holdsSecret, "/home/u/.pypirc", "/w/.pylintrc"),
	secret("pgpass", ".pgpass", holdsSecret, "/home/u/.pgpass", "/w/pgpass.sql"),
	secret("dockercfg", ".dockercfg", holdsSecret, "/home/u/.dockercfg", "/w/.dockerignore"),
	secret("secrets-json", "secrets.json", holdsSecret, "/w/secrets.json", "/w/secrets.go"),
	secret("p12", "*.p12", holdsKeys, "/w/key.p12", "/w/p12.go"),
	secret("pem", "*.pem", holdsKeys, "/w/tls/server.pem", "/w/pem/decode.go"),
	secret("key", "*.key", holdsKeys, "/w/tls/server.key", "/w/server.key.md"),
	secret("id-rsa", "id_rsa*", holdsKeys, "/w/id_rsa", "/w/id_rsa.pub", "*.pub"),
	secret("id-ed25519", "id_ed25519*", holdsKeys, "/w/id_ed25519_work", "/w/id_ed25519_work.pub", "*.pub"),
	secret("id-ecdsa", "id_ecdsa*", holdsKeys, "/w/id_ecdsa", "/w/id_ecdsa.pub", "*.pub"),
	secret("shadow", "/etc/shadow*", "holds the machine's password hashes", "/etc/shadow", "/w/etc/shadow"),
	secret("gshadow", "/etc/gshadow*", "holds the machine's password hashes", "/etc/gshadow-", "/w/gshadow"),
	secret("process-environment", "/proc/**/environ", "holds the environment of a program", "/proc/self/environ", "/proc/self/status"),
}

var gitRules = []Rule{
	gitRuns("git-config-write", ".git/**/config", "tells git which programs to run", "/w/.git/modules/a/config", "/w/.git/description"),
	gitRuns("git-config-worktree", ".git/**/config.worktree", "tells git which programs to run", "/w/.git/config.worktree", "/w/config.worktree"),
	gitRuns("git-hooks", ".git/**/hooks/", "is code that git runs by itself", "/w/.git/hooks/pre-commit", "/w/hooks/pre-commit"),
	shut("git-internals", ".git/", "is part of git's own records", "/w/.git/HEAD", "/w/.github/workflows/ci.yml"),
}

var ownRules = []Rule{
	shut("own-folder", ".countersign/", "decides which tools are offered here", "/w/.countersign/tools/a/tools.json",
		"/w/countersign/main.go", ".countersign/data/tools/"),
	shut("crystal-folder", ".crystal/", "decides which tools are offered here", "/w/.crystal/tools/a/tools.json",
		"/w/crystal/main.go", ".crystal/data/tools/"),
	{
		ID: "own-tool-data", Pattern: ".countersign/data/tools/", Kind: ToolData, Words: "is data of a tool set",
		Match: "/w/.countersign/data/tools/a/db", Miss: "/w/.countersign/tools/a/tools.json",
	},
	{
		ID: "crystal-tool-data", Pattern: ".crystal/data/tools/", Kind: ToolData, Words: "is data of a tool set",
		Match: "/w/.crystal/data/tools/a/db", Miss: "/w/.crystal/tools/a/tools.json",
	},
}

const shellRuns = "has the name of a file that a shell runs when it starts"

var shellRules = []Rule{
	shut("bashrc", ".bashrc", shellRuns, "/home/u/.bashrc", "/w/bashrc.md"),
	shut("bash-profile", ".bash_profile", shellRuns, "/home/u/.bash_profile", "/w/bash_profile.go"),
	shut("bash-login", ".bash_login", shellRuns, "/home/u/.bash_login", "/w/bash_login"),
	shut("bash-logout", ".bash_logout", "is run by a shell when it ends", "/home/u/.bash_logout", "/w/bash_logout"),
	shut("bash-aliases", ".bash_aliases", shellRuns, "/home/u/.bash_aliases", "/w/.bash_history.md"),
	shut("profile", ".profile", shellRuns, "/home/u/.profile", "/w/profile.go"),
	shut("zshrc", ".zshrc", shellRuns, "/home/u/.zshrc", "/w/zshrc"),
	shut("zshenv", ".zshenv", shellRuns, "/home/u/.zshenv", "/w/zshenv"),
	shut("zprofile", ".zprofile", shellRuns, "/home/u/.zprofile", "/w/zprofile"),
	shut("zlogin", ".zlogin", shellRuns, "/home/u/.zlogin", "/w/zlogin"),
	shut("zlogout", ".zlogout", "is run by a shell when it ends", "/home/u/.zlogout", "/w/zlogout"),
	shut("kshrc", ".kshrc", shellRuns, "/home/u/.kshrc", "/w/kshrc"),
	shut("cshrc", ".cshrc", shellRuns, "/home/u/.cshrc", "/w/cshrc"),
	shut("tcshrc", ".tcshrc", shellRuns, "/home/u/.tcshrc", "/w/tcshrc"),
	shut("login", ".login", shellRuns, "/home/u/.login", "/w/login"),
	shut("fish", ".config/fish/", shellRuns, "/home/u/.config/fish/config.fish", "/w/fish/config.fish"),
	shut("xprofile", ".xprofile", "is run when a desktop session starts", "/home/u/.xprofile", "/w/xprofile"),
	shut("xsessionrc", ".xsessionrc", "is run when a desktop session starts", "/home/u/.xsessionrc", "/w/xsessionrc"),
	shut("powershell-profile", "*profile.ps1", shellRuns, "/home/u/Microsoft.PowerShell_profile.ps1", "/w/profile.ps1.md"),
}

const ofMachine = "belongs to the operating system"

var hostRules = []Rule{
	host("etc", "/etc/", ofMachine, "/etc/hosts", "/w/etc/hosts", Linux, Darwin),
	host("private-etc", "/private/etc/", ofMachine, "/private/etc/hosts", "/private/tmp/a", Darwin),
	host("usr", "/usr/", ofMachine, "/usr/bin/env", "/w/usr/bin/env", Linux, Darwin),
	host("bin", "/bin/", ofMachine, "/bin/sh", "/w/bin/sh", Linux, Darwin),
	host("sbin", "/sbin/", ofMachine, "/sbin/init", "/w/sbin/init", Linux, Darwin),
	host("lib", "/lib*/", ofMachine, "/lib64/ld.so", "/w/lib/a.go", Linux),
	host("boot", "/boot/", ofMachine, "/boot/vmlinuz", "/w/boot/main.s", Linux),
	host("dev", "/dev/", ofMachine, "/dev/sda", "/w/dev/a", Linux, Darwin),
	host("proc", "/proc/", ofMachine, "/proc/sys/kernel/core_pattern", "/w/proc/a", Linux),
	host("sys", "/sys/", ofMachine, "/sys/power/state", "/w/sys/a", Linux),
	host("system", "/System/", ofMachine, "/System/Library/a", "/w/System/a", Darwin),
	host("library", "/Library/", ofMachine, "/Library/LaunchDaemons/a.plist", "/w/Library/a", Darwin),
	host("windows", "/*:/windows/", ofMachine, `C:\Windows\System32\drivers\etc\hosts`, `D:\src\windows\a`, Windows),
	host("program-files", "/*:/program files*/", ofMachine, `C:\Program Files (x86)\a\b.dll`, `D:\src\program files\a`, Windows),
	host("program-data", "/*:/programdata/", ofMachine, `C:\ProgramData\a\b`, `D:\src\programdata\a`, Windows),
}

var markedRules = []Rule{
	marked("vscode-tasks", ".vscode/tasks.json", "tells an editor what to run", "/w/.vscode/tasks.json", "/w/tasks.json"),
	marked("vscode-launch", ".vscode/launch.json", "tells an editor what to run", "/w/.vscode/launch.json", "/w/launch.json"),
	marked("vscode-settings", ".vscode/settings.json", "tells an editor what to run", "/w/.vscode/settings.json", "/w/settings.json"),
	marked("mcp-json", ".mcp.json", "tells agents which programs to start", "/w/.mcp.json", "/w/mcp.json"),
	marked("github-workflows", ".github/workflows/", "is run by a build server", "/w/.github/workflows/ci.yml", "/w/.github/CODEOWNERS"),
	marked("husky", ".husky/", "is run before commits", "/w/.husky/pre-commit", "/w/husky/a"),
}
