//go:build linux

package process_test

import (
	"errors"
	"strings"
	"testing"

	"countersign/backend/host/process"
	"countersign/backend/tool"
)

// kept is the log of a process that ended.
type kept struct {
	*strings.Reader
	closed *int
}

func (k kept) Size() (int64, error) { return k.Reader.Size(), nil }

func (k kept) Close() error {
	*k.closed++
	return nil
}

// What a session ran before it was begun here is known by its name, can be read from its
// start or from a line on, and is nothing to stop or to write to.
//
// spec: KH-49, KH-50, KH-53
func TestWhatEndedBeforeIsKnown(t *testing.T) {
	opened, closed := 0, 0
	log := func(text string) func() (process.Kept, error) {
		return func() (process.Kept, error) {
			opened++
			if text == "" {
				return nil, errors.New("removed")
			}
			return kept{strings.NewReader(text), &closed}, nil
		}
	}
	ended := func(id string, status tool.ProcessStatus) tool.Process {
		return tool.Process{ID: id, Command: "serve", Status: status, Lines: 7, LogPath: "/output/" + id + ".log"}
	}
	d := newDesk(t, func(o *process.Options) {
		o.Given = 4
		o.Past = []process.Past{
			{Process: ended("p1", tool.ProcessFailed), Log: log(strings.Repeat("line\n", 400) + "last \x1b[31mwords")},
			{Process: ended("p4", tool.ProcessExited), Log: log("")},
		}
	})
	if p, _ := d.start("sleep 1000"); p.ID != "p5" {
		t.Errorf("%+v", p)
	}
	var ids []string
	for _, p := range d.List() {
		ids = append(ids, p.ID)
	}
	if strings.Join(ids, " ") != "p1 p4 p5" {
		t.Errorf("%q", ids)
	}
	page := func(id string, from int64) tool.Page {
		p, err := d.Read(t.Context(), id, from, 0)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		from, first, last int64
		ends              string
	}{{0, 1, 300, "line\n"}, {0, 301, 401, "last words"}, {0, 401, 400, ""}, {400, 400, 401, "line\nlast words"}, {500, 401, 400, ""}} {
		if p := page("p1", c.from); p.First != c.first || p.Last != c.last || !strings.HasSuffix(p.Text, c.ends) || p.Process.Lines != 401 || p.Process.Status != tool.ProcessFailed {
			t.Errorf("from %d: %d to %d of %+v, %q", c.from, p.First, p.Last, p.Process, p.Text)
		}
	}
	if p := page("p4", 0); p.Text != "" || !p.Gone || p.First != 8 || p.Process.LogPath != "" || p.Process.Status != tool.ProcessExited {
		t.Errorf("without a log: %+v", p)
	}
	if opened != closed+1 {
		t.Errorf("%d logs were opened and %d closed", opened, closed)
	}
	if p, err := d.Stop(t.Context(), "p1"); err != nil || p.Status != tool.ProcessFailed {
		t.Errorf("%+v, %v", p, err)
	}
	refused(t, d.Write(t.Context(), "p1", "x"), tool.CodeEnded, "")
	if _, ok := d.Usage("p1"); ok {
		t.Error("it uses something")
	}
}

func TestTheNumberOfAnID(t *testing.T) {
	for id, want := range map[string]int{"p1": 1, "p64": 64, "p0": 0, "p01": 0, "p-1": 0, "p+1": 0, "p": 0, "1": 0, "": 0, "q1": 0, "p99999999999999999999": 0} {
		if got := process.Number(id); got != want {
			t.Errorf("%q: %d", id, got)
		}
	}
}
