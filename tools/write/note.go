package write

import (
	"bytes"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"countersign/backend/change"
	"countersign/backend/tool"
)

// note is what the operator's rules say of a new file in the workspace that does
// not begin as they want, each on a line of its own.
func (p plan) note(rules []tool.ResultNote) string {
	if p.path.Zone != tool.ZoneWorkspace {
		return ""
	}
	begin := bytes.TrimPrefix(p.content, []byte(change.BOM))
	var b strings.Builder
	for _, r := range rules {
		if fits, err := doublestar.Match(r.Glob, p.path.Rel); err == nil && fits && !bytes.HasPrefix(begin, []byte(r.MustStartWith)) {
			b.WriteString("\n" + r.Note)
		}
	}
	return b.String()
}
