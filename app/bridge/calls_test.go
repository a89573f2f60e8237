package bridge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/session"
)

// spec: KH-48
func TestWhatAProgramPrintsCrossesAsItWasPrinted(t *testing.T) {
	f := &fakeEngine{part: backend.Part{Text: []byte("\x1b[31m<b>red\xff\n"), From: 5, To: 17, Gap: true, More: true, Lost: 3}}
	a := newAPI(t, f)
	got, err := a.CallTail(CallTailRequest{ID: "c1"})
	if err != nil || f.partFrom != -1 {
		t.Fatalf("read from %d: %v", f.partFrom, err)
	}
	want := CallTail{
		Text: "\x1b[31m<b>red\uFFFD\n", From: "5", To: "17", Gap: true, More: true,
		Lost: lostSome,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := a.CallTail(CallTailRequest{ID: "c1", From: "17"}); err != nil || f.partFrom != 17 {
		t.Errorf("read from %d: %v", f.partFrom, err)
	}
	for _, from := range []string{"-1", "x", "1e3", "99999999999999999999"} {
		if _, err := a.CallTail(CallTailRequest{ID: "c1", From: from}); err == nil || !strings.Contains(err.Error(), CodeInvalid) {
			t.Errorf("%q was taken: %v", from, err)
		}
	}
}

func TestOutputThatIsGoneIsSaidWithWhatIsLeft(t *testing.T) {
	for err, want := range map[error]string{
		session.ErrNoOutput:   "Nothing that it printed was kept.",
		backend.ErrOutputGone: "removed to make room",
	} {
		if _, got := newAPI(t, &fakeEngine{err: err}).CallTail(CallTailRequest{ID: "c1"}); got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%v is told as %v", err, got)
		}
	}
}

func TestTheLastLinesOfCallsComeInOrder(t *testing.T) {
	got, err := newAPI(t, &fakeEngine{callLines: map[string]string{"c2": "two\xff", "c1": "one"}}).CallProgress()
	if diff := cmp.Diff([]CallProgress{{"c1", "one"}, {"c2", "two\uFFFD"}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
