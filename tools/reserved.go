package tools

import (
	"slices"

	"countersign/backend/tool"
)

// planned are the tools that are to be built in and are not yet, by the sets that will switch
// them. Nothing else may take their names meanwhile: what calls one must not find a stranger's
// tool there.
var planned = []string{
	"list", "tree", "search", "todowrite", "todoread", "question", "skill",
	"workspace.read_text", "workspace.write_text", "workspace.list_files", "artifact.export", "sandbox.run_command",
	"read_file", "write_file", "list_directory", "run_command", "read_media",
	"git_status", "git_commit",
	"http_request", "web_search",
	"read_clipboard", "notify",
	"invoke_agent", "mcp_call",
}

// Reserved returns every id and wire name that belongs to a built-in tool, whether it is shown or
// not, sorted.
func Reserved() []string {
	var out []string
	for _, s := range Catalog() {
		out = append(out, s.ID, s.WireName())
	}
	for _, id := range planned {
		s := tool.Spec{ID: id}
		out = append(out, id, s.WireName())
	}
	slices.Sort(out)
	return slices.Compact(out)
}
