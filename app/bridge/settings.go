package bridge

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Codes of an Error about settings.
const (
	CodeSettingsBroken    = "settings_broken"
	CodeSettingsUnwritten = "settings_unwritten"
)

// patchOf is a patch as the engine takes it. It refuses a value that no setting has, by the
// name of its field.
func patchOf(p RulesPatch) (config.Patch, error) {
	out := config.Patch{
		Preset: session.Preset(p.Preset), Catalog: tool.Catalog(p.Catalog), Profile: session.Profile(p.Profile), Theme: config.Theme(p.Theme),
	}
	switch {
	case p.Preset != "" && !out.Preset.Known():
		return out, invalid("preset", "is not default, edit, review, audit or full")
	case p.Catalog != "" && !out.Catalog.Known():
		return out, invalid("catalog", "is not plan or work")
	case p.Profile != "" && !out.Profile.Known():
		return out, invalid("profile", "is not desktop or strict")
	case p.ReadOnly != "" && p.ReadOnly != "on" && p.ReadOnly != "off":
		return out, invalid("readOnly", "is not on or off")
	case p.Theme != "" && p.Theme != "system" && p.Theme != "light" && p.Theme != "dark":
		return out, invalid("theme", "is not system, light or dark")
	}
	if p.ReadOnly != "" {
		on := p.ReadOnly == "on"
		out.ReadOnly = &on
	}
	return out, nil
}

// maxSetting bounds the text of one setting, in bytes.
const maxSetting = 256 << 10

// change stores settings, and says in words what kept it from doing so, else what they did.
func (a *API) change(ctx context.Context, p config.Patch) (Effect, error) {
	judged, err := a.engine.ChangeRules(ctx, p)
	return Effect{Allowed: judged.Allowed, Denied: judged.Denied, Words: closedWords(judged)}, settingsFault(err)
}

// closedWords says what became of the calls that waited: "2 waiting calls were let through, 1
// was denied, and 3 still wait."
func closedWords(j approval.Judged) string {
	said, noun := []string{}, " waiting call"
	say := func(n int, verb string) {
		if n == 0 {
			return
		}
		was, s := " was ", ""
		if n > 1 {
			was, s = " were ", "s"
		}
		if noun == "" {
			s = ""
		}
		said = append(said, strconv.Itoa(n)+noun+s+was+verb)
		noun = ""
	}
	say(j.Allowed, "let through")
	say(j.Denied, "denied")
	switch {
	case len(said) == 0:
		return ""
	case j.Waiting == 1:
		said = append(said, "1 still waits")
	case j.Waiting > 1:
		said = append(said, strconv.Itoa(j.Waiting)+" still wait")
	}
	last := len(said) - 1
	if last == 0 {
		return said[0] + "."
	}
	return strings.Join(said[:last], ", ") + " and " + said[last] + "."
}

func settingsFault(err error) error {
	fault, isFault := errors.AsType[*config.Fault](err)
	switch {
	case errors.Is(err, config.ErrBroken):
		return Fault(CodeSettingsBroken, "config.json was changed by hand and cannot be used: "+faultWords(fault)+
			". Nothing was changed, and the settings from before stay in force. Mend the file, then try again.")
	case errors.Is(err, config.ErrUnwritten):
		return Fault(CodeSettingsUnwritten, "config.json could not be written. Nothing was changed, and the settings from before stay in force. "+
			"Make its folder writable or free space on its disk, then try again.")
	case isFault:
		e := Fault(CodeInvalid, "This was not taken: "+faultWords(fault)+". Nothing was changed.")
		e.Fields[fault.Key] = faultWords(fault)
		return e
	}
	return err
}

func faultWords(f *config.Fault) string {
	if f == nil {
		return "it cannot be read"
	}
	return clip(f.Words)
}

// switchSet turns a set on or off. One that is built in and named in the settings without being
// there can only be turned off.
func (a *API) switchSet(ctx context.Context, c SetChange) (Effect, error) {
	if c.Source != string(tool.SourceBuiltin) {
		return a.switchExternal(ctx, c)
	}
	known := slices.ContainsFunc(a.engine.Specs(), func(s tool.Spec) bool { return s.Set == c.Set })
	if !known && (c.On || !slices.Contains(a.engine.EnabledSets(), c.Set)) {
		return Effect{}, invalid("set", "is no tool set that there is")
	}
	return a.change(ctx, config.Patch{Switch: &config.SetSwitch{Set: c.Set, On: c.On}})
}

func (a *API) setSetting(ctx context.Context, c SettingChange) (Effect, error) {
	switch {
	case c.Key == "" || len(c.Key) > maxID:
		return Effect{}, invalid("key", "is no setting")
	case len(c.Value) > maxSetting:
		return Effect{}, invalid("value", "is longer than 256 KB")
	}
	return a.change(ctx, config.Patch{Values: map[string]string{c.Key: c.Value}})
}

// settings tells the settings in force and the file that they come from.
func (a *API) settings(context.Context) (SettingsView, error) {
	file, now := a.engine.SettingsFile(), a.engine.Settings()
	out := SettingsView{
		File: file.Path, Differs: file.Differs, Unknown: file.Unknown, Profiles: profileChoices(), Kinds: kindChoices(),
		UnknownSets: slices.DeleteFunc(slices.Clone(now.Rules.SetsOn()), a.isSet),
	}
	if file.Fault != nil {
		out.Fault = faultWords(file.Fault)
	}
	for i, key := range out.Unknown {
		out.Unknown[i] = clip(key)
	}
	for _, f := range config.Fields() {
		out.Fields = append(out.Fields, SettingRow{
			Key: f.Key, Sentence: f.Sentence, Range: f.Range, Default: f.Default, Value: f.Value(now), Given: slices.Contains(file.Given, f.Key),
		})
	}
	for _, c := range presetChoices() {
		row := PresetRow{Value: c.Value, Label: c.Label, Words: c.Words}
		foreseen := a.engine.Foresee(session.Preset(c.Value))
		for _, k := range policy.Kinds() {
			row.Answers = append(row.Answers, string(foreseen[k]))
		}
		out.Presets = append(out.Presets, row)
	}
	return out, nil
}

// isSet reports whether a name is one of a set that there is or that is on by itself.
func (a *API) isSet(name string) bool {
	return slices.Contains(session.DefaultSets(), name) ||
		slices.ContainsFunc(a.engine.Specs(), func(s tool.Spec) bool { return s.Set == name })
}

func profileChoices() []Choice {
	return []Choice{
		{string(session.ProfileDesktop), "Desktop", "Asks you about code that is not isolated, paths outside the workspace and hosts that are not listed. Looser than Strict."},
		{string(session.ProfileStrict), "Strict", "Denies all of that without asking, and paths with secrets too."},
	}
}

// kindChoices names the kinds of call that the presets differ in.
func kindChoices() []Choice {
	words := map[policy.Kind][2]string{
		policy.KindRead:    {"Workspace reads", "Reading an ordinary file of the workspace."},
		policy.KindEdit:    {"Workspace edits", "Writing an ordinary file of the workspace."},
		policy.KindCommand: {"Commands", "Running a command on this machine."},
		policy.KindOutside: {"Outside", "Reading a file outside the workspace."},
		policy.KindNetwork: {"Network", "Reading from a host that is not on the list of allowed hosts."},
	}
	out := make([]Choice, 0, len(words))
	for _, k := range policy.Kinds() {
		out = append(out, Choice{Value: string(k), Label: words[k][0], Words: words[k][1]})
	}
	return out
}
