package backend

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// rehearse takes every step of a rehearsal and tells its flips in short.
func rehearse(t *testing.T, e *Engine, p config.Patch) (flips []string, whole Rehearsal) {
	t.Helper()
	whole.Unjudged = map[Unjudged]int{}
	from := RehearsalMark{}
	for {
		step, err := e.Rehearse(t.Context(), p, from)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range step.Flips {
			flips = append(flips, fmt.Sprintf("%s %s: %s, %s", f.Call.ToolID, filepath.Base(f.Text.Open()), f.Now, f.Would))
		}
		for why, n := range step.Unjudged {
			whole.Unjudged[why] += n
		}
		whole.Total, whole.Looked, whole.Loosens = step.Total, step.Looked, step.Loosens
		if step.Next == nil {
			return flips, whole
		}
		from = *step.Next
	}
}

func TestARehearsalTellsWhatAChangeWouldDecideOtherwise(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	if err := os.WriteFile(filepath.Join(p.workspace, "in.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	answered(t, e, s, write("yes.txt", "1"), approval.Answer{Resolution: approval.AllowOnce})
	answered(t, e, s, write("no.txt", "1"), approval.Answer{Resolution: approval.Deny})
	if o := s.Call(t.Context(), read("in.txt"), nil); o.Status != tool.StatusSucceeded {
		t.Fatalf("the read: %s %s", o.Status, o.ReasonCode)
	}
	on := true
	for name, c := range map[string]struct {
		patch   config.Patch
		want    []string
		loosens bool
	}{
		"edit":    {config.Patch{Preset: session.PresetEdit}, []string{"write no.txt: ask, allow", "write yes.txt: ask, allow"}, true},
		"default": {config.Patch{Preset: session.PresetDefault}, nil, false},
		"lock":    {config.Patch{ReadOnly: &on}, []string{"write no.txt: ask, deny", "write yes.txt: ask, deny"}, false},
		"plan":    {config.Patch{Catalog: tool.CatalogPlan}, []string{"write no.txt: ask, deny", "write yes.txt: ask, deny"}, false},
		"set off": {config.Patch{Switch: &config.SetSwitch{Set: "coding"}}, []string{"read in.txt: allow, deny", "write no.txt: ask, deny", "write yes.txt: ask, deny"}, false},
		"set on":  {config.Patch{Switch: &config.SetSwitch{Set: "demo", On: true}}, nil, true},
		"host":    {config.Patch{Values: map[string]string{"allowedDomains": `["example.com"]`}}, nil, true},
		"theme":   {config.Patch{Theme: "dark"}, nil, false},
		"both":    {config.Patch{Preset: session.PresetEdit, ReadOnly: &on}, []string{"write no.txt: ask, deny", "write yes.txt: ask, deny"}, true},
	} {
		flips, whole := rehearse(t, e, c.patch)
		if d := cmp.Diff(c.want, flips); d != "" || whole.Loosens != c.loosens || len(whole.Unjudged) > 0 {
			t.Errorf("%s: %+v (-want +got)\n%s", name, whole, d)
		}
		if c.want != nil && (whole.Total != 3 || whole.Looked != 3) {
			t.Errorf("%s: looked at %d of %d", name, whole.Looked, whole.Total)
		}
	}
	if rules := e.Rules(); rules.Preset != session.PresetDefault || rules.ReadOnly {
		t.Errorf("the rules are %+v", rules)
	}
}

// A rehearsal runs and stores nothing and asks nobody; what it looks up, it looks up once.
func TestARehearsalLeavesNoTrace(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	answered(t, e, s, write("a.txt", "1"), approval.Answer{Resolution: approval.AllowOnce})
	before := storedRows(t, p)
	events, cancel := e.Subscribe()
	defer cancel()
	for range 2 {
		rehearse(t, e, config.Patch{Preset: session.PresetFull})
	}
	if d := cmp.Diff(before, storedRows(t, p)); d != "" {
		t.Errorf("something was stored:\n%s", d)
	}
	select {
	case told := <-events:
		t.Errorf("it told of %s", told.Type)
	default:
	}
	if text, err := os.ReadFile(filepath.Join(p.workspace, "a.txt")); err != nil || string(text) != "1" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// database opens what is stored at the place beside the desk.
func (p place) database(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(p.home, "countersign.db"))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func storedRows(t *testing.T, p place) map[string]int {
	t.Helper()
	out := map[string]int{}
	db := p.database(t)
	defer func() { _ = db.Close() }()
	for _, table := range []string{"sessions", "events", "invocations", "approvals", "decisions", "grants", "outputs", "policy_versions"} {
		var n int
		if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		out[table] = n
	}
	return out
}

// A grant that rests under other rules lets nothing run then.
func TestARehearsalKnowsTheGrants(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	answered(t, e, s, write("a.txt", "1"), approval.Answer{Resolution: approval.AllowSession})
	if o := s.Call(t.Context(), write("a.txt", "2"), nil); o.Status != tool.StatusSucceeded {
		t.Fatalf("the granted call: %s", o.ReasonCode)
	}
	flips, _ := rehearse(t, e, config.Patch{Profile: session.ProfileStrict})
	want := []string{"write a.txt: allow, ask", "write a.txt: allow, ask"}
	if d := cmp.Diff(want, flips); d != "" {
		t.Error(d)
	}
}

func TestARehearsalSaysWhatCannotBeJudged(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	answered(t, e, s, write("kept.txt", "1"), approval.Answer{Resolution: approval.AllowOnce})
	answered(t, e, s, write("large.txt", strings.Repeat("x", 80<<10)), approval.Answer{Resolution: approval.AllowOnce})
	db := p.database(t)
	if _, err := db.ExecContext(t.Context(), `UPDATE invocations SET tool_id = 'gone' WHERE num = 1`); err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	_, whole := rehearse(t, e, config.Patch{Preset: session.PresetFull})
	if want := map[Unjudged]int{UnjudgedTool: 1, UnjudgedArguments: 1}; !maps.Equal(want, whole.Unjudged) || whole.Looked != 2 {
		t.Errorf("%+v", whole)
	}
	// A session whose folder is gone is not the others' fault.
	answered(t, e, s, write("kept.txt", "2"), approval.Answer{Resolution: approval.AllowOnce})
	s.Close()
	if err := os.RemoveAll(p.workspace); err != nil {
		t.Fatal(err)
	}
	e.rehearsed.known = nil
	if _, whole = rehearse(t, e, config.Patch{Preset: session.PresetFull}); whole.Unjudged[UnjudgedFolder] != 1 {
		t.Errorf("%+v", whole)
	}
}

// Whoever waits for a step can stop it, and a long history is looked at in steps.
func TestARehearsalComesInStepsAndStops(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	for i := range rehearsePage + 5 {
		if o := s.Call(t.Context(), read(fmt.Sprintf("none%d", i)), nil); o.Decision == nil {
			t.Fatalf("call %d was not decided", i)
		}
	}
	off := config.Patch{Switch: &config.SetSwitch{Set: "coding"}}
	first, err := e.Rehearse(t.Context(), off, RehearsalMark{})
	if err != nil || first.Next == nil || first.Looked != rehearsePage || first.Total != rehearsePage+5 {
		t.Fatalf("%d of %d, %v", first.Looked, first.Total, err)
	}
	flips, whole := rehearse(t, e, off)
	if slices.Sort(flips); len(slices.Compact(flips)) != rehearsePage+5 || whole.Looked != rehearsePage+5 {
		t.Errorf("%d flips of %d", len(flips), whole.Looked)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Rehearse(ctx, off, RehearsalMark{}); err == nil {
		t.Error("a rehearsal went on")
	}
}
