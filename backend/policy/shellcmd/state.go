package shellcmd

import (
	"maps"
	"slices"

	"countersign/backend/policy/shellcmd/program"
)

// maxFolders is how many folders are followed at once, for commands behind a change of the
// folder that may have failed.
const maxFolders = 4

// maxValue is how long the value of a variable is that is followed, in bytes.
const maxValue = 16 << 10

// state is what is known of the shell at one point of a script. It is copied where paths
// part and joined where they meet.
type state struct {
	// folders are those that the shell may be in; none when it may be in any.
	folders []string
	// values are the variables that hold a known text.
	values map[string]string
	// plain are the variables that hold one of the words of a loop, none of which is more than
	// letters, digits and a few signs, nor looks like an option.
	plain map[string]bool
	// may are texts that variables may hold of which the value is not known.
	may map[string][]string
	// exported are variables that later commands may see.
	exported []program.Assignment
	// near are folders that the shell may be in where it may be in any.
	near []string
	// fed says that commands read from a pipe, a file or a text; piped is what the pipe may
	// hold, nil where that is not known.
	fed   bool
	piped *string
	// background says that nobody waits.
	background bool
}

func newState(p Place) state { return state{folders: []string{p.Directory}} }

func (st state) value(name string) (string, bool) {
	text, ok := st.values[name]
	return text, ok
}

// with returns the state after name was set to text, or to something unknown.
func (st state) with(name, text string, known bool) state {
	if st.plain[name] {
		st.plain = maps.Clone(st.plain)
		delete(st.plain, name)
	}
	st = st.guess(name, nil)
	known = known && len(text) <= maxValue
	if _, ok := st.values[name]; !ok && !known {
		return st
	}
	st.values = maps.Clone(st.values)
	if !known {
		delete(st.values, name)
		return st
	}
	if st.values == nil {
		st.values = map[string]string{}
	}
	st.values[name] = text
	return st
}

func (st state) export(a program.Assignment) state {
	before := slices.DeleteFunc(slices.Clone(st.exported), func(b program.Assignment) bool { return b.Name == a.Name })
	st.exported = append(before, a)
	return st
}

// lost returns a state in which the shell may be in any folder.
func (st state) lost() state {
	st.folders = nil
	return st
}

// join is the state where two ways meet.
func join(a, b state) state {
	out := a
	out.fed = a.fed || b.fed
	if !slices.Equal(a.folders, b.folders) {
		out.folders = union(a.folders, b.folders)
	}
	if len(a.values) > 0 || len(b.values) > 0 {
		out.values = common(a.values, b.values)
	}
	if !maps.Equal(a.plain, b.plain) {
		out.plain = nil
	}
	out.may = eitherMay(a, b)
	if !slices.Equal(a.near, b.near) {
		out.near = eitherText(a.near, b.near)
	}
	if out.piped != b.piped {
		out.piped = nil
	}
	out.exported = eitherExported(a.exported, b.exported)
	return out
}

// eitherExported are the variables that one of two ways exports; where they differ, the value is not
// known.
func eitherExported(a, b []program.Assignment) []program.Assignment {
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	out := slices.Clone(a)
	for _, v := range b {
		at := slices.IndexFunc(out, func(o program.Assignment) bool { return o.Name == v.Name })
		switch {
		case at < 0:
			out = append(out, v)
		case out[at].Value.Text != v.Value.Text:
			out[at] = unknownValue(v.Name)
		}
	}
	return out
}

// unknownValue is a variable of which only the name is known.
func unknownValue(name string) program.Assignment {
	return program.Assignment{Name: name, Value: program.Word{Text: program.Unknown, Dynamic: true}}
}

func union(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	out := slices.Clone(a)
	for _, folder := range b {
		if !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	if len(out) > maxFolders {
		return nil
	}
	return out
}

func common(a, b map[string]string) map[string]string {
	if maps.Equal(a, b) {
		return a
	}
	out := map[string]string{}
	for name, text := range a {
		if other, ok := b[name]; ok && other == text {
			out[name] = text
		}
	}
	return out
}
