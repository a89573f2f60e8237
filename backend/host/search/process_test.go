//go:build linux

package search_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"
)

// pretend puts a shell script in the place of ripgrep. It writes the ids of its processes
// to a file, which is how a test knows that it runs.
func (tr *tree) pretend(t *testing.T, script string) (pids string) {
	t.Helper()
	dir := t.TempDir()
	pids = filepath.Join(dir, "pids")
	tr.Program = filepath.Join(dir, "rg")
	text := "#!/bin/sh\nPATH=/usr/bin:/bin\n" + strings.ReplaceAll(script, "$PIDS", pids)
	if err := os.WriteFile(tr.Program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return pids
}

// gone waits until none of the processes runs any more. They are not our children, so
// there is nothing to wait on but what the system shows of them.
func gone(t *testing.T, pids string) {
	t.Helper()
	raw, err := os.ReadFile(pids)
	if err != nil || len(strings.Fields(string(raw))) == 0 {
		t.Fatalf("no processes: %v", err)
	}
	for _, field := range strings.Fields(string(raw)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		processtest.Until(t, patience, "process "+field+" still runs", func() bool { return !processtest.Runs(pid) })
	}
}

// started waits until the program has written the ids.
func started(t *testing.T, pids string) {
	t.Helper()
	processtest.Until(t, patience, "the program did not start", func() bool {
		raw, err := os.ReadFile(pids)
		return err == nil && strings.HasSuffix(string(raw), "\n")
	})
}

// patience is how long a program may take to start, or to be gone.
const patience = 10 * time.Second

const begins = `echo '{"type":"begin","data":{"path":{"text":"./a"}}}'
echo '{"type":"match","data":{"path":{"text":"./a"},"lines":{"text":"x"},"line_number":1,"submatches":[]}}'
`

// spec: KH-39
func TestACancelledSearchLeavesNothingRunning(t *testing.T) {
	for name, script := range map[string]string{
		"waiting":    "sleep 1000 &\necho $$ $! > $PIDS\nwait\n",
		"printing":   begins + "sleep 1000 &\necho $$ $! > $PIDS\nwhile :; do echo '{\"type\":\"context\",\"data\":{}}'; done\n",
		"deaf":       "trap '' TERM INT HUP\nsleep 1000 &\necho $$ $! > $PIDS\nwhile :; do sleep 1; done\n",
		"closed out": "sleep 1000 >&- 2>&- &\necho $$ $! > $PIDS\nexec >&-\nwait\n",
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t, map[string]string{"a": "x\n"})
			pids := tr.pretend(t, script)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				done <- tr.Grep(ctx, tool.GrepQuery{Root: tr.root, Pattern: "x"}, func(tool.FileHits) bool { return true })
			}()
			started(t, pids)
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("ended with %v", err)
			}
			gone(t, pids)
		})
	}
}

// What left the group cannot hold the search up, though it holds the pipes.
func TestASearchDoesNotWaitForWhatLeftItsGroup(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x\n"})
	pids := tr.pretend(t, "echo $$ > $PIDS\nsetsid sleep 5 &\nwait\n")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- tr.List(ctx, tool.ListQuery{Root: tr.root}, func(tool.FoundFile) bool { return true }) }()
	started(t, pids)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	gone(t, pids)
}

func TestEnoughEndsTheProgram(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x\n"})
	pids := tr.pretend(t, "echo $$ > $PIDS\n"+begins+`echo '{"type":"end","data":{"path":{"text":"./a"},"binary_offset":null}}'`+"\nsleep 1000\n")
	err := tr.Grep(t.Context(), tool.GrepQuery{Root: tr.root, Pattern: "x"}, func(f tool.FileHits) bool { return len(f.Hits) != 1 })
	if err != nil {
		t.Error(err)
	}
	gone(t, pids)
}

// overdue is a context whose time is over when the test says so.
type overdue struct {
	context.Context
	over chan struct{}
}

func (o *overdue) Done() <-chan struct{} { return o.over }

func (o *overdue) Err() error {
	select {
	case <-o.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestADeadlineEndsASlowProgram(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x\n"})
	pids := tr.pretend(t, "echo $$ > $PIDS\nexec sleep 1000\n")
	ctx := &overdue{Context: t.Context(), over: make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- tr.List(ctx, tool.ListQuery{Root: tr.root}, func(tool.FoundFile) bool { return true }) }()
	started(t, pids)
	close(ctx.over)
	if err := <-done; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ended with %v", err)
	}
	gone(t, pids)
}

// A file that ripgrep may not read is no failure of the search.
func TestTroubleWithoutAComplaintIsNoFailure(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x\n"})
	tr.pretend(t, begins+`echo '{"type":"end","data":{"path":{"text":"./a"},"binary_offset":null}}'`+"\nexit 2\n")
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "x"})
	same(t, got, []string{"a:1:x"})
	same(t, err, nil)
}

func TestWhatIsNotUnderstoodFails(t *testing.T) {
	for name, script := range map[string]string{
		"no messages":      "echo hello\n",
		"a broken message": "printf '{\"type\":\"beg'\n",
		"a long message":   "head -c 200000 /dev/zero | tr '\\0' x\n",
		"killed":           "kill -9 $$\n",
		"an odd exit":      "exit 7\n",
	} {
		tr := newTree(t, map[string]string{"a": "x\n"})
		tr.pretend(t, script)
		_, err := tr.grep(t, tool.GrepQuery{Pattern: "x"})
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Code != tool.CodeExecutionFailed || strings.Contains(e.Error(), tr.Workspace) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
