package policy

import (
	"net/url"
	"slices"
	"strings"

	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// view is the facts with what follows from them, worked out once.
type view struct {
	*Facts
	strict bool
	preset session.Preset
	// effect is the class to judge by: a path outside makes a file tool HOST_ACCESS.
	effect tool.SideEffect
	// fault is why the call cannot be classified, "" when it can.
	fault string

	writes  bool
	outside *tool.Touch
	// host is the lower-case host name of the URL without its port.
	host   string
	https  bool
	listed bool

	// read is what the command of the call would do, nil where there is none or it could not
	// be parsed.
	read *shellcmd.Reading
	// dynamic says that nobody can tell beforehand what the call would run, though it may
	// have been parsed.
	dynamic bool

	// held is the path with the strictest judgement and mark one that deserves a remark.
	held      *tool.Touch
	judgement pathclass.Judgement
	mark      *tool.Touch
	markWords string
	// readsSecret is a file with secrets whose text would be read, and not only used to sign in.
	readsSecret *tool.Touch
	// removesRoot is a touch that takes away the root or the user's home.
	removesRoot *tool.Touch
	// removesSystem is one that takes away a folder without which the machine does not work.
	removesSystem *tool.Touch
}

func look(f *Facts) view {
	v := view{Facts: f, strict: f.Rules.Profile != session.ProfileDesktop, preset: f.Rules.Preset, effect: f.Effect}
	switch v.preset {
	case session.PresetDefault, session.PresetEdit, session.PresetReview, session.PresetAudit, session.PresetFull:
	default:
		v.preset = session.PresetDefault
	}
	if rowOf(f.Effect) == nil {
		v.fault = "The tool does not say what kind of effect this call has."
	}
	for i := range f.Target.Touches {
		v.touch(&f.Target.Touches[i])
	}
	if v.writes && f.Effect.ReadOnly() {
		v.fault = "The tool says that it only reads, and names a path to write."
	}
	v.command()
	if f.Target.URL != "" {
		v.address(f.Target.URL)
	}
	if v.outside != nil && inWorkspace(f.Effect) {
		v.effect = tool.EffectHostAccess
	}
	return v
}

// inWorkspace reports whether a call of this class may touch nothing outside the workspace.
func inWorkspace(e tool.SideEffect) bool {
	return e == tool.EffectNone || e == tool.EffectWorkspaceRead || e == tool.EffectWorkspaceWrite
}

func (v *view) touch(t *tool.Touch) {
	if nowhere(t) {
		return
	}
	read := t.Access == tool.AccessRead
	v.writes = v.writes || !read
	kept := t.Path.Zone == tool.ZoneOutput && read
	if t.Path.Zone != tool.ZoneWorkspace && !kept && v.outside == nil {
		v.outside = t
	}
	found := v.classify(&t.Path)
	j := v.below(t, inZone(t.Path.Zone, read, found.For(t.Access)))
	secret := found.Read.Kind == pathclass.Credential || j.Rule == belowHome
	if read && secret && !t.SignsIn && v.readsSecret == nil {
		v.readsSecret = t
	}
	if t.Removes && t.Tree {
		v.removal(t)
	}
	if j.Hold > v.judgement.Hold {
		v.held, v.judgement = t, j
	}
	if j.Kind == pathclass.Marked && !read && v.mark == nil {
		v.mark, v.markWords = t, j.Words
	}
}

func (v *view) classify(p *tool.Path) pathclass.Finding {
	return pathclass.Classify(pathclass.Place{
		System: v.System, Lexical: p.Abs, Real: p.Real, Workspace: v.Workspace, OwnHome: v.OwnHome,
	})
}

// dangers says of what the restricted paths are, each once. It is asked only about a call
// that is restricted.
func (v *view) dangers() []string {
	var out []string
	for i := range v.Target.Touches {
		t := &v.Target.Touches[i]
		if nowhere(t) {
			continue
		}
		j := v.below(t, inZone(t.Path.Zone, t.Access == tool.AccessRead, v.classify(&t.Path).For(t.Access)))
		if j.Hold == pathclass.Restricted && !slices.Contains(out, j.Words) {
			out = append(out, j.Words)
		}
	}
	return out
}

// inZone adds what the workspace handle knows and the text may not: that a path lies
// in the product's own folders.
func inZone(zone tool.Zone, read bool, j pathclass.Judgement) pathclass.Judgement {
	own := zone == tool.ZoneOwnHome && j.Kind != pathclass.ToolData
	if (own || zone == tool.ZoneOutput && !read) && j.Hold < pathclass.Blocked {
		return pathclass.Judgement{
			Hold: pathclass.Blocked, Kind: pathclass.OwnHome, Rule: "own-home", Words: "is the product's own folder",
		}
	}
	return j
}

// address reads the URL. An address that cannot be read for certain makes the call
// unclassifiable: a host that is not plain ASCII may be another one on the wire.
func (v *view) address(text string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" {
		v.fault = "The address cannot be read for certain."
		return
	}
	v.host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	v.https = u.Scheme == "https"
	if v.host == "" || strings.ContainsFunc(v.host, func(c rune) bool { return c <= ' ' || c >= 0x7f || c == '%' }) {
		v.fault = "The host of the address cannot be read for certain."
		return
	}
	if inWorkspace(v.Effect) {
		v.fault = "The tool says that it stays in the workspace, and names an address."
	}
	v.listed = slices.ContainsFunc(v.Rules.AllowedDomains, func(d string) bool {
		return strings.EqualFold(strings.TrimSuffix(d, "."), v.host)
	})
}

// changes reports whether the call could leave anything different from how it was.
// A read outside the workspace changes nothing, though it counts as HOST_ACCESS.
func (v *view) changes() bool {
	return !v.Effect.ReadOnly() || v.writes || v.Target.Runs()
}

// named writes a path for a sentence: short inside the workspace, with the target of
// a link that leads elsewhere.
func named(p *tool.Path) string {
	if p.Linked {
		return tool.ShowPath(clip(p.Arg)) + " (a link to " + tool.ShowPath(clip(p.Real)) + ")"
	}
	if p.Rel != "" {
		return tool.ShowPath(clip(p.Rel))
	}
	return tool.ShowPath(clip(p.Real))
}

// maxNamed bounds a path in a sentence, in bytes; the card shows paths in full.
const maxNamed = 200

func clip(path string) string {
	if len(path) <= maxNamed {
		return path
	}
	return "…" + strings.ToValidUTF8(path[len(path)-maxNamed:], "")
}

// ReadHold is how strictly a read of a path is held, as Decide judges it. A search asks
// for what lies below the path that it was judged for. The texts of place are those of p.
func ReadHold(p tool.Path, place pathclass.Place) pathclass.Hold {
	return HoldOf(p, tool.AccessRead, place)
}

// HoldOf is how strictly an access to a path is held, as Decide judges it.
func HoldOf(p tool.Path, a tool.Access, place pathclass.Place) pathclass.Hold {
	place.Lexical, place.Real = p.Abs, p.Real
	return inZone(p.Zone, a == tool.AccessRead, pathclass.Classify(place).For(a)).Hold
}
