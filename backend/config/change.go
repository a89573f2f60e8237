package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"countersign/backend/schema"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Patch changes settings; a nil or empty field leaves its setting.
type Patch struct {
	Preset   session.Preset
	Catalog  tool.Catalog
	Profile  session.Profile
	ReadOnly *bool
	Theme    Theme
	// Switch turns one tool set on or off and leaves the others as they are.
	Switch *SetSwitch
	// Values are settings by their key, as JSON text; "" takes the key out of the file, so
	// that its default holds again.
	Values map[string]string
}

// SetSwitch is the state of one tool set.
type SetSwitch struct {
	Set string
	On  bool
}

// apply puts the patch into the keys of a file whose settings are now.
func (p Patch) apply(keys map[string]json.RawMessage, now Settings) error {
	set := map[string]any{}
	if p.Preset != "" {
		set["preset"] = p.Preset
	}
	if p.Catalog != "" {
		set["catalog"] = p.Catalog
	}
	if p.Profile != "" {
		set["profile"] = p.Profile
	}
	if p.ReadOnly != nil {
		set["readOnly"] = *p.ReadOnly
	}
	if p.Theme != "" {
		set["theme"] = p.Theme
	}
	if p.Switch != nil {
		set["toolSets"] = p.Switch.in(now.Rules.SetsOn())
	}
	for key, v := range set {
		b, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("write %s: %w", key, err)
		}
		keys[key] = b
	}
	for key, text := range p.Values {
		f, known := fieldOf(key)
		switch {
		case !known:
			return &Fault{Key: key, Words: "there is no such setting"}
		case f.ByHand():
			return &Fault{Key: key, Words: "it names programs that are run, so it is changed in config.json by hand"}
		case text == "":
			delete(keys, key)
		default:
			// The one reader of the file must be able to read what is put into it.
			if _, err := schema.Read([]byte(text)); err != nil {
				return f.refused()
			}
			if text == "null" || !f.read(json.RawMessage(text), &Settings{}) {
				return f.refused()
			}
			keys[key] = json.RawMessage(text)
		}
	}
	trim(keys)
	return nil
}

// in returns the sets that are on once the switch is set.
func (w *SetSwitch) in(on []string) []string {
	switch {
	case !w.On:
		return slices.DeleteFunc(slices.Clone(on), func(s string) bool { return s == w.Set })
	case slices.Contains(on, w.Set):
		return on
	}
	return append(slices.Clone(on), w.Set)
}

// Change writes the patch into the file, which is replaced in one step, and takes effect
// only once that worked. Keys that are not known here stay. What was written into the file
// by hand meanwhile takes effect with it. An error is an ErrBroken, an ErrUnwritten, or the
// *Fault of a value in the patch; nothing has changed then.
func (f *File) Change(p Patch) (Settings, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys, next, err := f.patched(p)
	if err != nil {
		return f.now, err
	}
	b, err := json.MarshalIndent(keys, "", "  ")
	if err != nil {
		return f.now, fmt.Errorf("%w: %w", ErrUnwritten, err)
	}
	if err := replace(f.path, append(b, '\n')); err != nil {
		return f.now, fmt.Errorf("%w: %w", ErrUnwritten, err)
	}
	f.now, f.unknown = next, unknown(keys)
	return next, nil
}

// Would returns the settings that Change would put in force, and changes nothing. Its error is
// an ErrBroken or the *Fault of a value in the patch.
func (f *File) Would(p Patch) (Settings, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, next, err := f.patched(p)
	return next, err
}

// patched is what the file would hold with a patch.
func (f *File) patched(p Patch) (map[string]json.RawMessage, Settings, error) {
	keys, err := f.keys()
	if err != nil {
		return nil, Settings{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	onDisk, err := parse(keys)
	if err != nil {
		return nil, Settings{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if err := p.apply(keys, onDisk); err != nil {
		return nil, Settings{}, err
	}
	next, err := parse(keys)
	return keys, next, err
}

// State is the file beside the settings in force.
type State struct {
	Path string
	// Given are the keys that the file names.
	Given []string
	// Unknown are those of them that are no setting of this version.
	Unknown []string
	// Fault says why the file cannot be used as it is now, nil when it can.
	Fault *Fault
	// Differs are the keys whose value in the file is another than the one in force: the
	// file was changed by hand since it was read.
	Differs []string
}

// Look reads the file as it is now. It changes nothing that is in force.
func (f *File) Look() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := State{Path: f.path}
	keys, err := f.keys()
	if err == nil {
		s.Given, s.Unknown = slices.Sorted(maps.Keys(keys)), unknown(keys)
		var onDisk Settings
		if onDisk, err = parse(keys); err == nil {
			for _, field := range Fields() {
				if field.Value(onDisk) != field.Value(f.now) {
					s.Differs = append(s.Differs, field.Key)
				}
			}
			return s
		}
	}
	s.Fault = faultOf(err)
	return s
}

func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return &Fault{Words: "it cannot be read", cause: err}
}
