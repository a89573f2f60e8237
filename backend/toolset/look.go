package toolset

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"countersign/backend/toolset/manifest"
)

// Look says in a short text how the trees look from outside: which directories there are, and
// when the manifest in each was written. Another text means that a scan may find something else.
// It opens no manifest, and of an untrusted workspace looks at nothing.
func Look(trees []Tree, trusted bool) string {
	var b strings.Builder
	for _, tree := range trees {
		if tree.Origin == OriginProject && !trusted {
			continue
		}
		entries, err := os.ReadDir(tree.Tools)
		b.WriteString(strconv.Quote(tree.Tools))
		b.WriteString(strconv.FormatBool(err == nil))
		for _, e := range entries {
			info, err := os.Stat(filepath.Join(tree.Tools, e.Name(), manifest.FileName))
			if err != nil {
				continue
			}
			b.WriteString(strconv.Quote(e.Name()))
			b.WriteString(strconv.FormatInt(info.Size(), 36))
			b.WriteByte(' ')
			b.WriteString(strconv.FormatInt(info.ModTime().UnixNano(), 36))
		}
	}
	return b.String()
}
