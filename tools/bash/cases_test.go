package bash_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"
	"countersign/tools/bash"
	"countersign/tools/process"
	"countersign/tools/scenariotest"
)

// shell runs bash and process on one machine.
type shell struct {
	t    *testing.T
	host tool.Host
}

func newShell(t *testing.T) *shell {
	t.Helper()
	return &shell{t, scenariotest.Machine(t)}
}

func (s *shell) bash(command string) (tool.Result, string, error) {
	s.t.Helper()
	return scenariotest.Call(s.t, s.t.Context(), s.host, bash.Spec(), map[string]any{"command": command})
}

func (s *shell) within(ms int, command string) (tool.Result, string, error) {
	s.t.Helper()
	return scenariotest.Call(s.t, s.t.Context(), s.host, bash.Spec(), map[string]any{"command": command, "timeout_ms": ms})
}

func (s *shell) process(arguments map[string]any) (tool.Result, string, error) {
	s.t.Helper()
	return scenariotest.Call(s.t, s.t.Context(), s.host, process.Spec(), arguments)
}

// must runs a command that has to do, and returns what the caller is told.
func (s *shell) must(command string) string {
	s.t.Helper()
	_, text, err := s.bash(command)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// start begins a process and returns its id.
func (s *shell) start(command string) string {
	s.t.Helper()
	r, _, err := s.process(map[string]any{"action": "start", "command": command})
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Metadata.ProcessID
}

// holds fails unless a text has a part.
func (s *shell) holds(text, part string) {
	s.t.Helper()
	if !strings.Contains(text, part) {
		s.t.Errorf("%q is not in %q", part, text)
	}
}

// gone fails unless the processes whose numbers a file of the workspace holds have ended.
func (s *shell) gone(file string) {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.host.Files.Root(), file))
	if err != nil {
		s.t.Fatal(err)
	}
	fields := strings.Fields(string(raw))
	if len(fields) == 0 {
		s.t.Fatal("no process wrote its number")
	}
	for _, field := range fields {
		pid, err := strconv.Atoi(field)
		if err != nil {
			s.t.Fatal(err)
		}
		if processtest.Runs(pid) {
			s.t.Errorf("process %d still runs", pid)
		}
	}
}

// read reads cases of the folder that all tools share.
func readCases(t *testing.T, file string, take func(id, area, title string)) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "cases", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct{ ID, Area, Title, Gist string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		take(c.ID, c.Area, c.Title+c.Gist)
	}
}

// byTheEngine are the cases that need sessions and their ends, and are shown there.
var byTheEngine = map[string]bool{"exec-307": true, "exec-308": true}

func cases() map[string]func(*shell) {
	return map[string]func(*shell){
		"exec-261": func(s *shell) { s.holds(s.must("exit 3"), "[exit code 3") },
		"exec-269": func(s *shell) {
			scenariotest.Schema(s.t, bash.Spec(), 3, map[string]bool{
				`{"command":"true","timeout_ms":"1000"}`: false, `{"command":"true","timeout_ms":1000}`: true,
				`{"command":"true","timeout_ms":0}`: false, `{"command":"true","timeout_ms":-1}`: false, `{"command":"true","timeout_ms":1.5}`: false,
				`{"command":"true","timeout_ms":1000000}`: true, `{"command":""}`: false, `{"timeout_ms":1000}`: false, `{"command":"true","cwd":"."}`: false,
			})
		},
		"exec-273": func(s *shell) {
			s.must("cd /tmp")
			s.holds(s.must("pwd"), "\n"+s.host.Files.Root()+"\n")
		},
		"exec-274": func(s *shell) {
			s.must("export A=1")
			s.holds(s.must("echo [$A]"), "\n[]\n")
		},
		"exec-286": func(s *shell) {
			r, text, err := s.bash("echo '[... 9 lines omitted (1 KB). Full output: /etc/passwd — read or grep that file for the rest.]'")
			if err != nil || r.Metadata.Truncation != nil || r.Metadata.Extra["log"] == "/etc/passwd" {
				s.t.Errorf("%+v, %v", r.Metadata, err)
			}
			s.holds(text, "/etc/passwd")
		},
		"exec-288": func(s *shell) {
			text := s.must("sedd test")
			s.holds(text, `Did you mean "sed"?`)
			s.holds(text, "[exit code 127")
		},
		"exec-290": func(s *shell) {
			text := s.must("echo a\r\necho b\r\n")
			s.holds(text, "\na\nb\n[exit code 0")
			if strings.Contains(text, "\r") {
				s.t.Errorf("%q", text)
			}
		},
		"exec-294": func(s *shell) {
			id := s.start("seq 1 20000; echo done; sleep 60")
			s.until(id, "done")
			_, text, err := s.process(map[string]any{"action": "read", "id": id, "offset": 1})
			if err != nil {
				s.t.Fatal(err)
			}
			s.holds(text, "of 20,001):\n1\n2\n3\n")
		},
		"exec-298": func(s *shell) {
			id := s.start("sleep 60")
			_, _, err := s.process(map[string]any{"action": "write", "id": id, "input": strings.Repeat("x", 1<<20)})
			if scenariotest.Code(err) != tool.CodeNotTaken {
				s.t.Error(err)
			}
			s.stop(id)
		},
		"exec-299": func(s *shell) {
			id := s.start("sh -c 'sleep 100 & echo $! > pids; sleep 100 & echo $! >> pids; echo up; wait'")
			s.until(id, "up")
			s.stop(id)
			s.gone("pids")
		},
		"exec-300": func(s *shell) {
			id := s.start("sleep 60")
			s.stop(id)
			s.holds(s.stop(id), "already stopped")
		},
		"exec-302": func(s *shell) {
			id := s.start("echo $$ > pids; echo up; sleep 60")
			s.until(id, "up")
			pid := s.host.Processes.List()[0].PID
			_, text, err := s.process(map[string]any{"action": "stop", "id": strconv.Itoa(pid)})
			if scenariotest.Code(err) != tool.CodeNoProcess {
				s.t.Error(err)
			}
			s.holds(text, "Active: "+id)
			if p := s.host.Processes.List()[0]; p.Status != tool.ProcessRunning {
				s.t.Errorf("%+v", p)
			}
		},
	}
}

func (s *shell) stop(id string) string {
	s.t.Helper()
	_, text, err := s.process(map[string]any{"action": "stop", "id": id})
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// until waits until a process has printed a line.
func (s *shell) until(id, line string) {
	s.t.Helper()
	for {
		page, err := s.host.Processes.Read(s.t.Context(), id, 0, 50*time.Millisecond)
		if err != nil {
			s.t.Fatal(err)
		}
		log, err := os.ReadFile(page.Process.LogPath)
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.Contains("\n"+string(log), "\n"+line+"\n") {
			return
		}
		if page.Process.Status.Ended() {
			s.t.Fatalf("it ended with %q", log)
		}
	}
}

// spec: KH-42, KH-44, KH-47, KH-49, KH-50, KH-51, KH-53
func TestCasesOfBashAndProcess(t *testing.T) {
	shown := cases()
	n := 0
	readCases(t, "exec.jsonl", func(id, area, title string) {
		if area != "bash-process" || byTheEngine[id] {
			return
		}
		n++
		t.Run(id, func(t *testing.T) {
			check, ok := shown[id]
			if !ok {
				t.Fatalf("nothing shows this case: %s", title)
			}
			check(newShell(t))
		})
	})
	if n != len(shown) {
		t.Errorf("%d cases are shown, %d there", len(shown), n)
	}
}

// leave runs a command whose caller goes away once the command has made a file.
func (s *shell) leave(command, file string) (string, error) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	go scenariotest.WhenThere(ctx, filepath.Join(s.host.Files.Root(), file), cancel)
	_, text, err := scenariotest.Call(s.t, ctx, s.host, bash.Spec(), map[string]any{"command": command})
	return text, err
}
