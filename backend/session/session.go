// Package session holds what a session is: who calls, from which workspace,
// under which settings, and the records of what was said and done in it. It is
// pure; the store keeps these records and the engine writes them.
package session

import (
	"encoding/json"
	"slices"
	"time"

	"countersign/backend/tool"
)

// Preset is the visible control for how much runs without a question.
type Preset string

// The presets, strictest first.
const (
	PresetDefault Preset = "default"
	PresetEdit    Preset = "edit"
	PresetReview  Preset = "review"
	PresetAudit   Preset = "audit"
	PresetFull    Preset = "full"
)

// Presets returns the presets in the order in which they are shown.
func Presets() []Preset {
	return []Preset{PresetDefault, PresetEdit, PresetReview, PresetAudit, PresetFull}
}

// Known reports whether p is one of the presets.
func (p Preset) Known() bool { return slices.Contains(Presets(), p) }

// Stricter returns the loosest preset that is at least as strict as both: in what it lets run
// by itself, and in what it leaves to a reviewer instead of a person. Of Edit and Review that is
// Edit, since a reviewer may also allow; of Audit and Edit it is Default.
func (p Preset) Stricter(q Preset) Preset {
	want := p.asking().strictest(q.asking())
	best := PresetDefault
	for _, c := range Presets() {
		if got := c.asking(); got.strictest(want) == got && got.sum() < best.asking().sum() {
			best = c
		}
	}
	return best
}

// asking is whom a preset has asked about workspace writes, about code that stays inside, and
// about the rest: 0 nobody, 1 a reviewer, 2 a person.
type asking struct{ writes, inside, rest int }

func (p Preset) asking() asking {
	switch p {
	case PresetDefault:
	case PresetEdit:
		return asking{0, 2, 2}
	case PresetReview:
		return asking{0, 1, 1}
	case PresetAudit:
		return asking{1, 1, 1}
	case PresetFull:
		return asking{0, 0, 2}
	}
	return asking{2, 2, 2}
}

func (a asking) strictest(b asking) asking {
	return asking{max(a.writes, b.writes), max(a.inside, b.inside), max(a.rest, b.rest)}
}

func (a asking) sum() int { return a.writes + a.inside + a.rest }

// Profile is the rule set behind the presets.
type Profile string

// The profiles.
const (
	ProfileDesktop Profile = "desktop"
	ProfileStrict  Profile = "strict"
)

// Known reports whether p is one of the profiles.
func (p Profile) Known() bool { return p == ProfileDesktop || p == ProfileStrict }

// Rules are the settings that decide calls. A call gets the rules of the moment in
// which it is decided.
type Rules struct {
	Preset   Preset       `json:"preset"`
	Catalog  tool.Catalog `json:"catalog"`
	Profile  Profile      `json:"profile"`
	ReadOnly bool         `json:"read_only"`
	// Sets are the tool sets that are switched on; nil means the default ones.
	Sets []string `json:"sets,omitempty"`
	// Only, if not nil, names the sets of which tools may be offered at all, wherever they come
	// from: built-in sets, and the directories of others.
	Only []string `json:"only,omitempty"`
	// AllowedDomains are hosts that http reads may reach.
	AllowedDomains []string `json:"allowed_domains,omitempty"`
	// Authors says whose declarations about approval count. The zero value follows no author.
	Authors Authors `json:"authors,omitzero"`
}

// Authors says for each place where tool sets lie whether what their authors declare about
// approval is followed. Else the host decides.
type Authors struct {
	Home    bool `json:"home,omitempty"`
	Project bool `json:"project,omitempty"`
}

// Followed reports whether the authors of sets from an origin are followed. Of one that is not
// known they are not.
func (a Authors) Followed(origin string) bool {
	switch origin {
	case "home":
		return a.Home
	case "project":
		return a.Project
	}
	return false
}

// Equal reports whether r and q are the same rules. The lists count in their order.
func (r Rules) Equal(q Rules) bool {
	return r.Preset == q.Preset && r.Catalog == q.Catalog && r.Profile == q.Profile && r.ReadOnly == q.ReadOnly &&
		(r.Sets == nil) == (q.Sets == nil) && slices.Equal(r.Sets, q.Sets) && (r.Only == nil) == (q.Only == nil) && slices.Equal(r.Only, q.Only) &&
		slices.Equal(r.AllowedDomains, q.AllowedDomains) && r.Authors == q.Authors
}

// SetsOn returns the tool sets that are switched on.
func (r Rules) SetsOn() []string {
	if r.Sets == nil {
		return DefaultSets()
	}
	return r.Sets
}

// DefaultSets returns the built-in tool sets that are on unless the settings say otherwise.
func DefaultSets() []string {
	return []string{"coding", "planning", "exact", "git", "desktop"}
}

// Offers reports whether a set is switched on. One that is not built in is switched by its own
// manifest, so here it is on unless others are asked for.
func (r Rules) Offers(set string, builtin bool) bool {
	if builtin {
		return slices.Contains(r.SetsOn(), set)
	}
	return r.Only == nil || slices.Contains(r.Only, set)
}

// Tightened returns the stricter of r and the limits, field by field. A zero field of
// limits leaves r as it is, and a value that is not known counts as the strictest. The
// allowed hosts are no limit: an empty list would loosen.
func (r Rules) Tightened(limits Rules) Rules {
	switch {
	case limits.Preset.Known():
		r.Preset = r.Preset.Stricter(limits.Preset)
	case limits.Preset != "":
		r.Preset = PresetDefault
	}
	if limits.Catalog != "" && limits.Catalog != tool.CatalogWork {
		r.Catalog = tool.CatalogPlan
	}
	if limits.Profile != "" && limits.Profile != ProfileDesktop {
		r.Profile = ProfileStrict
	}
	r.ReadOnly = r.ReadOnly || limits.ReadOnly
	if limits.Sets != nil {
		r.Sets = intersect(r.SetsOn(), limits.Sets)
		r = r.only(limits.Sets)
	}
	if limits.Only != nil {
		r = r.only(limits.Only)
	}
	return r
}

// only leaves no other sets than those that are named.
func (r Rules) only(names []string) Rules {
	if r.Only != nil {
		names = intersect(r.Only, names)
	}
	r.Only = append([]string{}, names...)
	return r
}

func intersect(have, only []string) []string {
	out := []string{}
	for _, s := range have {
		if slices.Contains(only, s) {
			out = append(out, s)
		}
	}
	return out
}

// CallerKind says through which door a session came.
type CallerKind string

// The doors.
const (
	CallerAgent       CallerKind = "agent"
	CallerMCP         CallerKind = "mcp"
	CallerCommandLine CallerKind = "command_line"
	CallerWindow      CallerKind = "window"
)

// Caller is who speaks in a session. Name and Version are what the client says of
// itself: foreign text.
type Caller struct {
	Kind    CallerKind     `json:"kind"`
	Name    tool.Untrusted `json:"name"`
	Version tool.Untrusted `json:"version"`
}

// Status is the state of a session.
type Status string

// The states.
const (
	StatusActive Status = "active"
	StatusIdle   Status = "idle"
	StatusEnded  Status = "ended"
)

// Session is one conversation with one caller in one workspace.
type Session struct {
	ID        string         `json:"id"`
	Title     tool.Untrusted `json:"title"`
	Workspace string         `json:"workspace"`
	// TrustRoot is the git root of the workspace, else the workspace.
	TrustRoot string    `json:"trust_root"`
	Caller    Caller    `json:"caller"`
	Limits    Rules     `json:"limits"`
	Status    Status    `json:"status"`
	Owner     string    `json:"owner"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	LastSeq   int64     `json:"last_seq"`
	// Waiting is how many approvals of the session wait.
	Waiting int `json:"waiting"`
}

// Role says who wrote a message.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation, append-only.
type Message struct {
	ID        string         `json:"id"`
	SessionID string         `json:"session_id"`
	Seq       int64          `json:"seq"`
	Role      Role           `json:"role"`
	Text      tool.Untrusted `json:"text"`
	// Calls are the tool calls that an assistant message asks for.
	Calls []MessageCall `json:"calls,omitempty"`
	// CallID is the call that a tool message answers, Status how that call ended.
	CallID string     `json:"call_id,omitempty"`
	Status string     `json:"status,omitempty"`
	Model  string     `json:"model,omitempty"`
	Trust  tool.Trust `json:"trust"`
	At     time.Time  `json:"at"`
}

// MessageCall is a tool call inside an assistant message.
type MessageCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}
