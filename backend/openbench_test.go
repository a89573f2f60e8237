package backend

import (
	"log/slog"
	"testing"

	"countersign/backend/config"
	"countersign/backend/host/clock"
)

// BenchmarkOpen is a start at a home that there is.
func BenchmarkOpen(b *testing.B) {
	paths, err := config.Locate(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	open := func() *Engine {
		e, err := Open(b.Context(), Options{Paths: paths, Clock: clock.System(), Desk: true, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		return e
	}
	end := func(e *Engine) {
		if err := e.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	end(open())
	b.ReportAllocs()
	for b.Loop() {
		e := open()
		b.StopTimer()
		end(e)
		b.StartTimer()
	}
}
