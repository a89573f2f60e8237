package backend

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

// spec: KH-17
func TestACallGoesOnWhenTheDiskIsFullAndSaysWhatWasNotKept(t *testing.T) {
	p := newPlace(t)
	if err := os.MkdirAll(p.home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", p.home, "tmpfs", 0, "size=32m"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.home, syscall.MNT_DETACH) })
	e := p.openAt(t, &later{}, 0)
	defer p.close(t, e)
	s := p.session(t, e, "s", true)
	events, cancel := e.Subscribe()
	defer cancel()
	for range 2 {
		done := make(chan tool.Outcome, 1)
		go func() {
			done <- s.Call(t.Context(), tool.Call{Name: "bash", Arguments: []byte(`{"command":"yes 'a line that is printed again and again' | head -c 60000000; echo the end"}`)}, nil)
		}()
		answerCard(t, e, next(t, events, event.ApprovalRequested).Ref, approval.AllowOnce, "")
		o := <-done
		text := said(o)
		if o.Status != tool.StatusSucceeded || !strings.Contains(text, "could not be kept") || !strings.Contains(text, "the end") {
			t.Errorf("%s %s: ends with %q", o.Status, o.ReasonCode, text[max(0, len(text)-300):])
		}
	}
	rows, err := e.store.Outputs(t.Context(), "s")
	if err != nil || len(rows) == 0 || rows[0].Lost < 25_000_000 || rows[0].Bytes < 20_000_000 {
		t.Errorf("%+v, %v", rows, err)
	}
}
