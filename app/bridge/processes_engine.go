package bridge

import (
	"context"

	"countersign/backend"
)

func (d *desk) ProcessTail(ctx context.Context, sessionID, id string, from int64) (backend.Managed, backend.Part, error) {
	m, part, err := d.Engine.ProcessTail(ctx, sessionID, id, from)
	return m, part, absent(err)
}

func (d *desk) WriteProcess(ctx context.Context, sessionID, id, text string) error {
	return absent(d.Engine.WriteProcess(ctx, sessionID, id, text))
}

func (d *desk) StopProcess(ctx context.Context, sessionID, id string) error {
	return absent(d.Engine.StopProcess(ctx, sessionID, id))
}
