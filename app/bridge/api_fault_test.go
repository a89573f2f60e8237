package bridge

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"
)

type handClock struct{ now time.Time }

func (c *handClock) Now() time.Time { return c.now }

// faultAPI returns an API with a clock that is set by hand, and what it logs.
func faultAPI(t *testing.T) (*API, *handClock, *bytes.Buffer) {
	t.Helper()
	a := newAPI(t, &fakeEngine{})
	clock, log := &handClock{now: noon}, &bytes.Buffer{}
	a.clock, a.log = clock, slog.New(slog.NewTextHandler(log, nil))
	return a, clock, log
}

func TestAFaultOfThePageIsOneLineOfTheLog(t *testing.T) {
	a, _, log := faultAPI(t)
	fault := PageFault{Where: "desk", Message: "first\nlevel=ERROR msg=\"forged\" \x1b[2J\u202e", Stack: "at draw"}
	if err := a.ReportFault(fault); err != nil {
		t.Fatal(err)
	}
	got := log.String()
	if strings.Count(got, "\n") != 1 || !strings.Contains(got, `msg="page fault" where=desk message="first\nlevel=ERROR`) {
		t.Errorf("got %s", got)
	}
	if strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("a terminal would obey %q", got)
	}
}

func TestAFaultOfThePageIsCutBetweenCharacters(t *testing.T) {
	a, _, log := faultAPI(t)
	long := strings.Repeat("é", 200_000)
	if err := a.ReportFault(PageFault{Where: long, Message: long, Stack: "x" + long}); err != nil {
		t.Fatal(err)
	}
	if got := log.Len(); got > maxFaultWhere+maxFaultMessage+maxFaultStack+200 {
		t.Errorf("%d bytes of log", got)
	}
	if strings.ContainsRune(log.String(), '\uFFFD') {
		t.Error("cut inside a character")
	}
}

func TestAStormOfFaultsIsCountedAndNotWritten(t *testing.T) {
	a, clock, log := faultAPI(t)
	for range 5_000 {
		if err := a.ReportFault(PageFault{Where: "desk", Message: "again"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(log.String(), "page fault"); got != maxFaults {
		t.Errorf("%d lines", got)
	}
	clock.now = noon.Add(faultWindow)
	if err := a.ReportFault(PageFault{Where: "desk", Message: "later"}); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, `msg="page faults left out" count=4990`) || !strings.Contains(got, "message=later") {
		t.Errorf("got %s", got[max(0, len(got)-300):])
	}
	// A clock that was set back opens a window of its own.
	clock.now = noon.Add(-time.Hour)
	log.Reset()
	if err := a.ReportFault(PageFault{Message: "back"}); err != nil || !strings.Contains(log.String(), "message=back") {
		t.Errorf("got %s, %v", log, err)
	}
}

func TestAFaultOfThePageOverTheWire(t *testing.T) {
	a, _, log := faultAPI(t)
	got := string(Dispatch(a, []byte(`{"id":"1","method":"ReportFault","params":[{"where":"page","message":"m","stack":""}]}`)))
	if got != `{"id":"1","result":null}` || !strings.Contains(log.String(), "message=m") || !json.Valid([]byte(got)) {
		t.Errorf("got %s, log %s", got, log)
	}
}
