package storebench_test

import (
	"testing"

	"countersign/backend/store/storebench"
)

func TestMeasurementsRunThrough(t *testing.T) {
	for _, over := range []int{1, 8, 64} {
		a, err := storebench.MeasureAppends(t.Context(), t.TempDir(), 64, over)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", a)
	}
	p, err := storebench.MeasurePages(t.Context(), t.TempDir(), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", p)
}
