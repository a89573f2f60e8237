package backend

import "context"

// versions keeps what a session's files held before it changed them.
type versions struct {
	engine  *Engine
	session string
}

// Keep keeps content as the newest version of the file at a real path.
func (v versions) Keep(ctx context.Context, real string, content []byte) {
	if err := v.engine.spill.KeepVersion(ctx, v.session, real, content); err != nil && ctx.Err() == nil {
		v.engine.options.Log.Warn("a version of a file was not kept", "session", v.session, "cause", err)
	}
}
