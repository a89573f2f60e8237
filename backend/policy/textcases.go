package policy

import (
	"countersign/backend/tool"
)

// at makes a line about one path of the example workspace.
func at(class, what string, effect tool.SideEffect, access tool.Access, zone tool.Zone, path string) matrixCase {
	f := touching(effect, access, path)
	f.Target.Touches[0].Path.Zone = zone
	return matrixCase{class, what, f}
}

func (c matrixCase) but(what string, change func(*Facts)) matrixCase {
	f := c.facts
	change(&f)
	return matrixCase{c.class, what, f}
}

// accessOf is how a call of the class is shown to touch a path.
func accessOf(e tool.SideEffect) tool.Access {
	if e.ReadOnly() {
		return tool.AccessRead
	}
	return tool.AccessWrite
}

// callCases are the classes: with nothing named, with a path inside and outside, and
// in the forms that some of them tell apart.
func callCases() []matrixCase {
	var out []matrixCase
	for _, e := range tool.SideEffects() {
		nothing := matrixCase{string(e), "names nothing", exampleFacts(e)}
		out = append(out, nothing,
			at(string(e), "path inside", e, accessOf(e), tool.ZoneWorkspace, "/w/a.txt"),
			at(string(e), "path outside", e, accessOf(e), tool.ZoneOutside, "/home/u/a.txt"))
		out = append(out, formsOf(e, nothing)...)
	}
	return append(out, matrixCase{"(unknown)", "names nothing", exampleFacts("unheard_of")})
}

func formsOf(e tool.SideEffect, nothing matrixCase) []matrixCase {
	url := func(u string, domains ...string) func(*Facts) {
		return func(f *Facts) { f.Target.URL, f.Rules.AllowedDomains = u, domains }
	}
	from := func(s tool.Source) func(*Facts) { return func(f *Facts) { f.Source = s } }
	switch e {
	case tool.EffectWorkspaceRead:
		return []matrixCase{at(string(e), "kept output", e, tool.AccessRead, tool.ZoneOutput, "/home/u/.countersign/output/s/a.txt")}
	case tool.EffectWorkspaceWrite:
		inside := at(string(e), "", e, tool.AccessWrite, tool.ZoneWorkspace, "/w/a.txt")
		return []matrixCase{
			inside.but("two paths inside", func(f *Facts) { f.Target.Touches = append(f.Target.Touches, f.Target.Touches[0]) }),
			inside.but("inside, tool not built in", from(tool.SourceMCP)),
			nothing.but("git commit", func(f *Facts) { f.ToolID = "git_commit" }),
		}
	case tool.EffectNetworkRead:
		return []matrixCase{
			nothing.but("listed host", url("https://a.example/", "a.example")),
			nothing.but("other host, empty list", url("https://a.example/")),
			nothing.but("other host, list of others", url("https://a.example/", "b.example")),
			nothing.but("listed host, not https", url("http://a.example/", "a.example")),
			nothing.but("metadata address", url("https://169.254.169.254/", "169.254.169.254")),
		}
	case tool.EffectCodeExecution:
		isolated := func(f *Facts) { f.Class.Target = tool.TargetSandbox }
		return []matrixCase{
			nothing.but("isolated", isolated),
			nothing.but("tool set, names nothing", from(tool.SourceSet)),
			at(string(e), "", e, tool.AccessWrite, tool.ZoneWorkspace, "/w/a.txt").but("tool set, path inside", from(tool.SourceSet)),
			at(string(e), "", e, tool.AccessWrite, tool.ZoneOutside, "/home/u/a.txt").but("tool set, path outside", from(tool.SourceSet)),
			nothing.but("input of a program", func(f *Facts) { f.Target.Input = "y\n" }),
		}
	case tool.EffectExternalWrite:
		return []matrixCase{
			nothing.but("listed host", url("https://a.example/", "a.example")),
			nothing.but("other host, empty list", url("https://a.example/")),
			nothing.but("other host, list of others", url("https://a.example/", "b.example")),
			{string(e), "with a file of secrets", leaving("/w/.env")},
		}
	case tool.EffectNone, tool.EffectPackageInstall, tool.EffectSandboxNetwork, tool.EffectExternalMessage,
		tool.EffectExternalDelete, tool.EffectFinancial, tool.EffectPublication, tool.EffectCredentialAccess,
		tool.EffectHostAccess, tool.EffectPrivileged:
	}
	return nil
}

// pathCases are the classes of paths, read and written by a built-in file tool.
func pathCases() []matrixCase {
	var out []matrixCase
	for _, p := range []struct {
		class, what, path string
		zone              tool.Zone
	}{
		{"ordinary", "inside", "/w/main.go", tool.ZoneWorkspace},
		{"ordinary", "outside", "/home/u/main.go", tool.ZoneOutside},
		{"marked", "inside", "/w/.vscode/tasks.json", tool.ZoneWorkspace},
		{"tool data", "inside", "/w/.countersign/data/tools/a/db", tool.ZoneWorkspace},
		{"tool data", "in our home", "/home/u/.countersign/data/tools/a/db", tool.ZoneOwnHome},
		{"protected", "inside", "/w/.git/HEAD", tool.ZoneWorkspace},
		{"protected", "outside", "/home/u/.bashrc", tool.ZoneOutside},
		{"credential", "inside", "/w/.env", tool.ZoneWorkspace},
		{"credential", "outside", "/home/u/.ssh/id_rsa", tool.ZoneOutside},
		{"git hooks", "inside", "/w/.git/hooks/pre-commit", tool.ZoneWorkspace},
		{"git config", "inside", "/w/.git/config", tool.ZoneWorkspace},
		{"kept output", "in our home", "/home/u/.countersign/output/s/a.txt", tool.ZoneOutput},
		{"own home", "", "/home/u/.countersign/config.json", tool.ZoneOwnHome},
	} {
		out = append(out,
			at(p.class, "read "+p.what, tool.EffectWorkspaceRead, tool.AccessRead, p.zone, p.path),
			at(p.class, "write "+p.what, tool.EffectWorkspaceWrite, tool.AccessWrite, p.zone, p.path))
	}
	return out
}

// stateCases are the classes under the states of a session that floors look at.
func stateCases() []matrixCase {
	var out []matrixCase
	for _, s := range []struct {
		what   string
		change func(*Facts)
	}{
		{"read-only lock", func(f *Facts) { f.Rules.ReadOnly = true }},
		{"workspace not trusted", func(f *Facts) { f.Trusted = false }},
		{"foreign text was read", func(f *Facts) { f.Origin = tool.TrustExternalUntrusted }},
	} {
		for _, e := range tool.SideEffects() {
			c := matrixCase{string(e), "", exampleFacts(e)}
			if inWorkspace(e) && e != tool.EffectNone {
				c = at(string(e), "", e, accessOf(e), tool.ZoneWorkspace, "/w/a.txt")
			}
			if e == tool.EffectNetworkRead {
				c = c.but("", func(f *Facts) { f.Target.URL, f.Rules.AllowedDomains = "https://a.example/", []string{"a.example"} })
			}
			out = append(out, c.but(s.what, s.change))
		}
		read := at("(read)", "", tool.EffectWorkspaceRead, tool.AccessRead, tool.ZoneOutside, "/home/u/a.txt")
		out = append(out, read.but(s.what+", outside", s.change))
	}
	none := matrixCase{string(tool.EffectNone), "", exampleFacts(tool.EffectNone)}
	return append(out, none.but("a scope is missing", func(f *Facts) { f.Class.Scopes = []string{"a.b"} }))
}
