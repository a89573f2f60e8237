package toolset

import (
	"os"
	"path/filepath"

	"countersign/backend/tool"
)

// prefix begins the names of the variables by which programs of sets are told of their call.
const prefix = "CRYSTAL_"

// data are the directories in which a set keeps what is its own.
type data struct {
	// workspace bounds where project may lie.
	workspace, global, project string
}

func (x *external) data(workspace string) data {
	below := filepath.Join("data", "tools", x.entry.Directory)
	folder := FolderOwn
	if x.entry.Tree.Folder == FolderCrystal {
		folder = FolderCrystal
	}
	return data{workspace, filepath.Join(x.facts.Home, below), filepath.Join(workspace, folder, below)}
}

// make makes the directories that are missing. One that cannot be made is not told of: the
// program makes it, or does without. In the workspace no link is followed that leaves it.
func (d data) make() {
	_ = os.MkdirAll(d.global, 0o700)
	root, err := os.OpenRoot(d.workspace)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	if rel, err := filepath.Rel(d.workspace, d.project); err == nil {
		_ = root.MkdirAll(rel, 0o755)
	}
}

// environ are the variables of a call.
func (d data) environ(env tool.Env) []string {
	return []string{
		prefix + "WORKSPACE=" + d.workspace,
		prefix + "SESSION=" + env.SessionID,
		prefix + "APPROVAL=" + env.Approval,
		prefix + "TOOL_DATA=" + d.global,
		prefix + "PROJECT_DATA=" + d.project,
	}
}
