package policy

import (
	"path"
	"strings"
	"testing"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/tool"
)

// lineFacts are the facts of a command line in the workspace, as a call of ours brings them.
func lineFacts(text string) Facts {
	r := shellcmd.Read(text, samplePlace)
	f := exampleFacts(tool.EffectCodeExecution)
	f.Class.Risk = tool.RiskHigh
	f.Target.Command, f.Reading = text, &r
	for i := range r.Commands {
		c := &r.Commands[i]
		for k := range c.Uses {
			u := &c.Uses[k]
			p := tool.Path{Arg: u.Path, Abs: u.Path, Real: u.Path, Zone: tool.ZoneOutside}
			if within(path.Dir(samplePlace.Directory), u.Path) && strings.HasPrefix(u.Path+"/", samplePlace.Directory+"/") {
				p.Zone = tool.ZoneWorkspace
			}
			if u.Path != "" {
				f.Target.Touches = append(f.Target.Touches, TouchOf(i, c, u, p))
			}
		}
	}
	return f
}

func TestTheRiskOfACommandFollowsItsReading(t *testing.T) {
	for text, want := range map[string]tool.Risk{
		"ls": tool.RiskLow, "git log --oneline -5": tool.RiskLow, "git status && git diff": tool.RiskLow, "cat a | grep x | wc -l": tool.RiskLow,
		"find . -name '*.go'": tool.RiskLow, "cd src && ls": tool.RiskLow, "sed -n 1,20p a": tool.RiskLow, "grep -rn x . 2>/dev/null": tool.RiskLow,
		"time ls": tool.RiskLow, "ls --version": tool.RiskLow, "npm --version": tool.RiskLow,

		"npm test": tool.RiskMedium, "go build ./...": tool.RiskMedium, "make": tool.RiskMedium, "./run.sh": tool.RiskMedium, "bash run.sh": tool.RiskMedium,
		"ls > a": tool.RiskMedium, "touch a": tool.RiskMedium, "rm a": tool.RiskMedium, "mv a b": tool.RiskMedium, "git commit -m x": tool.RiskMedium, "sed -i s/a/b/ a": tool.RiskMedium,
		"ls && touch a": tool.RiskMedium, "git reset --soft HEAD~1": tool.RiskMedium, "timeout 5 npm test": tool.RiskMedium,

		"rm -rf build": tool.RiskHigh, "rm *.log": tool.RiskHigh, "find . -name x -delete": tool.RiskHigh, "git clean -fd": tool.RiskHigh, "git reset --hard": tool.RiskHigh,
		"curl https://a.example": tool.RiskHigh, "npm install": tool.RiskHigh, "cat /etc/hosts": tool.RiskHigh, "ls $X": tool.RiskHigh, "echo $(id)": tool.RiskHigh, "sudo ls": tool.RiskHigh,
		"chmod 777 a": tool.RiskHigh, "somethingelse a": tool.RiskHigh, "ls; somethingelse": tool.RiskHigh, "git somealias": tool.RiskHigh, "ls |": tool.RiskHigh, "bash": tool.RiskHigh,
		"find . -exec rm {} +": tool.RiskHigh, "git push": tool.RiskHigh, "xargs rm < a": tool.RiskHigh, "PATH=. ls": tool.RiskHigh, "cat .env": tool.RiskHigh, "l\u200bs": tool.RiskHigh,
		"f() { ls; }; f": tool.RiskHigh, "ls & coproc ls": tool.RiskHigh, "node -e 1": tool.RiskHigh,
	} {
		f := lineFacts(text)
		if got := Decide(f).Risk; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestOnlyOurOwnCommandsOnThisMachineAreToldByTheirReading(t *testing.T) {
	for name, change := range map[string]func(*Facts){
		"a server's tool":             func(f *Facts) { f.Source = tool.SourceMCP },
		"a tool set":                  func(f *Facts) { f.Source = tool.SourceSet },
		"a sandbox, whose class says": func(f *Facts) { f.Class.Target = tool.TargetSandbox },
		"input that is sent":          func(f *Facts) { f.Target.Input = "y" },
		"what was not read":           func(f *Facts) { f.Reading = nil },
		"what cannot be classified":   func(f *Facts) { f.Target.URL = "%" },
	} {
		f := lineFacts("git log")
		if change(&f); Decide(f).Risk != tool.RiskHigh {
			t.Errorf("%s: %s", name, Decide(f).Risk)
		}
	}
	foreign := func(text string) tool.Risk {
		f := lineFacts(text)
		f.Origin = tool.TrustExternalUntrusted
		return Decide(f).Risk
	}
	if foreign("git log") != tool.RiskLow || foreign("npm test") != tool.RiskHigh {
		t.Error("after foreign text, looking is no worse and running is no better")
	}
}
