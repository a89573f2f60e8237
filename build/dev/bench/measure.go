package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"countersign/backend/registry/registrybench"
	"countersign/backend/store/storebench"
)

const (
	goalDispatch       = 4 * time.Microsecond
	goalDispatchAllocs = 30
)

func dispatch(context.Context) ([]row, error) {
	f, err := registrybench.Dispatch()
	if err != nil {
		return nil, err
	}
	bare := reading()
	return []row{
		{
			what: "dispatch of a call, without a store", figure: f.PerCall.String(),
			limit: bare.String() + " to read, write and hash its JSON", ratio: float64(f.PerCall) / float64(bare),
			goal: "under " + goalDispatch.String(), held: holds(f.PerCall < goalDispatch),
		},
		{
			what: "allocations of a dispatch", figure: fmt.Sprintf("%d (%d bytes)", f.Allocs, f.Bytes), limit: "-",
			goal: fmt.Sprintf("at most %d", goalDispatchAllocs), held: holds(f.Allocs <= goalDispatchAllocs),
		},
	}, nil
}

// reading is the least that any dispatch has to do: read the arguments, write them in
// canonical form and hash that, with the standard library.
func reading() time.Duration {
	arguments := []byte(`{"expression": "17 * 23"}`)
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			var parsed any
			if err := json.Unmarshal(arguments, &parsed); err != nil {
				b.Fatal(err)
			}
			written, err := json.Marshal(parsed)
			if err != nil {
				b.Fatal(err)
			}
			_ = sha256.Sum256(written)
		}
	})
	return time.Duration(result.NsPerOp())
}

// scratch makes an empty folder on the disk of the checkout: a temporary folder in memory would
// have nothing to sync.
func scratch() (dir string, remove func(), err error) {
	if err := os.MkdirAll("build/bin", 0o755); err != nil {
		return "", nil, err
	}
	dir, err = os.MkdirTemp("build/bin", "bench-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

func appends(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	a, err := storebench.MeasureAppends(ctx, dir, storebench.Load{})
	if err != nil {
		return nil, err
	}
	return []row{
		{
			what: "one durable append", figure: a.Single.String(),
			limit: fmt.Sprintf("%s to write %d bytes over old ones, with fsync", a.Sync, storebench.WriteBytes), ratio: a.SingleRatio,
			goal: fmt.Sprintf("at most %.2f times", storebench.GoalSingle), held: holds(a.SingleRatio <= storebench.GoalSingle),
		},
		{
			what: "one durable append", figure: a.Single.String(),
			limit: a.Growing.String() + " to append 4096 bytes to a file that grows, with fsync", ratio: a.GrowingRatio, goal: "-", held: noGoal,
		},
		{
			what:   fmt.Sprintf("durable appends of %d writers, %d sessions", a.Writers, a.Sessions),
			figure: fmt.Sprintf("%.0f a second", a.Rate), limit: fmt.Sprintf("%.0f such writes with fsync a second", a.SyncRate), ratio: a.RateRatio,
			goal: fmt.Sprintf("at least %.0f times", storebench.GoalWriters), held: holds(a.RateRatio >= storebench.GoalWriters),
		},
	}, nil
}

func pages(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	p, err := storebench.MeasurePages(ctx, dir, storebench.Load{})
	if err != nil {
		return nil, err
	}
	return []row{{
		what: fmt.Sprintf("a page of 100 in %d events", p.Events), figure: p.Page.String(), limit: p.Bare.String() + " for a bare keyset query",
		ratio: p.Ratio, goal: fmt.Sprintf("at most %.1f times", storebench.GoalPage), held: holds(p.Ratio <= storebench.GoalPage),
	}}, nil
}

func history(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	h, err := storebench.MeasureHistory(ctx, dir, storebench.Load{})
	if err != nil {
		return nil, err
	}
	return []row{
		{
			what: fmt.Sprintf("a filtered page of 100 calls in %d events", h.Events), figure: h.Page.String(),
			limit: h.Bare.String() + " for a bare keyset query of the same calls", ratio: h.Ratio,
			goal: fmt.Sprintf("at most %.1f times", storebench.GoalHistory), held: holds(h.Ratio <= storebench.GoalHistory),
		},
		{
			what: fmt.Sprintf("a filtered page that finds nothing in %d events", h.Events), figure: h.Rare.String(), limit: "-", goal: "-", held: noGoal,
		},
	}, nil
}
