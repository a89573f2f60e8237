package policy

import (
	"slices"
	"strings"

	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"
)

// command looks at what the call would run. Everything that a command names must have been
// looked at: a use without a touch may be anywhere.
func (v *view) command() {
	v.dynamic = v.Target.Input != ""
	if v.Target.Command == "" || v.Reading == nil || !v.Reading.Parsed {
		return
	}
	v.read = v.Reading
	v.dynamic = v.dynamic || v.read.Dynamic
	uses := 0
	for i := range v.read.Commands {
		c := &v.read.Commands[i]
		v.dynamic = v.dynamic || c.Dynamic
		uses += len(c.Uses)
		for k := range c.Uses {
			v.dynamic = v.dynamic || c.Uses[k].Path == ""
		}
	}
	v.dynamic = v.dynamic || uses > len(v.Target.Touches)-len(v.Target.Arguments())
}

// commands hears what the command line says beyond its class: that nobody can tell what it
// would do, and the commands in it that only a person may allow.
func (s *story) commands(v *view) {
	if v.Target.Command == "" {
		return
	}
	if unknown := v.unknown(); unknown != "" {
		s.floor(tool.LayerMatrix, voice{
			force: raises, reason: unknown + " So no grant and no preset answers for it.",
			once: "Once only: nobody can say what another such command would do.",
		})
	}
	if v.read == nil {
		return
	}
	heard := 0
	for i := range v.read.Commands {
		c := &v.read.Commands[i]
		for k := range c.Findings {
			said := v.insisted(c, &c.Findings[k])
			if said.force == silent || heard >= maxHeard && said.force <= s.force && said.restricted == s.restricted {
				continue
			}
			heard++
			s.floor(tool.LayerMatrix, said)
		}
	}
}

// maxHeard is how many commands of one line speak in the chain, and one more for each that
// is stricter than all before it.
const maxHeard = 4

// unknown says why nobody can tell what the command line would do, "" when it is known.
func (v *view) unknown() string {
	switch {
	case v.read == nil && v.Reading != nil && v.Reading.Why != "":
		return "The command could not be read as the shell would read it: " + clause(v.Reading.Why) + "."
	case v.read == nil:
		return "The command could not be read as the shell would read it."
	case v.dynamic && v.read.Why != "":
		return "Nobody can tell beforehand what " + v.doubtful() + " would do: " + clause(v.read.Why) + "."
	case v.dynamic:
		return "Nobody can tell beforehand what " + v.doubtful() + " would do: it names files that could not be looked at."
	}
	return ""
}

// doubtful names the first command of which nobody can tell what it would do.
func (v *view) doubtful() string {
	for i := range v.read.Commands {
		if c := &v.read.Commands[i]; c.Dynamic && c.Shown != "" {
			return shown(c)
		}
	}
	return "the command line"
}

// clause makes one line of the words of a reader, for the end of a sentence.
func clause(words string) string { return strings.TrimRight(tool.ShowPath(clipHead(words)), ". ") }

// insisted is what a finding says that only a person may allow.
func (v *view) insisted(c *shellcmd.Command, f *program.Finding) voice {
	what := shown(c) + " " + clause(f.Words) + ". "
	switch {
	case f.Restricted && v.strict:
		return voice{force: denies, code: tool.CodePolicyBlocked, reason: what + "Profile strict blocks such commands; profile desktop would ask."}
	case f.Restricted:
		return voice{
			force: insists, restricted: true, once: "Once only: the command is restricted.",
			reason: what + "Such a command is restricted: it always asks, whatever the preset.",
		}
	case f.Effect == program.Privileged:
		return person(what+"Such a command is asked for each time, whatever the preset.", "Once only: it acts with more rights or on the machine as a whole.")
	}
	return voice{}
}

// shown is a command for a sentence.
func shown(c *shellcmd.Command) string { return "`" + tool.ShowPath(clipHead(c.Shown)) + "`" }

// maxShown bounds a command in a sentence, in bytes; the card shows it in full.
const maxShown = 120

func clipHead(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}

// names begins a sentence about a path, with the command that names it, and ends it with
// words that complete a sentence about a path.
func (v *view) names(t *tool.Touch, words string) string {
	if v.read == nil || t.Command < 1 || t.Command > len(v.read.Commands) {
		return named(&t.Path) + " " + words
	}
	verb := " writes "
	switch {
	case t.SignsIn:
		verb = " signs in with "
	case t.Access == tool.AccessRead:
		verb = " reads "
	case t.Removes:
		verb = " removes "
	}
	c := &v.read.Commands[t.Command-1]
	if c.Shown == "" {
		return "The command line" + verb + named(&t.Path) + ", which " + words
	}
	return shown(c) + verb + named(&t.Path) + ", which " + words
}

// leaves says what of the command line does not stay inside the workspace, "" when all of it
// does.
func (v *view) leaves() string {
	if unknown := v.unknown(); unknown != "" {
		return unknown
	}
	if v.outside != nil {
		return v.names(v.outside, "lies outside the workspace") + "."
	}
	if h := v.read.Hidden; len(h) > 0 {
		return "It holds what a reader may miss or take for something else: " + clause(h[0].Name) + "."
	}
	for i := range v.read.Commands {
		c := &v.read.Commands[i]
		for k := range c.Findings {
			if f := &c.Findings[k]; f.Restricted || !remains(f.Effect) {
				return shown(c) + " " + clause(f.Words) + "."
			}
		}
		if len(c.Hosts) > 0 {
			return shown(c) + " reaches another machine."
		}
	}
	return ""
}

// remains reports whether an effect stays in the workspace as far as the files that the
// command names do.
func remains(e program.Effect) bool {
	return e == program.Writes || e == program.ChangesGit || e == program.Obeys
}

// commandBits is what the commands are able to do beyond the files that were looked at.
func commandBits(r *shellcmd.Reading) int {
	bits := 0
	for i := range r.Commands {
		c := &r.Commands[i]
		if len(c.Hosts) > 0 {
			bits |= canReach
		}
		for k := range c.Findings {
			switch c.Findings[k].Effect {
			case program.Reaches:
				bits |= canReach
			case program.ChangesGit:
				bits |= canChangeGit
			case program.Runs, program.Writes, program.Privileged, program.Changes, program.Obeys:
			}
		}
		for k := range c.Uses {
			switch u := &c.Uses[k]; {
			case u.Path != "":
			case u.Access == tool.AccessRead:
				bits |= canReadOutside
			default:
				bits |= canWriteOutside
			}
		}
	}
	return bits
}

// TouchOf is what a use of a command line touches once its path is resolved. command is the
// index of the command in its reading.
func TouchOf(command int, c *shellcmd.Command, u *shellcmd.Use, p tool.Path) tool.Touch {
	return tool.Touch{
		Path: p, Access: u.Access, Tree: u.Tree, Command: command + 1, SignsIn: u.SignsIn && u.Access == tool.AccessRead,
		Removes: u.Removes && !someOnly(c, u),
	}
}

// someOnly reports whether a use is a pattern that stands for some of what lies in its
// folder, as *.log does and * does not; or is told by the names of the files that are meant.
func someOnly(c *shellcmd.Command, u *shellcmd.Use) bool {
	if u.Below != nil && len(u.Below.Only) > 0 && !slices.ContainsFunc(u.Below.Only, matchesAll) {
		return true
	}
	pattern := PatternOf(c, u)
	if pattern == "" {
		return false
	}
	begun := false
	for part := range strings.SplitSeq(pattern, "/") {
		begun = begun || strings.ContainsAny(part, "*?[")
		if begun && !matchesAll(part) {
			return true
		}
	}
	return !begun
}

// PatternOf is the pattern that a use of a command comes from, "" without one.
func PatternOf(c *shellcmd.Command, u *shellcmd.Use) string {
	switch {
	case u.Pattern != "":
		return u.Pattern
	case u.Word >= 0 && u.Word < len(c.Words) && c.Words[u.Word].Glob:
		return c.Words[u.Word].Text
	}
	return ""
}

// matchesAll reports whether a pattern has nothing but wildcards, brackets and dots.
func matchesAll(pattern string) bool { return strings.Trim(withoutBrackets(pattern), "*?.") == "" }

func withoutBrackets(pattern string) string {
	for {
		from := strings.IndexByte(pattern, '[')
		if from < 0 {
			return pattern
		}
		to := strings.IndexByte(pattern[from:], ']')
		if to < 0 {
			return pattern
		}
		pattern = pattern[:from] + pattern[from+to+1:]
	}
}

// Nowhere reports whether a path that a command names is a device behind which nothing lies, or
// a descriptor that it was given.
func Nowhere(t *tool.Touch) bool { return nowhere(t) }

// nowhere reports whether a command's path is one of the devices behind which nothing lies,
// or a descriptor that it was given.
func nowhere(t *tool.Touch) bool {
	if t.Command == 0 {
		return false
	}
	switch t.Path.Abs {
	case "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	return strings.HasPrefix(t.Path.Abs, "/dev/fd/")
}

// belowHome is the rule of a folder that has the user's home below it, or is it.
const belowHome = "below-home"

// below adds to a judgement what lies below a path that is meant with all of that.
func (v *view) below(t *tool.Touch, j pathclass.Judgement) pathclass.Judgement {
	if !t.Tree || j.Hold == pathclass.Blocked {
		return j
	}
	read := t.Access == tool.AccessRead
	switch {
	case !read && v.holds(t, v.OwnHome):
		return pathclass.Judgement{Hold: pathclass.Blocked, Kind: pathclass.OwnHome, Rule: "below-own-home", Words: "has the product's own folder below it"}
	case j.Hold == pathclass.Restricted:
		return j
	case v.holds(t, v.UserHome):
		return pathclass.Judgement{Hold: pathclass.Restricted, Kind: pathclass.Credential, Rule: belowHome, Words: "has your keys and passwords below it"}
	case v.holds(t, v.OwnHome):
		return pathclass.Judgement{Hold: pathclass.Restricted, Kind: pathclass.OwnHome, Rule: "below-own-home", Words: "has the product's own folder below it"}
	case t.Removes && v.holds(t, v.Workspace):
		return pathclass.Judgement{Hold: pathclass.Restricted, Kind: pathclass.Protected, Rule: "whole-workspace", Words: "is the whole workspace, with git's own records"}
	}
	return j
}

// holds reports whether folder is the path or lies below it.
func (v *view) holds(t *tool.Touch, folder string) bool {
	return folder != "" && (encloses(t.Path.Real, folder) || encloses(t.Path.Abs, folder))
}

func encloses(folder, path string) bool {
	if folder == "/" {
		return strings.HasPrefix(path, "/")
	}
	rest, ok := strings.CutPrefix(path, folder)
	return ok && folder != "" && (rest == "" || rest[0] == '/')
}
