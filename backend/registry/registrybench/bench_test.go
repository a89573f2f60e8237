package registrybench

import "testing"

func TestDispatchIsMeasured(t *testing.T) {
	f, err := Dispatch()
	if err != nil || f.PerCall <= 0 {
		t.Fatalf("got %+v, %v", f, err)
	}
	t.Logf("%+v", f)
}
