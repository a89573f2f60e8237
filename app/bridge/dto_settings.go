package bridge

// RulesPatch changes settings; an empty field leaves its setting. ReadOnly is "on", "off" or "".
type RulesPatch struct {
	Preset   string `json:"preset"`
	Catalog  string `json:"catalog"`
	Profile  string `json:"profile"`
	ReadOnly string `json:"readOnly"`
	Theme    string `json:"theme"`
}

// SettingChange gives one setting a value, as JSON text; "" goes back to its default.
type SettingChange struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// SettingsView is config.json beside what is in force.
type SettingsView struct {
	File string `json:"file"`
	// Fault says why the file cannot be used as it is now, "" when it can.
	Fault string `json:"fault"`
	// Differs are the keys that were changed by hand and are not in force yet, Unknown those
	// that are no setting of this version, UnknownSets the switched-on sets that are none.
	Differs     []string     `json:"differs"`
	Unknown     []string     `json:"unknown"`
	UnknownSets []string     `json:"unknownSets"`
	Fields      []SettingRow `json:"fields"`
	// Kinds are the kinds of call that Presets says something of, in its order.
	Kinds    []Choice    `json:"kinds"`
	Presets  []PresetRow `json:"presets"`
	Profiles []Choice    `json:"profiles"`
}

// SettingRow is one setting of config.json.
type SettingRow struct {
	Key      string `json:"key"`
	Sentence string `json:"sentence"`
	Range    string `json:"range"`
	Default  string `json:"default"`
	// Value is what is in force, as JSON text. Given says that the file names the key.
	Value string `json:"value"`
	Given bool   `json:"given"`
}

// PresetRow is a preset with what each kind of call gets under it.
type PresetRow struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Words string `json:"words"`
	// Answers are those of a Standing, one a kind.
	Answers []string `json:"answers"`
}

// Effect is what a change of settings did to the calls that waited for a person.
type Effect struct {
	Allowed int `json:"allowed"`
	Denied  int `json:"denied"`
	// Words tell it in a sentence, "" when it closed no card.
	Words string `json:"words"`
}
