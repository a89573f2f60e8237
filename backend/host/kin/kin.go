package kin

import (
	"path/filepath"
	"strings"

	"countersign/backend/tool"
)

// Inside reports whether this program, which was started with environ, runs inside a command
// of ours.
func Inside(environ []string) bool {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, tool.CommandMark+"="); ok && value != "" {
			return true
		}
	}
	return below()
}

// ours reports whether the path of a program is that of one of ours.
func ours(program string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(program), " (deleted)"), ".exe")
	return name == "countersign" || name == "countersign-desktop"
}
