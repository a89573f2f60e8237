package bash_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/tool"
	"countersign/tools/scenariotest"
)

// elsewhere are the reports that are about the window, the history or the end of the
// program, and are shown there.
var elsewhere = map[string]bool{"iss-109": true, "iss-110": true, "iss-115": true, "iss-131": true, "iss-140": true}

func reports() map[string]func(*shell) {
	return map[string]func(*shell){
		"iss-099": func(s *shell) {
			text := s.must("for i in 1 2 3; do head -c 20000 /dev/zero | tr '\\0' x; echo; done; echo 'error: it failed'; exit 1")
			s.holds(text, "\nerror: it failed\n[exit code 1")
			s.holds(text, "\nxxx")
			if len(text) > 31<<10 {
				s.t.Errorf("%d bytes", len(text))
			}
		},
		"iss-104": func(s *shell) { s.holds(s.must("true"), "[exit code 0") },
		"iss-118": func(s *shell) {
			text := s.must("(while true; do echo tick; sleep 0.05; done) & echo done")
			s.holds(text, "done\n")
			s.holds(text, "Still running in the background: process p1.")
		},
		"iss-119": func(s *shell) {
			s.holds(s.must("sleep 60 & echo ok"), "\nok\n[Still running in the background: process p1.")
			s.stop("p1")
		},
		// Nothing inherits what was not handed to it: what a child holds open does not hold the call.
		"iss-121": func(s *shell) { s.holds(s.must("setsid sleep 60 & echo ok"), "\nok\n") },
		"iss-129": func(s *shell) {
			// There is no terminal of ours that a command could ask on, or leave without an echo.
			s.holds(s.must("(: < /dev/tty) 2>/dev/null && echo asked || echo none"), "\nnone\n")
			s.holds(s.must("read -r answer; echo \"got [$answer] $?\""), "\ngot [] ")
		},
		"iss-134": func(s *shell) {
			started := 0
			for range 200 {
				_, text, err := s.within(1, "sleep 60")
				if err != nil {
					s.holds(text, "Stop one with the process tool first.")
					if scenariotest.Code(err) != tool.CodeSpawn {
						s.t.Error(err)
					}
					break
				}
				started++
			}
			if started >= 200 || started < 8 {
				s.t.Errorf("%d commands run at once", started)
			}
		},
		"iss-137": func(s *shell) {
			text, err := s.leave("sh -c 'sleep 100 & echo $! > pids; echo $$ >> pids; touch up; wait'", "up")
			if scenariotest.Code(err) != tool.CodeCancelled {
				s.t.Errorf("%q, %v", text, err)
			}
			s.gone("pids")
		},
	}
}

// What was reported of the commands of others does not happen here.
//
// spec: KH-42, KH-45, KH-46, KH-61
func TestReportedFaultsOfCommandsDoNotHappen(t *testing.T) {
	shown := reports()
	n := 0
	readCases(t, "issues.jsonl", func(id, area, gist string) {
		switch area {
		case "hanging commands", "orphaned children", "output lost, truncated or harmful":
		default:
			return
		}
		if elsewhere[id] {
			return
		}
		n++
		t.Run(id, func(t *testing.T) {
			check, ok := shown[id]
			if !ok {
				t.Fatalf("nothing shows that this does not happen: %s", gist)
			}
			check(newShell(t))
		})
	})
	if n != len(shown) {
		t.Errorf("%d faults are shown, %d reported", len(shown), n)
	}
}

// The answer of a command that is moved, what is read of it afterwards and its log are one
// text, whatever the moment at which it was moved.
//
// spec: KH-44, KH-60
func TestNothingIsLostOrDoubledWhereACommandIsMoved(t *testing.T) {
	for _, ms := range []int{50, 120, 200} {
		t.Run(fmt.Sprint(ms), func(t *testing.T) {
			s := newShell(t)
			r, text, err := s.within(ms, "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo $i; done; sleep 0.3; while [ $i -lt 6000 ]; do i=$((i+1)); echo $i; done; echo end; sleep 60")
			if err != nil || r.Metadata.ProcessID != "p1" {
				t.Fatal(text, err)
			}
			if list := s.host.Processes.List(); len(list) != 1 || list[0].ID != "p1" || list[0].Status != tool.ProcessRunning {
				t.Fatalf("%+v", list)
			}
			_, listed, err := s.process(map[string]any{"action": "list"})
			if err != nil {
				t.Fatal(err)
			}
			s.holds(listed, "p1  i=0; while")
			seen := ""
			if _, rest, any := strings.Cut(text, "Output so far:\n"); any && r.Metadata.Truncation == nil {
				seen, _, _ = strings.Cut(rest, "Use process ")
			}
			for !strings.HasSuffix(seen, "end\n") {
				page, err := s.host.Processes.Read(t.Context(), "p1", 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				seen += page.Text
			}
			var want strings.Builder
			for i := range 6000 {
				fmt.Fprintf(&want, "%d\n", i+1)
			}
			want.WriteString("end\n")
			if r.Metadata.Truncation == nil && seen != want.String() {
				t.Errorf("%d bytes were seen, %d printed", len(seen), want.Len())
			}
			if !strings.HasSuffix(want.String(), seen[min(len(seen), 20):]) {
				t.Error("what was read is not the end of what was printed")
			}
			log, err := os.ReadFile(r.Metadata.Extra["log"].(string))
			if err != nil || string(log) != want.String() {
				t.Errorf("%d bytes are in the log, %v", len(log), err)
			}
			if filepath.Base(r.Metadata.Extra["log"].(string)) != "p1.log" {
				t.Errorf("%v", r.Metadata.Extra)
			}
		})
	}
}

// spec: KH-61
func TestACommandIsEndedWithAllThatItStarted(t *testing.T) {
	s := newShell(t)
	text, err := s.leave("sleep 101 & echo $! > pids; (sleep 102 & echo $! >> pids) ; setsid sh -c 'echo $$ >> pids; sleep 103' & "+
		"sh -c 'trap \"\" TERM; echo $$ >> pids; touch up; sleep 104; sleep 105'", "up")
	if scenariotest.Code(err) != tool.CodeCancelled {
		t.Errorf("%q, %v", text, err)
	}
	s.gone("pids")
}
