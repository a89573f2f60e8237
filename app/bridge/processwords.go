package bridge

import (
	"strconv"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// The tools that run programs. A call of processTool is told by what it does to a process.
const (
	commandTool = "bash"
	processTool = "process"
)

// fact is a text among what a tool told of its call, "" without one.
func fact(m tool.Metadata, name string) string {
	text, _ := m.Extra[name].(string)
	return text
}

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
	status := fact(m, "status")
	over := status != "" && status != string(tool.ProcessRunning)
	var parts []string
	switch fact(m, "action") {
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
	name := fact(m, "signal")
	if strings.HasPrefix(name, "SIG") && len(name) <= 12 && !strings.ContainsFunc(name, func(r rune) bool { return r < '0' || r > 'Z' }) {
		return name
	}
	return ""
}

// programFailed reports whether a call was done and the program that it ran was not: it
// ended with another code than 0, or by a signal.
func programFailed(inv *session.Invocation) bool {
	m := inv.Metadata
	ran := inv.ToolID == commandTool || inv.ToolID == processTool && fact(m, "action") == "start"
	if inv.State != session.StateSucceeded || !ran {
		return false
	}
	return m.ExitCode != nil && *m.ExitCode != 0 || signalOf(m) != ""
}

// runRow tells of the program of a call.
func runRow(inv *session.Invocation) RunRow {
	kind := map[string]string{commandTool: "command", processTool: "process"}[inv.ToolID]
	if kind == "" {
		return RunRow{}
	}
	m := inv.Metadata
	r := RunRow{
		Kind: kind, SessionID: inv.SessionID, Dir: fact(m, "cwd"), LogPath: fact(m, "log"), ProcessID: m.ProcessID, Failed: programFailed(inv),
	}
	switch {
	case m.ExitCode != nil:
		r.Ending = "Exit code " + strconv.Itoa(*m.ExitCode)
	case signalOf(m) != "":
		r.Ending = "Ended by " + signalOf(m)
	case inv.State != session.StateSucceeded || fact(m, "status") != string(tool.ProcessRunning):
	case kind == "command" || fact(m, "action") == "start":
		r.Ending = "Went on as " + m.ProcessID
	default:
		r.Ending = m.ProcessID + " was running"
	}
	return r
}
