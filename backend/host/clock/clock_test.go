package clock_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/host/clock"

	"github.com/google/uuid"
)

func TestSystemClockSpeaksUTCAndMovesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.System()
		before := c.Now()
		time.Sleep(time.Minute)
		after := c.Now()
		if before.Location() != time.UTC || after.Sub(before) != time.Minute {
			t.Errorf("from %v to %v", before, after)
		}
	})
}

// spec: VB-34
func TestFixedClockStandsStill(t *testing.T) {
	c, err := clock.At("2026-07-25T15:03:11+02:00")
	if err != nil {
		t.Fatal(err)
	}
	want := time.Date(2026, 7, 25, 13, 3, 11, 0, time.UTC)
	if a, b := c.Now(), c.Now(); a != want || b != want {
		t.Errorf("%v then %v, want %v", a, b, want)
	}
}

func TestClockTextThatIsNoTimeIsRefusedWithoutEcho(t *testing.T) {
	_, err := clock.At("s3cret")
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("error %v", err)
	}
}

func TestClockTextLeftOutMeansTheMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := clock.At("")
		if err != nil || !c.Now().Equal(time.Now()) {
			t.Errorf("%v, %v", c, err)
		}
	})
}

func TestIDsAreVersionSevenOfTheGivenTime(t *testing.T) {
	at := time.Date(2026, 7, 25, 13, 3, 11, 250e6, time.UTC)
	id, err := clock.NewIDs(clock.Fixed(at), bytes.NewReader(bytes.Repeat([]byte{0xff}, 10))).New()
	if err != nil {
		t.Fatal(err)
	}
	u, err := uuid.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	if u.Version() != 7 || u.Variant() != uuid.RFC4122 {
		t.Errorf("%s: version %d, variant %v", id, u.Version(), u.Variant())
	}
	sec, nsec := u.Time().UnixTime()
	if got := time.Unix(sec, nsec).UTC(); !got.Equal(at) {
		t.Errorf("time in id %v, want %v", got, at)
	}
	if id != strings.ToLower(id) || len(id) != 36 {
		t.Errorf("id %q is not plain lower-case text", id)
	}
}

func TestIDsRiseUnderAClockThatStandsStill(t *testing.T) {
	g := clock.NewIDs(clock.Fixed(time.Unix(1_000_000, 0)), clock.Random())
	last := ""
	for range 10_000 {
		id, err := g.New()
		if err != nil {
			t.Fatal(err)
		}
		if id <= last {
			t.Fatalf("%s does not rise above %s", id, last)
		}
		last = id
	}
}

func TestIDsAreUniqueAcrossGoroutines(t *testing.T) {
	g := clock.NewIDs(clock.System(), clock.Random())
	all := make([][]string, 8)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			for range 1000 {
				id, err := g.New()
				if err != nil {
					t.Error(err)
					return
				}
				all[i] = append(all[i], id)
			}
		})
	}
	wg.Wait()
	ids := slices.Concat(all...)
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != 8000 {
		t.Errorf("%d different ids of 8000", n)
	}
}

func TestNothingIsMadeWithoutChance(t *testing.T) {
	broken := errors.New("no entropy")
	r := readerFunc(func([]byte) (int, error) { return 0, broken })
	if id, err := clock.NewIDs(clock.System(), r).New(); !errors.Is(err, broken) || id != "" {
		t.Errorf("id %q, %v", id, err)
	}
	if tok, err := clock.Token(r, 16); !errors.Is(err, broken) || tok != "" {
		t.Errorf("token %q, %v", tok, err)
	}
}

func TestTokenHoldsTheBytesAsked(t *testing.T) {
	tok, err := clock.Token(bytes.NewReader([]byte{0xfb, 0xff, 0xfe}), 3)
	if err != nil || tok != "-__-" {
		t.Errorf("token %q, %v", tok, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
