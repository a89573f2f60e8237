package approvaltest_test

import (
	"testing"

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
		}
	})
}
