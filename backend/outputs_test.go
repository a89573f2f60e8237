package backend

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/backend/lines"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// later is a clock that a test moves on.
type later struct{ by time.Duration }

func (l *later) Now() time.Time { return time.Now().UTC().Add(l.by) }

// openAt opens a desk whose sessions together may keep some bytes.
func (p place) openAt(t *testing.T, clock tool.Clock, outputCap int64) *Engine {
	t.Helper()
	return p.start(t, func(o *Options) { o.Clock, o.OutputCap = clock, outputCap })
}

// printed ends a call of a session that printed a text, and returns the text's name.
func printed(t *testing.T, e *Engine, sessionID, id, text string) string {
	t.Helper()
	path, size, err := e.spill.For(sessionID, id).Spill(t.Context(), "bash", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().UTC()
	inv := session.Invocation{ID: id, SessionID: sessionID, Attempt: 1, ToolID: "bash", OriginTrust: tool.TrustUser, ProposedAt: at}
	err = e.store.Propose(t.Context(), inv)
	inv.Status, inv.EndedAt = tool.StatusSucceeded, &at
	err = errors.Join(err, e.store.Finish(t.Context(), inv, nil, []session.Output{
		{SessionID: sessionID, InvocationID: id, Path: path, Bytes: size, CreatedAt: at},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(path)
}

// content reads a text as somebody who saves it does, "" for one that is gone.
func content(t *testing.T, e *Engine, sessionID, name string) string {
	t.Helper()
	var got []byte
	err := e.CopyOutput(t.Context(), sessionID, name, func(text io.Reader, size int64) error {
		var err error
		got, err = io.ReadAll(text)
		if int64(len(got)) != size {
			t.Errorf("%d bytes, said to be %d", len(got), size)
		}
		return err
	})
	if err != nil && !errors.Is(err, ErrOutputGone) {
		t.Fatal(err)
	}
	return string(got)
}

// spec: KH-17
func TestRoomIsMadeOfSessionsThatNobodyHasOpen(t *testing.T) {
	p := newPlace(t)
	e := p.openAt(t, &later{}, 0)
	old := p.session(t, e, "old", true)
	p.session(t, e, "live", true)
	name := printed(t, e, "old", "c1", "text of the old one\n")
	other := printed(t, e, "live", "c2", "text of the live one\n")
	old.Close()
	gone, err := e.removeOldest(t.Context(), 1)
	if err != nil || len(gone) != 1 || gone[0].Session != "old" {
		t.Errorf("%+v, %v", gone, err)
	}
	o, err := e.Output(t.Context(), "old", name)
	if err != nil || !o.Gone || o.Row.RemovedAt == nil || content(t, e, "old", name) != "" {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := e.OutputFolder(t.Context(), "old", name); !errors.Is(err, ErrOutputGone) {
		t.Error(err)
	}
	if got := content(t, e, "live", other); got != "text of the live one\n" {
		t.Errorf("%q", got)
	}
	p.close(t, e)

	// A program that begins makes room of what nobody has open any more.
	e = p.openAt(t, &later{}, 1)
	e.makeRoom(t.Context())
	if o, err := e.Output(t.Context(), "live", other); err != nil || !o.Gone {
		t.Errorf("%+v, %v", o, err)
	}
	p.close(t, e)
}

func TestWhatIsKeptIsReadAfterItsSessionLostIt(t *testing.T) {
	p := newPlace(t)
	clock := &later{}
	e := p.openAt(t, clock, 0)
	s := p.session(t, e, "s", true)
	name := printed(t, e, "s", "c1", "one\ntwo\nthree")
	other := printed(t, e, "s", "c2", "other")
	a, err := e.KeepOutput(t.Context(), "s", name)
	if err != nil || a.Bytes != 13 || a.Name != name || a.ExpiresAt.Sub(a.CreatedAt) != 30*24*time.Hour {
		t.Fatalf("%+v, %v", a, err)
	}
	s.Close()
	if gone, err := e.removeOldest(t.Context(), 0); err != nil || len(gone) != 1 {
		t.Fatalf("%+v, %v", gone, err)
	}
	if content(t, e, "s", other) != "" || content(t, e, "s", name) != "one\ntwo\nthree" {
		t.Errorf("%q, %q", content(t, e, "s", other), content(t, e, "s", name))
	}
	o, err := e.Output(t.Context(), "s", name)
	if err != nil || o.Gone || o.Kept == nil || o.Kept.SHA256 != a.SHA256 {
		t.Errorf("%+v, %v", o, err)
	}
	e.expireKept(t.Context())
	if content(t, e, "s", name) == "" {
		t.Error("gone before its time")
	}
	p.close(t, e)

	clock.by = 30*24*time.Hour + time.Second
	e = p.openAt(t, clock, 0)
	e.expireKept(t.Context())
	if o, err := e.Output(t.Context(), "s", name); err != nil || !o.Gone || o.Kept != nil {
		t.Errorf("%+v, %v", o, err)
	}
	if left, err := os.ReadDir(e.Paths().ArtifactDir()); err != nil || len(left) != 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
	p.close(t, e)
}

// spec: KH-20
func TestATextIsReadWhileItGrows(t *testing.T) {
	p := newPlace(t)
	e := p.openAt(t, &later{}, 0)
	p.session(t, e, "s", true)
	name := printed(t, e, "s", "c1", "one\n")
	if o, err := e.Output(t.Context(), "s", name); err != nil || o.State.Bytes != 4 {
		t.Fatalf("%+v, %v", o, err)
	}
	folder, err := e.OutputFolder(t.Context(), "s", name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("two\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	err = e.ReadOutput(t.Context(), "s", name, func(v *lines.Text) error {
		got, err := v.Window(t.Context(), 2, 10)
		if len(got) != 1 || string(got[0].Text) != "two" {
			t.Errorf("%+v", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for _, q := range [][2]string{{"s", "../s/" + name}, {"s", "config.json"}, {"other", name}, {"s", ""}} {
		if err := e.ReadOutput(t.Context(), q[0], q[1], func(*lines.Text) error { return nil }); !errors.Is(err, session.ErrNoOutput) {
			t.Errorf("%v: %v", q, err)
		}
	}
	p.close(t, e)
}

func TestFewTextsStayOpen(t *testing.T) {
	p := newPlace(t)
	e := p.openAt(t, &later{}, 0)
	p.session(t, e, "s", true)
	for _, id := range strings.Split("abcdefghijklmnopqrst", "") {
		name := printed(t, e, "s", id, "text "+id)
		if got := content(t, e, "s", name); got != "text "+id {
			t.Errorf("%q", got)
		}
	}
	e.reading.mu.Lock()
	n := len(e.reading.open)
	e.reading.mu.Unlock()
	if n != maxReading {
		t.Errorf("%d are open", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.KeepOutput(ctx, "s", "bash-a.txt"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.close(t, e)
}
