package shellcmd

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/policy/shellcmd/program"
)

// guess returns the state after a variable was set to what may be one of these texts.
func (st state) guess(name string, texts []string) state {
	if len(texts) == 0 && st.may[name] == nil {
		return st
	}
	st.may = maps.Clone(st.may)
	if len(texts) == 0 {
		delete(st.may, name)
		return st
	}
	if st.may == nil {
		st.may = map[string][]string{}
	}
	st.may[name] = eitherText(nil, texts)
	return st
}

// guessUnless is guess for a variable whose value is not known.
func (st state) guessUnless(known bool, name string, texts []string) state {
	if known {
		return st
	}
	return st.guess(name, texts)
}

// arguments returns the state of a script or function that is given words.
func (st state) arguments(words []word) state {
	var all []string
	for i := range words {
		texts := words[i].texts()
		all = append(all, texts...)
		st = st.guess(strconv.Itoa(i+1), texts)
	}
	return st.guess("@", all).guess("*", all)
}

// forget returns a state in which no variable is known; what it held is guessed.
func (st state) forget() state {
	for name, text := range st.values {
		st = st.guess(name, []string{text})
	}
	st.values, st.plain = nil, nil
	return st
}

// elsewhere returns the state of another shell, which gets what is exported.
func (st state) elsewhere() state {
	out := st
	out.values, out.plain, out.may = nil, nil, nil
	for _, a := range st.exported {
		texts := st.may[a.Name]
		if !a.Value.Dynamic {
			texts = []string{a.Value.Text}
		}
		out = out.guess(a.Name, texts)
	}
	return out
}

// eitherMay is what variables may hold where two ways meet.
func eitherMay(a, b state) map[string][]string {
	if maps.Equal(a.values, b.values) && maps.EqualFunc(a.may, b.may, slices.Equal) {
		return a.may
	}
	out := map[string][]string{}
	maps.Copy(out, a.may)
	for name, texts := range b.may {
		out[name] = eitherText(out[name], texts)
	}
	for _, one := range []struct{ from, other map[string]string }{{a.values, b.values}, {b.values, a.values}} {
		for name, text := range one.from {
			if other, ok := one.other[name]; !ok || other != text {
				out[name] = eitherText(out[name], []string{text})
			}
		}
	}
	return out
}

// eitherText is a list with the texts of two, each once and no more than are followed.
func eitherText(a, b []string) []string {
	out := slices.Clone(a)
	for _, text := range b {
		if len(out) < maxGuesses && len(text) <= maxGuess && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// folderOf is what a ~ may stand for, with the name of a user behind it.
func (b *builder) folderOf(s string) []string {
	name, _, _ := strings.Cut(s[1:], "/")
	folders, _ := b.r.nearby("~"+name, b.st)
	return folders
}

// values are what a variable holds, or may hold.
func (b *builder) values(name string) []string {
	if text, ok := b.st.value(name); ok {
		return []string{text}
	}
	if text, _, ok := b.own(name); ok {
		return []string{text}
	}
	out := b.st.may[name]
	switch name {
	case "HOME":
		out = eitherText(out, []string{b.r.place.Home})
	case "PWD":
		out = eitherText(eitherText(out, b.st.folders), b.st.near)
	}
	for _, w := range b.r.facts.defaults[name] {
		if len(out) < maxGuesses && w != nil {
			out = eitherText(out, b.texts(w))
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(text string) bool { return text == program.Unknown })
}
