package registry

import (
	"context"
	"path"
	"strings"
	"time"

	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/redact"
	"countersign/backend/tool"
)

// How much of a command line is looked at. What is beyond counts as not looked at, so that
// the line is one of which nobody can tell what it reaches.
const (
	maxUses    = 1024
	maxMatched = 64
	maxListed  = 10000
	lookTime   = 3 * time.Second
)

// readCommand reads the command of a call and resolves every file that it names, so that it
// is judged with the same eyes as the paths of other tools.
func (c *run) readCommand(ctx context.Context) error {
	directory := c.s.Workspace
	if c.s.Host.Files != nil {
		directory = c.s.Host.Files.Root()
	}
	if paths := c.target.Arguments(); len(paths) > 0 {
		directory = paths[0].Path.Real
	}
	reading := shellcmd.Read(c.target.Command, shellcmd.Place{Directory: directory, Home: c.s.UserHome})
	c.reading = &reading
	for _, s := range redact.Spans(c.target.Command) {
		c.secrets = append(c.secrets, policy.Secret{Start: s.Start, End: s.End, Text: c.target.Command[s.Start:s.End]})
	}
	if c.s.Host.Files == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	l := looking{ctx: limited, c: c, listed: maxListed, matched: maxMatched, through: maxThrough}
	l.uses()
	return ctx.Err()
}

// looking resolves the uses of a command line, in their order. It stops at the first that
// cannot be looked at: then nobody can tell what the line reaches.
type looking struct {
	ctx context.Context
	c   *run
	// command is the one that is looked at, below what it gets to in the folders of its use.
	command *shellcmd.Command
	below   *program.Below
	// through is how many entries of folders may still be walked through.
	through int
	// known are the entries of the folders that were walked through, by their real paths.
	known map[string][]tool.Entry
	// gone are the folders that were walked through for a use already, by their real paths.
	gone map[string]bool
	// repository says whether git takes the workspace for a working copy; nil until asked.
	repository *bool
	// listed and matched are how many entries of folders may still be looked at, and how many
	// files be added that patterns stand for.
	listed, matched int
	extra           []tool.Touch
}

func (l *looking) uses() {
	n := 0
	defer func() { l.c.target.Touches = append(l.c.target.Touches, l.extra...) }()
	for i := range l.c.reading.Commands {
		l.command = &l.c.reading.Commands[i]
		for k := range l.command.Uses {
			if n++; n > maxUses || l.ctx.Err() != nil {
				l.doubt("")
				return
			}
			// What follows is looked at all the same: it may be what nobody can allow.
			if !l.use(i, l.command, &l.command.Uses[k]) {
				l.doubt("")
			}
		}
	}
}

// use resolves one use, and what its pattern stands for. ok is false when it could not be
// looked at.
func (l *looking) use(i int, command *shellcmd.Command, u *shellcmd.Use) (ok bool) {
	if u.Path == "" {
		return false
	}
	p, err := l.c.s.Host.Files.Resolve(u.Path)
	if err != nil {
		return false
	}
	touch := policy.TouchOf(i, command, u, p)
	l.c.target.Touches = append(l.c.target.Touches, touch)
	l.below, l.gone = u.Below, nil
	if parts := pattern(command, u); len(parts) > 0 {
		touch.Tree, touch.Removes = false, u.Removes
		return l.match(touch, parts)
	}
	l.walk(touch)
	return true
}

// pattern is the part of a word from its first wildcard on, by names; empty without one.
func pattern(command *shellcmd.Command, u *shellcmd.Use) []string {
	parts := strings.Split(policy.PatternOf(command, u), "/")
	for i := range parts {
		if strings.ContainsAny(parts[i], "*?[") {
			return parts[i:]
		}
	}
	return nil
}

// match adds what a pattern stands for below a folder where that is held more strictly than
// the folder, or leads elsewhere.
func (l *looking) match(folder tool.Touch, parts []string) (ok bool) {
	if folder.Path.Kind != tool.KindDirectory {
		return true
	}
	entries, err := l.c.s.Host.Files.Entries(l.ctx, folder.Path)
	if err != nil {
		// What may not be listed here may not be listed by the command either.
		return l.ctx.Err() == nil
	}
	for _, e := range entries {
		if l.listed--; l.listed < 0 {
			return false
		}
		if !matches(parts[0], e.Name) || !l.child(folder, e, parts[1:]) {
			continue
		}
		p, err := l.c.s.Host.Files.Resolve(strings.TrimSuffix(folder.Path.Abs, "/") + "/" + e.Name)
		if err != nil {
			return false
		}
		next := folder
		next.Path = p
		if len(parts) > 1 && parts[1] != "" {
			if !l.deeper(next, parts[1:]) {
				return false
			}
			continue
		}
		if !l.add(next) {
			return false
		}
	}
	return true
}

// child reports whether an entry that a pattern matches is worth a look: a folder where the
// pattern goes on, a link, or a name that is held.
func (l *looking) child(folder tool.Touch, e tool.Entry, rest []string) bool {
	if e.Kind == tool.KindLink {
		return true
	}
	if len(rest) > 0 && rest[0] != "" || l.below != nil && e.Kind == tool.KindDirectory {
		return e.Kind == tool.KindDirectory
	}
	return l.held(folder.Path.Child(e), folder.Access)
}

// deeper follows the rest of a pattern: names as they are, and more wildcards.
func (l *looking) deeper(folder tool.Touch, parts []string) (ok bool) {
	for len(parts) > 0 && !strings.ContainsAny(parts[0], "*?[") {
		p, err := l.c.s.Host.Files.Resolve(strings.TrimSuffix(folder.Path.Abs, "/") + "/" + parts[0])
		if err != nil {
			return false
		}
		folder.Path, parts = p, parts[1:]
	}
	if len(parts) == 0 {
		return folder.Path.Kind == tool.KindAbsent || l.add(folder)
	}
	return l.match(folder, parts)
}

// add adds a file that a pattern stands for where it is held or leads out of the workspace.
func (l *looking) add(t tool.Touch) (ok bool) {
	if !l.held(t.Path, t.Access) && (!t.Path.Linked || t.Path.Zone == tool.ZoneWorkspace) {
		l.walk(t)
		return true
	}
	l.extra = append(l.extra, t)
	l.matched--
	return l.matched >= 0
}

func (l *looking) held(p tool.Path, a tool.Access) bool {
	return policy.HoldOf(p, a, pathclass.Place{Workspace: l.c.s.Workspace, OwnHome: l.c.s.OwnHome}) > pathclass.Free
}

// matches reports whether a pattern of the shell may match a name. A pattern that is not
// read here matches all.
func matches(pattern, name string) bool {
	if name[0] == '.' && pattern[0] != '.' {
		return false
	}
	if strings.Contains(pattern, "[:") || strings.Contains(pattern, "[=") || strings.Contains(pattern, "[.") {
		return true
	}
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return ok || err != nil
}
