// Package processtest looks at processes as Linux shows them, for tests that must not take a
// program's word for what still runs.
package processtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// State is the letter of the system for a process, "" when there is none.
func State(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return after[:1]
}

// Runs reports whether a process runs; one that only waits to be collected does not.
func Runs(pid int) bool {
	state := State(pid)
	return state != "" && state != "Z" && state != "X"
}

// Until waits for what can only be looked at, and fails with what after the limit.
func Until(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	late := time.After(limit)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-late:
			t.Fatal(what)
		case <-tick.C:
		}
	}
}
