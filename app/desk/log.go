package desk

import (
	"context"
	"fmt"
	"log/slog"

	"countersign/backend/redact"
)

// discreet is a log handler that hides the secrets of everything that is logged: a cause may
// quote what a system or another program said.
type discreet struct{ next slog.Handler }

func (d discreet) Enabled(ctx context.Context, level slog.Level) bool {
	return d.next.Enabled(ctx, level)
}

func (d discreet) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, redact.Text(r.Message, ""), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(discreetly(a))
		return true
	})
	return d.next.Handle(ctx, out)
}

func (d discreet) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		out[i] = discreetly(a)
	}
	return discreet{d.next.WithAttrs(out)}
}

func (d discreet) WithGroup(name string) slog.Handler { return discreet{d.next.WithGroup(name)} }

// discreetly is an attribute without secrets. One whose own name says that it is a secret
// is hidden whole.
func discreetly(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		inner := v.Group()
		out := make([]slog.Attr, len(inner))
		for i, g := range inner {
			out[i] = discreetly(g)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(out...)}
	case slog.KindString, slog.KindAny:
		text := fmt.Sprint(v.Any())
		copied, _ := redact.Field(a.Key, text, len(text), "")
		return slog.String(a.Key, copied)
	case slog.KindBool, slog.KindDuration, slog.KindFloat64, slog.KindInt64, slog.KindTime, slog.KindUint64, slog.KindLogValuer:
	}
	return a
}
