package config

import (
	"encoding/json"
	"fmt"
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

// Settings are the values of config.json.
type Settings struct {
	Rules session.Rules
	Theme Theme
	// MaxHold is how long a caller is held for a person; 0 sets no limit.
	MaxHold time.Duration
	Notes   []tool.ResultNote
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
}

// Defaults are the settings of an empty file.
func Defaults() Settings {
	return Settings{
		Rules: session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop},
		Theme: ThemeSystem,
	}
}

// Fields returns every setting.
func Fields() []Field {
	return []Field{
		{"preset", "How much runs without a question.", "default, edit, review, audit or full", "default",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Rules.Preset) && s.Rules.Preset.Known()
			}},
		{"catalog", "Which tools are offered: plan offers only those that change nothing.", "plan or work", "work",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Rules.Catalog) && s.Rules.Catalog.Known()
			}},
		{"profile", "The rule set behind the presets; strict denies what desktop asks about.", "desktop or strict", "desktop",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Rules.Profile) && s.Rules.Profile.Known()
			}},
		{"readOnly", "The lock: nothing is changed while it is on.", "true or false", "false",
			func(b json.RawMessage, s *Settings) bool { return json.Unmarshal(b, &s.Rules.ReadOnly) == nil }},
		{"toolSets", "The built-in tool sets that are switched on.", "a list of set names",
			strings.Join(session.DefaultSets(), ", "),
			func(b json.RawMessage, s *Settings) bool { return list(b, &s.Rules.Sets) }},
		{"allowedDomains", "Hosts that web reads may reach.", "a list of host names", "none",
			func(b json.RawMessage, s *Settings) bool { return list(b, &s.Rules.AllowedDomains) }},
		{"theme", "How the page is drawn.", "system, light or dark", "system",
			func(b json.RawMessage, s *Settings) bool {
				return text(b, &s.Theme) && slices.Contains([]Theme{ThemeSystem, ThemeLight, ThemeDark}, s.Theme)
			}},
		{"maxHoldSeconds", "How long a calling program is held while a person decides; 0 sets no limit.", "0 to 86400", "0",
			func(b json.RawMessage, s *Settings) bool {
				var n int
				ok := json.Unmarshal(b, &n) == nil && n >= 0 && n <= 86400
				s.MaxHold = time.Duration(n) * time.Second
				return ok
			}},
		{"resultNotes", "Notes for the agent about new files that do not begin as they should.",
			"a list of {glob, mustStartWith, note}", "none", readNotes},
	}
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

func readNotes(b json.RawMessage, s *Settings) bool {
	var notes []struct {
		Glob          string `json:"glob"`
		MustStartWith string `json:"mustStartWith"`
		Note          string `json:"note"`
	}
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
		if string(b) == "null" || !f.read(b, &s) {
			return Settings{}, fmt.Errorf("config.json: the value of %q must be %s", f.Key, f.Range)
		}
	}
	return s, nil
}
