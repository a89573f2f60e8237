package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
)

var (
	dot  = session.Image{SHA256: "aa", Mime: "image/gif", Bytes: 35, Width: 1, Height: 1}
	wide = session.Image{SHA256: "bb", Mime: "image/png", Bytes: 90, Width: 20_000, Height: 10}
)

func TestAnImageGoesOnlyWhenNoSessionHasIt(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	make1(t, s, "s2")
	for _, id := range []string{"s1", "s2", "s2"} {
		must(t, s.ClaimImage(t.Context(), id, dot))
	}
	must(t, s.ClaimImage(t.Context(), "s2", wide))
	got, known, err := s.Image(t.Context(), "s2", "bb")
	if d := cmp.Diff(wide, got); d != "" || !known || err != nil {
		t.Error(known, err, d)
	}
	if _, known, err := s.Image(t.Context(), "s1", "bb"); known || err != nil {
		t.Errorf("another session's: %v, %v", known, err)
	}
	if err := s.ClaimImage(t.Context(), "never was", dot); !errors.Is(err, session.ErrNoSession) {
		t.Error(err)
	}
	if forgotten, err := s.ForgetImages(t.Context(), "s2"); forgotten || err != nil {
		t.Errorf("of a live session: %v, %v", forgotten, err)
	}
	if ids, err := s.ImageSessions(t.Context()); err != nil || !cmp.Equal(ids, []string{"s1", "s2"}) {
		t.Errorf("%q, %v", ids, err)
	}
	disown(t, s, "s2")
	if forgotten, err := s.ForgetImages(t.Context(), "s2"); !forgotten || err != nil {
		t.Errorf("of a session that nobody has open: %v, %v", forgotten, err)
	}
	if sums, err := s.ImageSums(t.Context()); err != nil || !cmp.Equal(sums, map[string]bool{"aa": true}) {
		t.Errorf("%v, %v", sums, err)
	}

	var removed []string
	for _, sum := range []string{"aa", "bb", "cc"} {
		yes, err := s.ReleaseImage(t.Context(), sum, func() error { removed = append(removed, sum); return nil })
		if yes != (sum != "aa") || err != nil {
			t.Errorf("%s: %v, %v", sum, yes, err)
		}
	}
	if !cmp.Equal(removed, []string{"bb", "cc"}) {
		t.Errorf("%q", removed)
	}
	own := errors.New("own")
	if yes, err := s.ReleaseImage(t.Context(), "bb", func() error { return own }); yes || !errors.Is(err, own) {
		t.Errorf("%v, %v", yes, err)
	}
}

// What one program claims, another does not let go, and what is being let go is claimed only
// when it is gone.
func TestTwoProgramsAgreeOnImages(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	one, other := at(t, home), at(t, home)
	make1(t, one, "s1")
	letting, claimed := make(chan struct{}), make(chan error, 1)
	yes, err := other.ReleaseImage(t.Context(), "aa", func() error {
		go func() { close(letting); claimed <- one.ClaimImage(t.Context(), "s1", dot) }()
		<-letting
		select {
		case err := <-claimed:
			t.Errorf("claimed while it was removed: %v", err)
		default:
		}
		return nil
	})
	if !yes || err != nil {
		t.Errorf("%v, %v", yes, err)
	}
	must(t, <-claimed)
	if yes, err := other.ReleaseImage(t.Context(), "aa", func() error { t.Error("removed"); return nil }); yes || err != nil {
		t.Errorf("%v, %v", yes, err)
	}
}
