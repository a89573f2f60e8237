package backend

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/backend/media"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// dot is a GIF of one pixel, which tells two apart by what follows it.
const dot = "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

func (p place) openWith(t *testing.T, imageCap int64) *Engine {
	t.Helper()
	return p.start(t, func(o *Options) { o.ImageCap, o.Desk = imageCap, false })
}

// kept has a session keep an image.
func kept(s *Session, text string) (string, error) {
	return s.context.Host.Media.Keep(context.Background(), "image/gif", strings.NewReader(text))
}

func mustKeep(t *testing.T, s *Session, text string) string {
	t.Helper()
	handle, err := kept(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return handle
}

// shows reports whether a session's image can be read.
func shows(t *testing.T, e *Engine, sessionID, handle string) bool {
	t.Helper()
	i, err := e.Image(t.Context(), sessionID, handle)
	if err != nil {
		t.Fatal(err)
	}
	sum, _ := media.ParseHandle(handle)
	data, _, err := e.ReadImage(t.Context(), sum)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if !i.Gone && err != nil {
		t.Errorf("told of, and not there: %v", err)
	}
	return !i.Gone && len(data) > 0
}

func TestImagesOfResultsOutliveTheProgram(t *testing.T) {
	p := newPlace(t)
	e := p.openWith(t, 0)
	s := p.session(t, e, "s", true)
	handle := mustKeep(t, s, dot)
	if want := media.Handle(media.Sum([]byte(dot))); handle != want {
		t.Errorf("%q", handle)
	}
	at := time.Now().UTC()
	inv := session.Invocation{ID: "c1", SessionID: "s", Attempt: 1, ToolID: "x", OriginTrust: tool.TrustUser, ProposedAt: at}
	err := e.store.Propose(t.Context(), inv)
	inv.Status, inv.EndedAt = tool.StatusSucceeded, &at
	inv.Content = []tool.Part{{Type: tool.PartImage, Mime: "image/gif", Handle: handle}}
	if err = errors.Join(err, e.store.Finish(t.Context(), inv, nil, nil)); err != nil {
		t.Fatal(err)
	}
	p.close(t, e)

	e = p.openWith(t, 0)
	defer p.close(t, e)
	e.sweepImages(t.Context())
	read, err := e.store.Invocation(t.Context(), "c1")
	if err != nil || len(read.Content) != 1 || read.Content[0].Handle != handle || !shows(t, e, "s", handle) {
		t.Errorf("%+v, %v", read.Content, err)
	}
	i, err := e.Image(t.Context(), "s", handle)
	if err != nil || i.Width != 1 || i.Height != 1 || i.Mime != "image/gif" || i.Bytes != int64(len(dot)) {
		t.Errorf("%+v, %v", i, err)
	}
	for _, other := range []string{"", "media://sha256-00", media.Handle(strings.Repeat("0", 64)), "media://../config.json"} {
		if i, err := e.Image(t.Context(), "s", other); err != nil || !i.Gone {
			t.Errorf("%q: %+v, %v", other, i, err)
		}
	}
}

func TestRoomForImagesIsMadeOfSessionsThatNobodyHasOpen(t *testing.T) {
	p := newPlace(t)
	e := p.openWith(t, int64(3*len(dot)))
	defer p.close(t, e)
	old, live := p.session(t, e, "old", true), p.session(t, e, "live", true)
	of := mustKeep(t, old, dot)
	mine := mustKeep(t, live, dot+"1")
	old.Close()
	// The second of the live session does not fit beside both.
	other := mustKeep(t, live, dot+"2")
	if shows(t, e, "old", of) || !shows(t, e, "live", mine) || !shows(t, e, "live", other) {
		t.Error("what is left is not what the live session has")
	}
	// What it has already is no more; another is too much, and nothing of it is there.
	mustKeep(t, live, dot+"2")
	_, err := kept(live, dot+"3")
	if own, ok := errors.AsType[*tool.Error](err); !ok || own.Code != tool.CodeStorageUnavailable || !errors.Is(err, errNoImageRoom) {
		t.Error(err)
	}
	if !shows(t, e, "live", mine) || !shows(t, e, "live", other) || shows(t, e, "live", media.Handle(media.Sum([]byte(dot+"3")))) {
		t.Error("a live session lost an image")
	}
}

func TestSweepingTakesWhatNoSessionHas(t *testing.T) {
	p := newPlace(t)
	e := p.openWith(t, 0)
	defer p.close(t, e)
	other := p.openWith(t, 0)
	defer p.close(t, other)
	handle := mustKeep(t, p.session(t, other, "s", true), dot)
	stray := filepath.Join(e.Paths().MediaDir(), media.Name(strings.Repeat("0", 64)))
	if err := os.WriteFile(stray, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.sweepImages(t.Context())
	if _, err := os.Stat(stray); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if !shows(t, e, "s", handle) {
		t.Error("an image of a session of another program was removed")
	}
}
