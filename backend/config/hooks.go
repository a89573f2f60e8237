package config

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"countersign/backend/schema"
)

// hooksKey is the setting that names hooks.
const hooksKey = "hooks"

// maxHooks bounds the hooks of one event, and maxHookText a word of one, in bytes.
const (
	maxHooks    = 16
	maxHookText = 4096
)

const hooksRange = "{beforeCall, afterResult}, each a list of up to 16 {name, run}, where run is the absolute path of a program, or one below the home folder, and its arguments"

// Hook is a program of the operator's.
type Hook struct {
	// Name is what the person reads of it.
	Name string
	// Run is the program and its arguments. Its path is absolute, or relative to the home.
	Run []string
}

// Hooks are the programs that look at calls, in the order in which they are asked.
type Hooks struct{ BeforeCall, AfterResult []Hook }

// Program is the absolute path of a hook's program.
func (p Paths) Program(h Hook) string {
	if filepath.IsAbs(h.Run[0]) {
		return filepath.Clean(h.Run[0])
	}
	return filepath.Join(p.Home, h.Run[0])
}

// hookText is a hook as it stands in the file.
type hookText struct {
	Name string   `json:"name"`
	Run  []string `json:"run"`
}

// hooksText are all of them.
type hooksText struct {
	BeforeCall  []hookText `json:"beforeCall,omitempty"`
	AfterResult []hookText `json:"afterResult,omitempty"`
}

func readHooks(b json.RawMessage, s *Settings) bool {
	object, err := schema.ReadObject(b)
	if err != nil {
		return false
	}
	s.Hooks = Hooks{}
	for key, list := range object {
		to := map[string]*[]Hook{"beforeCall": &s.Hooks.BeforeCall, "afterResult": &s.Hooks.AfterResult}[key]
		if to == nil || !hooksOf(list, to) {
			return false
		}
	}
	return true
}

// hooksOf reads the hooks of one event. A key that is not known refuses all: it may be a slip of
// one that mattered.
func hooksOf(v any, to *[]Hook) bool {
	list, ok := v.([]any)
	if !ok || len(list) > maxHooks {
		return false
	}
	for _, one := range list {
		h, ok := hookOf(one)
		if !ok {
			return false
		}
		*to = append(*to, h)
	}
	return true
}

func hookOf(v any) (h Hook, ok bool) {
	object, ok := v.(map[string]any)
	if !ok {
		return h, false
	}
	for key, value := range object {
		switch key {
		case "name":
			if h.Name, ok = value.(string); !ok || h.Name == "" || len(h.Name) > 80 {
				return h, false
			}
		case "run":
			if h.Run, ok = words(value); !ok {
				return h, false
			}
		default:
			return h, false
		}
	}
	if len(h.Run) == 0 || !filepath.IsAbs(h.Run[0]) && !filepath.IsLocal(h.Run[0]) {
		return h, false
	}
	if h.Name == "" {
		h.Name = filepath.Base(h.Run[0])
	}
	return h, true
}

func words(v any) (out []string, ok bool) {
	list, ok := v.([]any)
	for _, one := range list {
		word, is := one.(string)
		if !is || len(word) > maxHookText || strings.ContainsRune(word, 0) {
			return nil, false
		}
		out = append(out, word)
	}
	return out, ok && len(out) <= 64
}

func writeHooks(s Settings) any {
	texts := func(list []Hook) (out []hookText) {
		for _, h := range list {
			out = append(out, hookText(h))
		}
		return out
	}
	return hooksText{texts(s.Hooks.BeforeCall), texts(s.Hooks.AfterResult)}
}
