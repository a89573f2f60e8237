package approvaltest_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"countersign/backend/approval/approvaltest"
	"countersign/backend/event"
	"countersign/backend/session"
)

func TestLedgerKeepsTheContract(t *testing.T) {
	approvaltest.RunLedger(t, func(*testing.T) approvaltest.Subject {
		l := approvaltest.NewLedger()
		return approvaltest.Subject{
			Ledger:     l,
			Invocation: func(_ *testing.T, _, id string) { l.SetState(id, session.StateProposed) },
			End:        func(_ *testing.T, id string) { l.SetState(id, session.StateCancelled) },
			State:      func(_ *testing.T, id string) session.State { return l.State(id) },
			Events:     func(_ *testing.T, id string) []event.Event { return l.Events(id) },
			Use:        func(_ *testing.T, _ string, at time.Time, grants ...string) bool { return l.Use(grants, at) },
		}
	})
}

// A field that the sample leaves empty would be one that no ledger must keep.
func TestSampleFillsEveryField(t *testing.T) {
	v := reflect.ValueOf(approvaltest.Asked("a1", "s1", "i1"))
	// These come later in the life of a request; the suite checks them.
	later := []string{"CallerLeft", "LeftWhy", "Resolution", "Keep", "Words", "ResolvedAt", "ResolvedBy", "Reason", "Voided", "BatchID", "Consumed"}
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(later, name) {
			t.Errorf("%s is empty", name)
		}
	}
}
