//go:build linux

package processbench

import "testing"

// The figures are for the developers' command; the measurements fail by themselves when
// what is timed was not done.
func TestMeasurementsDoTheWorkThatTheyTime(t *testing.T) {
	f, err := Measure(t.Context(), t.TempDir(), Load{Spawns: 3, Pipes: 4 << 20, Terminal: 1 << 20, Rounds: 2, Tree: 5, Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]int64{
		"spawn": int64(f.Spawn), "pipes": int64(f.SpawnPipes), "fork": int64(f.Fork), "through pipes": int64(f.Pipes), "file": int64(f.File), "copy": int64(f.Copy), "thrown": int64(f.Thrown),
		"memory": f.Used, "terminal": int64(f.Terminal), "bare": int64(f.Bare), "kill": int64(f.Kill), "signal": int64(f.Signal),
	} {
		if d <= 0 {
			t.Errorf("%s was not measured", name)
		}
	}
}
