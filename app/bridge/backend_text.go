package bridge

import (
	"context"

	"countersign/backend/change"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func (d *desk) FileText(ctx context.Context, sessionID, path string, hashes []string) ([]byte, int, error) {
	content, which, err := d.Engine.FileText(ctx, sessionID, path, hashes)
	return content, which, absent(err)
}

func (d *desk) Excerpt(ctx context.Context, sessionID, path string, first int64, count int) (tool.Path, change.Excerpt, error) {
	p, lines, err := d.Engine.Excerpt(ctx, sessionID, path, first, count)
	return p, lines, absent(err)
}

func (d *desk) OutputsOf(ctx context.Context, invocationID string) ([]session.Output, error) {
	return d.Store().OutputsOf(ctx, invocationID)
}
