package guard

import (
	"context"
	"strings"

	"countersign/backend/tool"
)

// suggestions is how many paths a miss may suggest.
const suggestions = 3

// Missing says that nothing stands at p, and what may have been meant.
func Missing(ctx context.Context, files tool.Files, p tool.Path) error {
	text := "File not found: " + p.Shown() + "."
	if meant, ok := confused(files, p); ok {
		text += " Maybe you meant " + meant + "?"
	} else {
		similar, err := files.Similar(ctx, p, suggestions)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// A search that failed has nothing to suggest; the file is missing all the same.
		if err == nil && len(similar) > 0 {
			for i := range similar {
				similar[i] = tool.ShowPath(similar[i])
			}
			text += " Did you mean one of these? " + strings.Join(similar, ", ")
		}
	}
	return tool.Errorf(tool.CodeFileNotFound, "nothing stands at the path").WithText(text)
}

// confused finds the file of the workspace that a path means which starts with a
// slash too many, or with the name of the workspace itself.
func confused(files tool.Files, p tool.Path) (string, bool) {
	rest := strings.TrimLeft(p.Arg, "/")
	if rest == p.Arg {
		root := files.Root()
		name := root[strings.LastIndexAny(root, `/\`)+1:]
		var ok bool
		if rest, ok = strings.CutPrefix(p.Arg, name+"/"); !ok {
			return "", false
		}
	}
	if rest == "" {
		return "", false
	}
	meant, err := files.Resolve(rest)
	if err != nil || meant.Zone != tool.ZoneWorkspace || meant.Real == p.Real {
		return "", false
	}
	return meant.Shown(), meant.Kind == tool.KindFile || meant.Kind == tool.KindDirectory
}
