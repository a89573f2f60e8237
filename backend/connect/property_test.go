package connect

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func somewhere() Facts {
	return Facts{Program: "/opt/c/countersign", Workspace: "/w", UserHome: "/home/you"}
}

func kindOf(id string) kind {
	for _, k := range kinds() {
		if k.id == id {
			return k
		}
	}
	panic(id)
}

// jsonBuilder writes valid JSON with comments, white space and trailing commas at random.
type jsonBuilder struct {
	t        *rapid.T
	comments []string
}

func (b *jsonBuilder) extra() string {
	switch rapid.IntRange(0, 7).Draw(b.t, "extra") {
	case 0:
		c := fmt.Sprintf("/* block %d */", len(b.comments))
		b.comments = append(b.comments, c)
		return " " + c
	case 1:
		c := fmt.Sprintf("// line %d", len(b.comments))
		b.comments = append(b.comments, c)
		return c + rapid.SampledFrom([]string{"\n", "\r\n", " \n\t"}).Draw(b.t, "end")
	case 2:
		return rapid.SampledFrom([]string{"\n", "\n  ", "\r\n\t", " "}).Draw(b.t, "white")
	}
	return ""
}

func (b *jsonBuilder) value(depth int) string {
	most := 6
	if depth == 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(b.t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{`"a"`, `"// no"`, `"/* no"`, `"\"}{,"`, `""`, `"ü\u0000"`}).Draw(b.t, "text")
	case 1:
		return rapid.SampledFrom([]string{"0", "-1.5e3", "12345678901234567890", "60"}).Draw(b.t, "number")
	case 2:
		return "true"
	case 3:
		return "null"
	case 4:
		return "[" + b.extra() + "]"
	case 5:
		return b.list(depth)
	}
	return b.object(depth, nil)
}

func (b *jsonBuilder) list(depth int) string {
	out := "[" + b.extra()
	n := rapid.IntRange(1, 3).Draw(b.t, "items")
	for i := range n {
		out += b.extra() + b.value(depth-1) + b.extra()
		if i < n-1 || rapid.Bool().Draw(b.t, "trailing") {
			out += "," + b.extra()
		}
	}
	return out + "]"
}

// object has its own keys and those that are asked for.
func (b *jsonBuilder) object(depth int, members map[string]string) string {
	out := "{" + b.extra()
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c d", "ä"}), 0, 3, rapid.ID[string]).Draw(b.t, "keys")
	for key := range members {
		keys = append(keys, key)
	}
	for i, key := range keys {
		text, ok := members[key]
		if !ok {
			text = b.value(depth - 1)
		}
		out += b.extra() + `"` + key + `"` + b.extra() + ":" + b.extra() + text + b.extra()
		if i < len(keys)-1 || rapid.Bool().Draw(b.t, "trailing") {
			out += "," + b.extra()
		}
	}
	return out + b.extra() + "}"
}

// file is a client's file, with or without servers and an entry of ours.
func (b *jsonBuilder) file() string {
	var members map[string]string
	switch rapid.IntRange(0, 3).Draw(b.t, "servers") {
	case 1:
		members = map[string]string{"mcpServers": b.object(2, nil)}
	case 2:
		entry := map[string]string{"command": `"/old"`, "timeout": "5"}
		members = map[string]string{"mcpServers": b.object(2, map[string]string{entryName: b.object(1, entry)})}
	case 3:
		members = map[string]string{"mcpServers": b.object(2, map[string]string{entryName: b.object(1, nil)})}
	}
	return b.extra() + b.object(3, members) + b.extra()
}

func TestAnEntryKeepsAllElseOfAnyJSON(t *testing.T) {
	k, f := kindOf("gemini"), somewhere()
	rapid.Check(t, func(t *rapid.T) {
		b := &jsonBuilder{t: t}
		old := b.file()
		content, state, err := k.plan(f, File{Exists: true, Content: []byte(old)})
		if err != nil || state != StateAbsent && state != StateDiffers {
			t.Fatalf("%s: %s %v", old, state, err)
		}
		if !keepsJSON([]byte(old), content, "mcpServers") {
			t.Fatalf("%s\nbecame\n%s", old, content)
		}
		rest := string(content)
		for _, c := range b.comments {
			_, after, found := strings.Cut(rest, c)
			// Comments stay in their order, so that each is searched after the one before.
			if !found && strings.Count(string(content), c) == 0 {
				t.Fatalf("%s lost %q:\n%s", old, c, content)
			}
			if found {
				rest = after
			}
		}
		if _, state, err := k.plan(f, File{Exists: true, Content: content}); err != nil || state != StateCurrent {
			t.Fatalf("%s\nthen\n%s: %s %v", old, content, state, err)
		}
	})
}

func TestAnEntryKeepsAllElseOfAnyTOML(t *testing.T) {
	k, f := kindOf("codex"), somewhere()
	lines := []string{
		"# comment %d", "key%d = \"# no\" # comment", "arr%d = [ 1, # one\n  2, # two\n]", "d%d.e.f = 1979-05-27T07:32:00Z",
		"text%d = '''\n[mcp_servers.countersign]\n'''", "", "n%d = nan", "in%d = { a = 1, b = [ {} ] }",
	}
	tables := []string{"[t%d]", "[[a%d]]", "[mcp_servers.other%d]", "[ \"mcp_servers\" . x%d ] # there"}
	entries := []string{
		"", "[mcp_servers.countersign]", "[mcp_servers.countersign] # ours\ncommand = '/old' # old\ntool_timeout_sec = 5",
		"[mcp_servers.countersign]\nargs = []\ncommand = \"/opt/c/countersign\"\nenabled = false # off\n[mcp_servers.countersign.env]\nA = \"1\"",
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		n := 0
		put := func(from []string, most int) {
			for _, line := range rapid.SliceOfN(rapid.SampledFrom(from), 0, most).Draw(t, "lines") {
				n++
				b.WriteString(strings.ReplaceAll(line, "%d", fmt.Sprint(n)) + "\n")
			}
		}
		part := func() {
			put(tables, 1)
			put(lines, 4)
		}
		put(lines, 3)
		part()
		b.WriteString(rapid.SampledFrom(entries).Draw(t, "entry") + "\n")
		if rapid.Bool().Draw(t, "more") {
			b.WriteString("[z]\n")
			put(lines, 3)
			part()
		}
		old := b.String()
		if rapid.Bool().Draw(t, "CRLF") {
			old = strings.ReplaceAll(old, "\n", "\r\n")
		}
		if rapid.Bool().Draw(t, "cut") {
			old = strings.TrimRight(old, "\r\n")
		}
		content, _, err := k.plan(f, File{Exists: true, Content: []byte(old)})
		if err != nil || content == nil {
			t.Fatalf("%q: %v", old, err)
		}
		if len(bytes.TrimSpace([]byte(old))) > 0 && !keepsTOML([]byte(old), content, "mcp_servers") {
			t.Fatalf("%q\nbecame\n%q", old, content)
		}
		if a, b := strings.Count(old, "#"), strings.Count(string(content), "#"); a != b {
			t.Fatalf("%d comments became %d:\n%q\n%q", a, b, old, content)
		}
		if _, state, err := k.plan(f, File{Exists: true, Content: content}); err != nil || state != StateCurrent {
			t.Fatalf("%q\nthen\n%q: %s %v", old, content, state, err)
		}
	})
}

func fuzzKind(f *testing.F, id string, seeds ...string) {
	k, facts := kindOf(id), somewhere()
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, old []byte) {
		content, state, err := k.plan(facts, File{Exists: true, Content: old})
		switch {
		case err != nil:
			if content != nil || state != StateUnreadable {
				t.Errorf("%q: %v with %s", old, err, state)
			}
		case content == nil:
			if state != StateCurrent {
				t.Errorf("%q: nothing to do in state %s", old, state)
			}
		default:
			if !utf8.Valid(content) {
				t.Errorf("%q became %q", old, content)
			}
			if _, state, err := k.plan(facts, File{Exists: true, Content: content}); err != nil || state != StateCurrent {
				t.Errorf("%q became %q: %s %v", old, content, state, err)
			}
		}
	})
}

func FuzzAnyJSON(f *testing.F) {
	fuzzKind(f, "gemini", "", "{}", "\ufeff{ }", `{"mcpServers":{"countersign":{"args":[1,],},}} // x`, `{"mcpServers":{"a":1,"\u0063ountersign":{}}}`, "[]", "{\"a\":\"\xff\"}")
}

func FuzzAnyTOML(f *testing.F) {
	fuzzKind(f, "codex", "", "a=1", "[mcp_servers]\ncountersign.x=1\r\n", "mcp_servers={countersign={}}", "[[mcp_servers]]", "[mcp_servers.\"countersign\"]", "a=\"\"\"\n")
}
