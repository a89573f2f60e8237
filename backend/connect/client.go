package connect

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Facts are what the entry of every client depends on.
type Facts struct {
	// Program is the absolute path of countersign, "" when it was not found.
	Program string
	// Home is the home of the desk, "" when it is the one that countersign finds by itself.
	Home string
	// Workspace is the desk's workspace, "" to leave it out of every entry.
	Workspace string
	// UserHome is the home directory of the person.
	UserHome string
}

// words is the command line of countersign, with the workspace where the client serves no
// other.
func (f Facts) words(workspace bool) []string {
	out := []string{"mcp"}
	if f.Home != "" {
		out = append(out, "--home", f.Home)
	}
	if workspace && f.Workspace != "" {
		out = append(out, "--workspace", f.Workspace)
	}
	return out
}

type format int

const (
	formatJSON format = iota
	formatTOML
)

// kind is a client that is known.
type kind struct {
	id, name string
	// callers are the names under which it comes to the door; one that ends in "*" is the
	// beginning of several.
	callers []string
	// user says that the file is in the home of the person and serves every folder.
	user bool
	// files are the places of its configuration, below the workspace or the person's home.
	// The first that exists is used, else the first.
	files  []string
	format format
	// key is the table of servers, entry what stands in it under our name.
	key   string
	entry func(program string, words []string) []field
	// alters are texts inside of which the client replaces something.
	alters []string
	// command is a line for a terminal that does the same, nil without one.
	command func(f Facts) string
	// limit says how long it waits for an answer, after what it needs once the entry is there.
	limit, after string
}

// day is how long a client waits for a person, where it can be told.
const (
	daySeconds = int64(24 * 60 * 60)
	dayMillis  = daySeconds * 1000
)

func separate(more ...field) func(string, []string) []field {
	return func(program string, words []string) []field {
		return append([]field{{key: "command", value: program}, {key: "args", value: words, rule: line}}, more...)
	}
}

func typed(more ...field) func(string, []string) []field {
	return func(program string, words []string) []field {
		kind := field{key: "type", value: "stdio", rule: implied}
		return append([]field{kind}, separate(more...)(program, words)...)
	}
}

// kinds are the clients that are known, in the order in which they are shown. What is said
// of their limits was measured, but where it says that it is not known.
func kinds() []kind {
	millis := field{key: "timeout", value: dayMillis, rule: atLeast}
	on := field{key: "enabled", value: true, rule: unlessSet}
	return []kind{
		{
			id: "claude", name: "Claude Code", callers: []string{"claude-code"},
			files: []string{".mcp.json"}, key: "mcpServers", entry: typed(millis), alters: []string{"${"},
			command: claudeCommand,
			limit:   "A call may wait for a day.",
			after:   "Start Claude Code anew in this folder. It asks once whether this server may be used.",
		},
		{
			id: "codex", name: "Codex", callers: []string{"codex-mcp-client"}, user: true,
			files: []string{".codex/config.toml"}, format: formatTOML, key: "mcp_servers",
			entry: separate(field{key: "tool_timeout_sec", value: daySeconds, rule: atLeast}, on),
			limit: "A call may wait for a day, instead of 300 seconds.",
			after: "Start Codex anew.",
		},
		{
			id: "opencode", name: "opencode", callers: []string{"opencode"},
			files: []string{"opencode.json", "opencode.jsonc"}, key: "mcp", alters: []string{"{env:", "{file:"},
			entry: func(program string, words []string) []field {
				command := append([]string{program}, words...)
				return []field{{key: "type", value: "local"}, {key: "command", value: command, rule: line}, millis, on}
			},
			limit: "A call may wait for a day, instead of 60 seconds.",
			after: "Start opencode anew in this folder.",
		},
		{
			id: "gemini", name: "Gemini CLI", callers: []string{"gemini-cli-mcp-client"}, user: true,
			files: []string{".gemini/settings.json"}, key: "mcpServers", entry: separate(millis), alters: []string{"$"},
			limit: "A call may wait for a day, instead of 10 minutes.",
			after: "Start Gemini CLI anew. In a folder that it does not trust it uses no server.",
		},
		{
			id: "qwen", name: "Qwen Code", callers: []string{"qwen-cli-mcp-client*"}, user: true,
			files: []string{".qwen/settings.json"}, key: "mcpServers", entry: separate(millis), alters: []string{"$"},
			limit: "A call may wait for a day, instead of 10 minutes.",
			after: "Start Qwen Code anew.",
		},
		{
			id: "crush", name: "Crush", callers: []string{"crush"},
			files: []string{"crush.json", ".crush.json"}, key: "mcp", alters: []string{"$", "`", `\`, `"`, "'"},
			entry: typed(field{key: "disabled", value: false, rule: unlessSet}),
			limit: "Crush sets no limit to a call.",
			after: "Start Crush anew in this folder.",
		},
		{
			id: "vscode", name: "VS Code", files: []string{".vscode/mcp.json"}, key: "servers", entry: typed(), alters: []string{"${"},
			limit: "VS Code has no setting for how long a call may take.",
			after: "Open the file in VS Code and press Start above the entry.",
		},
		{
			id: "cursor", name: "Cursor", files: []string{".cursor/mcp.json"}, key: "mcpServers", entry: separate(), alters: []string{"${"},
			limit: "Cursor has no setting for how long a call may take, and how long it waits is not known.",
			after: "Start Cursor anew in this folder, and switch the server on in its settings.",
		},
	}
}

func claudeCommand(f Facts) string {
	add := "claude mcp add countersign -- " + shell(append([]string{f.Program}, f.words(true)...))
	if f.Workspace == "" {
		return add
	}
	return "cd " + shell([]string{f.Workspace}) + " && " + add
}

// is reports whether a caller's name is one of the client's.
func (k kind) is(caller string) bool {
	return slices.ContainsFunc(k.callers, func(name string) bool {
		if start, more := strings.CutSuffix(name, "*"); more {
			return strings.HasPrefix(caller, start)
		}
		return caller == name
	})
}

// trouble says why the client has no exact entry, "" when it has one.
func (k kind) trouble(f Facts) string {
	if words := f.trouble(); words != "" {
		return words
	}
	for _, text := range append([]string{f.Program}, f.words(!k.user)...) {
		for _, part := range k.alters {
			if strings.Contains(text, part) {
				return "A path here holds " + part + ", which " + k.name + " would replace by something else. " +
					"Give the folder another name, or reach it by a link without that."
			}
		}
	}
	return ""
}

// trouble says why there is no command at all.
func (f Facts) trouble() string {
	switch {
	case f.Program == "":
		return "The program countersign is not beside the one that runs here, so there is no command to give. Install both in one folder."
	case !utf8.ValidString(f.Program + f.Home + f.Workspace):
		return "A path here is not UTF-8 text, and no configuration can hold it. Give the folder another name."
	}
	return ""
}

// fields are the keys of the client's entry.
func (k kind) fields(f Facts) []field { return k.entry(f.Program, f.words(!k.user)) }

// fragment is the entry as a text to paste into an empty file.
func (k kind) fragment(f Facts) string {
	if k.format == formatTOML {
		t := tomlText{newline: "\n"}
		return t.table(k.key, k.fields(f))
	}
	entry := nested{{k.key, nested{{entryName, entryOf(k.fields(f))}}}}
	return renderJSON(entry, "", "  ", "\n") + "\n"
}
