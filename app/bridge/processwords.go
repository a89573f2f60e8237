package bridge

import (
	"slices"
	"strconv"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// processTool is the tool whose calls are told by what they do to a process.
const processTool = "process"

// processPhrase tells a call of the tool process. An action that is not one of its own is
// foreign text, and no part of the verb.
func processPhrase(heads map[string]session.Head) (verb string, subject session.Head) {
	action := heads["action"].Text.Open()
	switch action {
	case "start":
		return "Process start", heads["command"]
	case "read", "write", "stop":
		return "Process " + action, heads["id"]
	case "list":
		return "Process list", session.Head{}
	}
	return "Process", heads["action"]
}

// processFigure tells what came of a call of the tool process.
func processFigure(m tool.Metadata) string {
	status, _ := m.Extra["status"].(string)
	over := status != "" && status != string(tool.ProcessRunning)
	var parts []string
	switch action, _ := m.Extra["action"].(string); action {
	case "list":
		if n, ok := wholeNumber(m.Extra["running"]); ok {
			parts = append(parts, bound.Count(n)+" running")
		}
	case "start":
		if over {
			parts = append(parts, m.ProcessID+" exited")
		} else {
			parts = append(parts, m.ProcessID+" running")
		}
		if m.ExitCode != nil {
			parts = append(parts, "exit "+strconv.Itoa(*m.ExitCode))
		}
	case "stop":
		parts = append(parts, "exited")
	case "read", "write":
		if n, ok := wholeNumber(m.Extra["newLines"]); ok {
			parts = append(parts, bound.Plural(n, "new line"))
		}
		if n, ok := wholeNumber(m.Extra["lines"]); ok {
			parts = append(parts, bound.Plural(n, "line"))
		}
		if over {
			parts = append(parts, "exited")
		}
	}
	return strings.Join(parts, ", ")
}

// runFigure tells how a command ended, or where it went on.
func runFigure(m tool.Metadata) []string {
	var parts []string
	if m.ExitCode != nil {
		parts = append(parts, "exit "+strconv.Itoa(*m.ExitCode))
	}
	if signal := signalOf(m); signal != "" {
		parts = append(parts, "ended by "+signal)
	}
	if m.ProcessID != "" {
		parts = append(parts, m.ProcessID+" running")
	}
	return parts
}

// signalOf is the signal that ended a program. What is no name of one is foreign.
func signalOf(m tool.Metadata) string {
	name, _ := m.Extra["signal"].(string)
	if strings.HasPrefix(name, "SIG") && len(name) <= 12 && !strings.ContainsFunc(name, func(r rune) bool { return r < '0' || r > 'Z' }) {
		return name
	}
	return ""
}

// programFailed reports whether a call was done and the program that it ran was not: it
// ended with another code than 0, or by a signal.
func programFailed(inv *session.Invocation) bool {
	if inv.State != session.StateSucceeded || !slices.Contains([]string{"bash", processTool}, inv.ToolID) {
		return false
	}
	m := inv.Metadata
	action, _ := m.Extra["action"].(string)
	if inv.ToolID == processTool && action != "start" {
		return false
	}
	return m.ExitCode != nil && *m.ExitCode != 0 || signalOf(m) != ""
}

// runRow tells of the program of a call.
func runRow(inv *session.Invocation) RunRow {
	kind := map[string]string{"bash": "command", processTool: "process"}[inv.ToolID]
	if kind == "" {
		return RunRow{}
	}
	m := inv.Metadata
	dir, _ := m.Extra["cwd"].(string)
	log, _ := m.Extra["log"].(string)
	status, _ := m.Extra["status"].(string)
	r := RunRow{Kind: kind, SessionID: inv.SessionID, Dir: dir, LogPath: log, ProcessID: m.ProcessID, Failed: programFailed(inv)}
	switch {
	case m.ExitCode != nil:
		r.Ending = "Exit code " + strconv.Itoa(*m.ExitCode)
	case signalOf(m) != "":
		r.Ending = "Ended by " + signalOf(m)
	case inv.State != session.StateSucceeded || status != string(tool.ProcessRunning):
	case kind == "command" || m.Extra["action"] == "start":
		r.Ending = "Went on as " + m.ProcessID
	default:
		r.Ending = m.ProcessID + " was running"
	}
	return r
}
