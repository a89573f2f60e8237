package storebench_test

import (
	"os"
	"path/filepath"
	"testing"

	"countersign/backend/store/storebench"
)

// The figures are for the developers' command; here it counts that every append and
// every page that is paid for was made.
func TestMeasurementsDoTheWorkThatTheyTime(t *testing.T) {
	load := storebench.Load{Writers: 8, Sessions: 2, Rounds: 2, Each: 5, Events: 1000, Pages: 10}
	dir := t.TempDir()
	a, err := storebench.MeasureAppends(t.Context(), dir, load)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "plain"))
	if err != nil || info.Size() != 2*5*4096 {
		t.Errorf("the plain file was not appended to as often as it was timed: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "again")); err != nil || info.Size() != 5*storebench.WriteBytes {
		t.Errorf("the file that is written over has grown: %v", err)
	}
	if a.Growing <= 0 || a.GrowingRatio <= 0 {
		t.Errorf("appends: %+v", a)
	}
	if a.Writers != 8 || a.Sessions != 2 || a.Sync <= 0 || a.Single <= 0 || a.SingleRatio <= 0 || a.Rate <= 0 || a.SyncRate <= 0 || a.RateRatio <= 0 {
		t.Errorf("appends: %+v", a)
	}
	p, err := storebench.MeasurePages(t.Context(), t.TempDir(), load)
	if err != nil {
		t.Fatal(err)
	}
	if p.Events != 1000 || p.Bare <= 0 || p.Page <= 0 || p.Ratio <= 0 {
		t.Errorf("pages: %+v", p)
	}
}

func TestHistoryIsMeasuredOnCallsThatAreThere(t *testing.T) {
	h, err := storebench.MeasureHistory(t.Context(), t.TempDir(), storebench.Load{Events: 50_000, Pages: 3})
	if err != nil {
		t.Fatal(err)
	}
	if h.Calls != 10_000 || h.Events != 50_000 || h.Bare <= 0 || h.Page <= 0 || h.Ratio <= 0 || h.Rare <= 0 {
		t.Errorf("history: %+v", h)
	}
}
