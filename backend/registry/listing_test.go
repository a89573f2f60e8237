package registry_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// within is a file system of which everything below /w is the workspace.
type within struct{ links }

func (w *within) Resolve(arg string) (tool.Path, error) {
	p, err := w.links.Resolve(arg)
	if rel, inside := strings.CutPrefix(arg, "/w/"); inside {
		p.Zone, p.Rel = tool.ZoneWorkspace, rel
	}
	return p, err
}

// listed returns what the card of a command line lists.
func listed(t *testing.T, command string) (l *approval.Listing) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, spec("demo.run", func(s *tool.Spec) {
			s.Set, s.Catalogs = "demo", []tool.Catalog{tool.CatalogWork}
			s.Class.SideEffect, s.Class.Target, s.Class.Idempotency = tool.EffectCodeExecution, tool.TargetHost, tool.IdempotencyNone
			s.Target = func(tool.Args) (tool.TargetRequest, error) { return tool.TargetRequest{Command: command}, nil }
		}))
		b.context.Host.Files = &within{links{to: map[string]string{}}}
		done := dispatch(t.Context(), b, "demo.run", `{}`)
		l = b.waiting(t).Listing
		b.answer(t, approval.Deny, "")
		<-done
	})
	if l == nil {
		t.Fatalf("%s: nothing is listed", command)
	}
	return l
}

func marksOf(s approval.Step) string {
	var out []string
	for _, m := range s.Marks {
		text := m.Effect
		if subject := m.Subject.Open(); subject != "" {
			text += " " + subject
		}
		if m.Outside {
			text += " outside"
		}
		if m.Restricted {
			text += " restricted"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// spec: VS-22
func TestACardListsWhatEachCommandDoes(t *testing.T) {
	l := listed(t, "timeout 5 cat src/a.go | sort > out.txt; sudo rm -r /etc/x; curl https://a.example/x &")
	want := []struct {
		depth        int
		shown, marks string
	}{
		{0, "timeout 5 cat src/a.go", ""},
		{1, "cat src/a.go", "reads src/a.go"},
		{0, "sort", "writes out.txt"},
		{0, "sudo rm -r /etc/x", "privileged restricted"},
		{1, "rm -r /etc/x", "removes /etc/x outside restricted"},
		{0, "curl https://a.example/x", "reaches a.example"},
	}
	if !l.Parsed || l.Dynamic || !l.Privileged || l.Left != 0 || len(l.Steps) != len(want) {
		t.Fatalf("%+v", l)
	}
	for i, w := range want {
		s := l.Steps[i]
		if s.Depth != w.depth || s.Shown.Open() != w.shown || !strings.HasPrefix(marksOf(s), w.marks) || w.marks == "" && len(s.Marks) > 0 {
			t.Errorf("%d: %d %q %q, want %+v", i, s.Depth, s.Shown.Open(), marksOf(s), w)
		}
	}
	if !l.Steps[5].Background || l.Steps[0].Background {
		t.Error("what is not waited for is not told")
	}
}

func TestACardSaysWhatItCouldNotRead(t *testing.T) {
	if l := listed(t, `cat "$(id)"`); !l.Parsed || !l.Dynamic || l.Why.Len() == 0 || len(l.Steps) < 2 {
		t.Errorf("%+v", l)
	}
	if l := listed(t, `echo "a`); l.Parsed || l.Why.Len() == 0 || len(l.Steps) > 0 {
		t.Errorf("%+v", l)
	}
}

func TestAListWithoutEndIsCutAndCounted(t *testing.T) {
	l := listed(t, strings.Repeat("ls\n", 700)+"cat"+strings.Repeat(" a/b", 1)+" /o/secret "+strings.Repeat("x ", 60))
	if len(l.Steps) != 500 || l.Left != 201 {
		t.Fatalf("%d listed, %d left", len(l.Steps), l.Left)
	}
	var names strings.Builder
	for i := range 60 {
		names.WriteString(" a" + strings.Repeat("x", i))
	}
	l = listed(t, "cat"+names.String()+" /o/secret")
	if s := l.Steps[0]; len(s.Marks) != 24 || s.Left != 37 || !s.Marks[0].Outside {
		t.Errorf("%d marks, %d left, first %+v", len(s.Marks), s.Left, s.Marks[0])
	}
}
