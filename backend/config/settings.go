package config

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// Theme is how the page is drawn.
type Theme string

// The themes.
const (
	ThemeSystem Theme = "system"
	ThemeLight  Theme = "light"
	ThemeDark   Theme = "dark"
)

// Notifications are how the desktop tells of calls that wait.
type Notifications string

// The ways. Sound has the desktop play its sound for messages too.
const (
	NotificationsOn    Notifications = "on"
	NotificationsSound Notifications = "sound"
	NotificationsOff   Notifications = "off"
)

// Settings are the values of config.json.
type Settings struct {
	Rules session.Rules
	Theme Theme
	// Notifications hold for the window; a page in a browser has none.
	Notifications Notifications
	// MaxHold is how long a caller is held for a person; 0 sets no limit.
	MaxHold time.Duration
	// UnusedGrants is how long a grant for a workspace is kept without being used; 0 keeps it.
	UnusedGrants time.Duration
	Notes        []tool.ResultNote
	External     External
	// Hooks are the operator's programs that look at calls.
	Hooks Hooks
}

// Field is one setting.
type Field struct {
	// Key is its name in config.json.
	Key string
	// Sentence says what it does, Range what it may be, Default what it is if left out.
	Sentence string
	Range    string
	Default  string
	read     func(json.RawMessage, *Settings) bool
	value    func(Settings) any
}

// ByHand reports whether the setting is changed in the file alone, and by no page: it names
// programs that are run.
func (f Field) ByHand() bool { return f.Key == hooksKey }

// Value is the setting as it would stand in config.json, as JSON text.
func (f Field) Value(s Settings) string {
	b, err := json.Marshal(f.value(s))
	if err != nil {
		panic(err) // the values are plain texts, numbers and lists
	}
	return string(b)
}

func (f Field) refused() *Fault {
	return &Fault{Key: f.Key, Words: fmt.Sprintf("the value of %q must be %s", f.Key, f.Range)}
}

func fieldOf(key string) (Field, bool) {
	for _, f := range Fields() {
		if f.Key == key {
			return f, true
		}
	}
	return Field{}, false
}

// Defaults are the settings of an empty file.
func Defaults() Settings {
	return Settings{
		Rules: session.Rules{
			Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Authors: session.Authors{Home: true},
		},
		Theme: ThemeSystem, Notifications: NotificationsOn, UnusedGrants: 30 * day, External: External{On: true, Crystal: true},
	}
}

const day = 24 * time.Hour

// Fields returns every setting.
func Fields() []Field {
	return []Field{
		{"preset", "How much runs without a question.", "default, edit, review, audit or full", "default",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Rules.Preset) && s.Rules.Preset.Known()
			}, func(s Settings) any { return s.Rules.Preset }},
		{"catalog", "Which tools are offered: plan offers only those that change nothing.", "plan or work", "work",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Rules.Catalog) && s.Rules.Catalog.Known()
			}, func(s Settings) any { return s.Rules.Catalog }},
		{"profile", "The rule set behind the presets; strict denies what desktop asks about.", "desktop or strict", "desktop",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Rules.Profile) && s.Rules.Profile.Known()
			}, func(s Settings) any { return s.Rules.Profile }},
		{"readOnly", "The lock: nothing is changed while it is on.", "true or false", "false",
			func(b json.RawMessage, s *Settings) bool { return json.Unmarshal(b, &s.Rules.ReadOnly) == nil },
			func(s Settings) any { return s.Rules.ReadOnly }},
		{"toolSets", "The built-in tool sets that are switched on.", "a list of set names",
			strings.Join(session.DefaultSets(), ", "),
			func(b json.RawMessage, s *Settings) bool { return list(b, &s.Rules.Sets) },
			func(s Settings) any { return s.Rules.SetsOn() }},
		{externalKey, "Whether tool sets of yours and of the workspace are looked for at all.", "true or false", "true",
			func(b json.RawMessage, s *Settings) bool { return json.Unmarshal(b, &s.External.On) == nil },
			func(s Settings) any { return s.External.On }},
		{authorsKey, "Whether the author of a tool set may say that its ordinary calls need no question, for sets of your home and of the project; host leaves that to the preset.",
			"{home, project}, each author or host", "home: author, project: host", readAuthors, writeAuthors},
		{crystalKey, "Whether the tool sets made for Crystal are looked for too, in its folders.", "true or false", "true",
			func(b json.RawMessage, s *Settings) bool { return json.Unmarshal(b, &s.External.Crystal) == nil },
			func(s Settings) any { return s.External.Crystal }},
		{"allowedDomains", "Hosts that web reads may reach.", "a list of host names, such as api.example.com, without address or port", "none",
			func(b json.RawMessage, s *Settings) bool {
				return list(b, &s.Rules.AllowedDomains) && !slices.ContainsFunc(s.Rules.AllowedDomains, notHost)
			}, func(s Settings) any { return append([]string{}, s.Rules.AllowedDomains...) }},
		{"theme", "How the page is drawn.", "system, light or dark", "system",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Theme) && slices.Contains([]Theme{ThemeSystem, ThemeLight, ThemeDark}, s.Theme)
			}, func(s Settings) any { return s.Theme }},
		{"notifications", "Whether the desktop tells of calls that wait while the window is not in front; sound plays one too.", "on, sound or off", "on",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Notifications) && slices.Contains([]Notifications{NotificationsOn, NotificationsSound, NotificationsOff}, s.Notifications)
			}, func(s Settings) any { return s.Notifications }},
		{"maxHoldSeconds", "How long a calling program is held while a person decides; 0 sets no limit.", "a whole number from 0 to 86400", "0",
			func(b json.RawMessage, s *Settings) bool {
				var n int
				ok := json.Unmarshal(b, &n) == nil && n >= 0 && n <= 86400
				s.MaxHold = time.Duration(n) * time.Second
				return ok
			}, func(s Settings) any { return int(s.MaxHold / time.Second) }},
		{"unusedGrantDays", "After how many days without use a grant for a workspace is taken back; 0 keeps it.", "a whole number from 0 to 3650", "30",
			func(b json.RawMessage, s *Settings) bool {
				var n int
				ok := json.Unmarshal(b, &n) == nil && n >= 0 && n <= 3650
				s.UnusedGrants = time.Duration(n) * day
				return ok
			}, func(s Settings) any { return int(s.UnusedGrants / day) }},
		{"resultNotes", "Notes for the agent about new files that do not begin as they should.",
			"a list of {glob, mustStartWith, note}", "none", readNotes, writeNotes},
		{hooksKey, "Programs of yours that are asked before a call runs, and shown a result before the agent gets it.", hooksRange, "none", readHooks, writeHooks},
	}
}

// hostName is a name as it stands in an address: labels of letters, digits, - and _ with
// dots between them.
var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?$`)

// notHost reports whether an entry can be no host: an address or a pattern would be on the
// list and let nothing through, and everything else that it was meant for would be denied.
func notHost(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return false
	}
	return len(name) > 253 || !hostName.MatchString(name)
}

func text[T ~string](b json.RawMessage, to *T) bool {
	var s string
	ok := json.Unmarshal(b, &s) == nil
	*to = T(s)
	return ok
}

func list(b json.RawMessage, to *[]string) bool {
	out := []string{}
	if json.Unmarshal(b, &out) != nil || out == nil {
		return false
	}
	*to = out
	return !slices.Contains(out, "")
}

// noteText is a note as it stands in the file.
type noteText struct {
	Glob          string `json:"glob"`
	MustStartWith string `json:"mustStartWith"`
	Note          string `json:"note"`
}

func readNotes(b json.RawMessage, s *Settings) bool {
	var notes []noteText
	if json.Unmarshal(b, &notes) != nil {
		return false
	}
	s.Notes = nil
	for _, n := range notes {
		if !doublestar.ValidatePattern(n.Glob) || n.Glob == "" || n.MustStartWith == "" || n.Note == "" {
			return false
		}
		s.Notes = append(s.Notes, tool.ResultNote{Glob: n.Glob, MustStartWith: n.MustStartWith, Note: n.Note})
	}
	return true
}

func writeNotes(s Settings) any {
	out := []noteText{}
	for _, n := range s.Notes {
		out = append(out, noteText(n))
	}
	return out
}

// parse reads the settings out of the keys of a file.
func parse(keys map[string]json.RawMessage) (Settings, error) {
	s := Defaults()
	if err := checkSpelling(keys); err != nil {
		return Settings{}, err
	}
	for _, f := range Fields() {
		b, given := keys[f.Key]
		if !given {
			continue
		}
		if (string(b) == "null" || !f.read(b, &s)) && !f.fallback(&s) {
			return Settings{}, f.refused()
		}
	}
	return s, nil
}
