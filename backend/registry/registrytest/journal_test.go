package registrytest_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"countersign/backend/event"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestJournalKeepsTheContract(t *testing.T) {
	registrytest.RunJournal(t, func(t *testing.T) registrytest.Subject {
		j := registrytest.NewJournal()
		return registrytest.Subject{
			Journal: j,
			Session: func(_ *testing.T, id string) { j.SetWorkspace(id, registrytest.Workspace) },
			Disown:  func(_ *testing.T, id string) { j.Disown(id) },
			Invocation: func(t *testing.T, id string) session.Invocation {
				inv, ok := j.Invocation(id)
				if !ok {
					t.Fatalf("no invocation %s", id)
				}
				return inv
			},
			Events: func(_ *testing.T, id string) []event.Event { return j.Events(id) },
		}
	})
}

func TestFailMakesAMethodFailUntilMended(t *testing.T) {
	j, broken := registrytest.NewJournal(), errors.New("broken")
	j.Fail("Propose", broken)
	if err := j.Propose(t.Context(), registrytest.Proposed("i1")); !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
	if _, there := j.Invocation("i1"); there {
		t.Fatal("a failed method stored something")
	}
	j.Fail("Propose", nil)
	if err := j.Propose(t.Context(), registrytest.Proposed("i1")); err != nil {
		t.Fatal(err)
	}
}

// A field that the sample leaves empty would be one that no journal must keep.
func TestSampleFillsEveryField(t *testing.T) {
	inv := registrytest.Finished(registrytest.Authorized(registrytest.Proposed("i1")), tool.StatusFailed)
	v := reflect.ValueOf(inv)
	// The journal sets the times itself, which the suite checks. Grants are no part of the
	// record, since DecidedBy names them, Answered is told in the record of decisions, and Hidden is
	// what a copy of it says.
	journals := []string{"StartedAt", "EffectSentAt", "Grants", "Answered", "Hidden"}
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(journals, name) {
			t.Errorf("%s is empty", name)
		}
	}
}
