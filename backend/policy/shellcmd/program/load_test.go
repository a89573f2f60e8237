package program

import "testing"

func TestTheTableHolds(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
}
