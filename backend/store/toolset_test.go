package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/shelf"
	"countersign/backend/toolset"
)

// What was let in of a set stays until a person lets something else in: a second sight of it
// changes nothing, in this program or the next.
func TestWhatWasLetInOfAToolSetStaysUntilAPersonSaysOtherwise(t *testing.T) {
	home := t.TempDir()
	first := shelf.Accepted{
		Path: "/h/tools/x", Origin: toolset.OriginHome, Directory: "x", Fingerprint: "f1", By: shelf.BySight, At: now,
		Print: toolset.Print{Manifest: []byte("{\xff}"), Programs: []toolset.Program{{Name: "run", Path: "/h/tools/x/run", SHA256: "aa"}, {Name: "nowhere"}}},
	}
	other := first
	other.Fingerprint, other.By, other.At, other.Print = "f2", shelf.ByPerson, now.Add(time.Hour), toolset.Print{Manifest: []byte("{}")}
	s := at(t, home)
	if _, found, err := s.Accepted(t.Context(), first.Path); found || err != nil {
		t.Errorf("before anything: %v, %v", found, err)
	}
	for _, sight := range []shelf.Accepted{first, other} {
		if got, err := s.Sight(t.Context(), sight); err != nil || !cmp.Equal(got, first) {
			t.Errorf("%v\n%s", err, cmp.Diff(first, got))
		}
	}
	if at, err := s.LastAnswer(t.Context()); err != nil || !at.IsZero() {
		t.Errorf("nobody answered: %v, %v", at, err)
	}
	if err := s.Accept(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if at, err := s.LastAnswer(t.Context()); err != nil || !at.Equal(other.At) {
		t.Errorf("answered at %v, %v", at, err)
	}
	for range 2 {
		got, found, err := s.Accepted(t.Context(), first.Path)
		if err != nil || !found || !cmp.Equal(got, other) {
			t.Errorf("%v, %v\n%s", found, err, cmp.Diff(other, got))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = at(t, home)
	}
	if _, found, err := s.Accepted(t.Context(), "/elsewhere/tools/x"); found || err != nil {
		t.Errorf("another directory: %v, %v", found, err)
	}
}
