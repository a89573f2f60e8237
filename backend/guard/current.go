package guard

import (
	"context"
	"io/fs"
	"slices"

	"countersign/backend/change"
	"countersign/backend/tool"
)

// Judged resolves the one path of a call again. What stood there when the call was
// judged may be hours old, so a path that leads elsewhere now is refused.
func Judged(env tool.Env) (tool.Path, error) {
	paths := env.Target.Arguments()
	if len(paths) != 1 {
		return tool.Path{}, tool.Errorf(tool.CodeExecutionFailed, "one path expected, %d given", len(paths))
	}
	judged := paths[0].Path
	path, err := env.Host.Files.Resolve(judged.Arg)
	if err != nil {
		return tool.Path{}, err
	}
	if path.Real != judged.Real {
		return tool.Path{}, tool.Errorf(tool.CodePolicyPathMoved, "the path leads elsewhere than it did")
	}
	return path, nil
}

// Trust is what a result that holds text from p is worth: less than the tool itself
// outside the workspace, where nobody vouches for a file; "" leaves it at that of the tool.
func Trust(p tool.Path) tool.Trust {
	if p.Zone == tool.ZoneWorkspace {
		return ""
	}
	return tool.TrustExternalUntrusted
}

// Current reads the file that would be changed, nil when there is none, and checks
// that it is what the session read and what a person was shown. It keeps the content
// when it is at most keep bytes.
func Current(ctx context.Context, env tool.Env, p tool.Path, keep int64) (*change.File, fs.FileMode, error) {
	i := slices.IndexFunc(env.Pins, func(pin tool.Pin) bool { return pin.Path.Real == p.Real })
	pinned := i >= 0
	if p.Kind == tool.KindAbsent {
		if pinned && env.Pins[i].SHA256 != "" {
			return nil, 0, stale(tool.Errorf(tool.CodeStale, "the file of the preview is gone"), p)
		}
		return nil, 0, nil
	}
	if pinned && env.Pins[i].SHA256 == "" {
		return nil, 0, stale(tool.Errorf(tool.CodeStale, "a file came where the preview had none"), p)
	}
	stamp, read := env.Stamps.Get(p.Real)
	// What may not be looked at cannot be read either, so the system's refusal comes first.
	if !read && p.Kind != tool.KindOther {
		return nil, 0, notRead(p)
	}
	f, info, err := env.Host.Files.Open(ctx, p)
	if err != nil {
		return nil, 0, Explain(err, p)
	}
	defer f.Close()
	if !read {
		return nil, 0, notRead(p)
	}
	old, err := change.Scan(ctx, f, keep)
	if err != nil {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		return nil, 0, Explain(tool.Errorf(tool.CodeIO, "read file: %w", err), p)
	}
	if old.SHA256 != stamp.SHA256 || pinned && old.SHA256 != env.Pins[i].SHA256 {
		return nil, 0, stale(tool.Errorf(tool.CodeStale, "the file has other content"), p)
	}
	return &old, info.Mode, nil
}
