package session_test

import (
	"errors"
	"math"
	"testing"

	"countersign/backend/session"
)

func TestACursorIsReadAsItWasWrittenAndNothingElseIs(t *testing.T) {
	for _, c := range []session.Cursor{{}, {At: 1, Num: 0}, {At: -5, Num: 7}, {At: math.MaxInt64, Num: math.MaxInt64}, {At: math.MinInt64}} {
		got, err := session.ParseCursor(c.String())
		if err != nil || got != c {
			t.Errorf("%+v came back from %q as %+v, %v", c, c.String(), got, err)
		}
	}
	for _, text := range []string{"1", ".", "1.", ".1", "1.-1", "1.1.1", "+1.1", "01.1", " 1.1", "1.1 ", "0.0", "99999999999999999999.1", "x.1", "1.x", "1.1\x00"} {
		if c, err := session.ParseCursor(text); !errors.Is(err, session.ErrCursor) {
			t.Errorf("%q was read as %+v, %v", text, c, err)
		}
	}
}

func TestCursorsAreOrderedByTimeAndThenByNumber(t *testing.T) {
	order := []session.Cursor{{At: math.MinInt64}, {At: -1, Num: 9}, {}, {Num: 1}, {At: 1}, {At: math.MaxInt64}, {At: math.MaxInt64, Num: math.MaxInt64}}
	for i, a := range order {
		for j, b := range order {
			if got, want := a.Compare(b), min(1, max(-1, i-j)); got != want {
				t.Errorf("%+v to %+v is %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestOnlyTheListedEndingsAndDecidersAreKnown(t *testing.T) {
	for _, e := range session.Endings() {
		if !e.Known() {
			t.Errorf("%s is not known", e)
		}
	}
	for _, d := range session.Deciders() {
		if !d.Known() {
			t.Errorf("%s is not known", d)
		}
	}
	if session.Ending("").Known() || session.Ending("proposed").Known() || session.Decider("policy").Known() {
		t.Error("a value of a record counts as one of the history")
	}
}
