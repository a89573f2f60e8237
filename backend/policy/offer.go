package policy

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/tool"
)

// Offer is a part of a call that a grant may cover: its file, its host, its tool, or one
// simple command of its command line.
type Offer struct {
	// Part is the index of the command in the call's reading, 0 for anything else, and Shown
	// what the part is called: the command as it is listed, the path, the host.
	Part  int    `json:"part"`
	Shown string `json:"shown"`
	// Choices are what a grant for the part may match, the narrowest first; empty where none
	// may be made, and Why says why, in words that complete "not possible: ".
	Choices []Choice `json:"choices,omitempty"`
	Why     string   `json:"why,omitempty"`
	// Covered is the grant that covers the part already, "" without one. It needs no other.
	Covered string `json:"covered,omitempty"`
	// Lives are how long a grant for the part may live.
	Lives []GrantLife `json:"lives,omitempty"`
}

// Choice is what a grant may match.
type Choice struct {
	Kind  GrantKind `json:"kind"`
	Value string    `json:"value"`
	// Words says what it would let through, Key how a grant of it is printed.
	Words string `json:"words"`
	Key   string `json:"key"`
}

// Open reports whether a grant can be made for the part that is not there yet.
func (o *Offer) Open() bool { return len(o.Choices) > 0 && o.Covered == "" }

var (
	anyLife     = []GrantLife{GrantSession, GrantWorkspace}
	sessionOnly = []GrantLife{GrantSession}
)

// Offers returns the parts of a call that grants may cover, for one that Decide says is
// offered; nil for any other.
func Offers(f Facts) []Offer {
	v := look(&f)
	var s story
	if s.judge(&v); !s.offered {
		return nil
	}
	list, _ := offers(&v, (*shellcmd.Command).Rules)
	return list
}

// offers returns the parts of the call that grants may cover, or why none may be made. rules
// are those that a command is offered with.
func offers(v *view, rules func(*shellcmd.Command) []shellcmd.Rule) (list []Offer, none string) {
	t := &v.Target
	switch {
	case !grantable(v.effect):
		return nil, "Once only: calls of this class are asked for each time."
	case v.Source == tool.SourceSet:
		return v.offerTool()
	case t.Command != "":
		return v.offerCommands(rules)
	case v.effect == tool.EffectCodeExecution:
		return nil, "Once only: it runs code."
	case v.effect == tool.EffectNetworkRead && (v.host == "" || len(t.Touches) > 0):
		return nil, "Once only: the call is more than a read from one host."
	case v.effect == tool.EffectNetworkRead:
		host := strings.Clone(v.host)
		return []Offer{{Shown: host, Choices: []Choice{v.choice(GrantHost, host)}, Lives: sessionOnly}}, ""
	case len(t.Touches) != 1 || t.URL != "" || t.Touches[0].Path.Real == "":
		return nil, "Once only: the call is not about exactly one file."
	}
	path := &t.Touches[0].Path
	return []Offer{{Shown: named(path), Choices: v.choosePath(path.Real), Lives: anyLife}}, ""
}

// offerTool offers every call of a tool of a set, which dies with the set as it is now.
func (v *view) offerTool() ([]Offer, string) {
	switch t := &v.Target; {
	case v.Fingerprint == "":
		return nil, "Once only: what this tool is made of was not written down."
	case v.outside != nil || t.Runs() || t.URL != "":
		return nil, "Once only: the call does more than its tool may do by itself."
	}
	return []Offer{{Shown: v.ToolID, Choices: []Choice{v.choice(GrantTool, "")}, Lives: anyLife}}, ""
}

// choosePath offers a file, and the folders of the workspace that it lies in.
func (v *view) choosePath(real string) []Choice {
	out := []Choice{v.choice(GrantFile, real)}
	if !within(v.Workspace, real) {
		return out
	}
	for at := real; len(out) <= maxFolders; {
		i := strings.LastIndexAny(at, `/\`)
		if i <= 0 || at[:i] != v.Workspace && !within(v.Workspace, at[:i]) {
			break
		}
		at = at[:i]
		out = append(out, v.choice(GrantFolder, at))
	}
	return out
}

// maxFolders is how many folders of a file are offered, from the innermost on.
const maxFolders = 12

// offerCommands offers each command of the line.
func (v *view) offerCommands(choices func(*shellcmd.Command) []shellcmd.Rule) ([]Offer, string) {
	if why := v.unruled(); why != "" {
		return nil, "Once only: " + why
	}
	rules := rulesOf(v.live())
	var out []Offer
	first, open := "", false
	for i := range v.Reading.Commands {
		c := &v.Reading.Commands[i]
		o := Offer{Part: i, Shown: c.Shown, Why: c.Uncoverable(), Lives: anyLife}
		if o.Why == "" {
			for _, r := range v.seen(c, choices) {
				o.Choices = append(o.Choices, v.choice(GrantCommand, r.String()))
			}
			if len(o.Choices) == 0 {
				o.Why = "it holds a secret or very long words, of which no grant is made"
			}
		}
		if g := coveredBy(rules, c); g != nil {
			o.Covered = g.ID
		}
		if first == "" && o.Why != "" {
			first = "Once only: " + o.Why + "."
		}
		out, open = append(out, o), open || o.Open()
	}
	if !open {
		return nil, first
	}
	return out, ""
}

// maxRule bounds the words of a rule that is offered, in bytes.
const maxRule = 4096

// seen are the rules of a command that hold no secret and nothing too long to read.
func (v *view) seen(c *shellcmd.Command, choices func(*shellcmd.Command) []shellcmd.Rule) []shellcmd.Rule {
	secret, long := len(c.Words), 0
	for i := range c.Words {
		w := &c.Words[i]
		if long += len(w.Text); long > maxRule || slices.ContainsFunc(v.Secrets, func(s Secret) bool {
			return w.Start < s.End && s.Start < w.End || strings.Contains(w.Text, s.Text)
		}) {
			secret = i
			break
		}
	}
	if secret == len(c.Words) {
		return choices(c)
	}
	return slices.DeleteFunc(c.Rules(), func(r shellcmd.Rule) bool { return len(r.Words) > secret })
}

func (v *view) choice(kind GrantKind, value string) Choice {
	g := Granting(v.Facts)
	g.Kind, g.Value = kind, value
	return ChoiceOf(g)
}

// Granting is what all grants have in common that an answer to the call makes.
func Granting(f *Facts) Grant {
	return Grant{
		Workspace: f.Workspace, ToolID: f.ToolID, Source: f.Source, Set: f.Set, SetOrigin: f.SetOrigin, Fingerprint: f.Fingerprint,
		Effect: f.Effect, Risk: risk(f.Class.Risk, false), PolicyVersion: Version(f.Rules), Packaged: Packaged(),
	}
}
