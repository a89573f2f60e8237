package running

import (
	"slices"

	"countersign/backend/tool"
)

// Reasons returns what the named codes of processes mean, so that each tool says it in the
// same words. A code that is not among them is left out.
func Reasons(codes ...tool.Code) []tool.Reason {
	all := []tool.Reason{
		{Code: tool.CodeSpawn, Status: tool.StatusFailed, Sentence: "The command could not be started.", Remediation: tool.RemediationModifyArguments},
		{Code: tool.CodeNoProcess, Status: tool.StatusFailed, Sentence: "There is no process with that id in this session. List the processes for those there are.", Remediation: tool.RemediationModifyArguments},
		{Code: tool.CodeEnded, Status: tool.StatusFailed, Sentence: "The process has ended, so nothing can be sent to it.", Remediation: tool.RemediationModifyArguments},
		{Code: tool.CodeNoInput, Status: tool.StatusFailed, Sentence: "The process takes no input. Start a program that is to read input with the process tool.", Remediation: tool.RemediationModifyArguments},
		{Code: tool.CodeNotTaken, Status: tool.StatusFailed, Sentence: "The process stopped reading before it had taken all of the input.", Remediation: tool.RemediationModifyArguments},
	}
	return slices.DeleteFunc(all, func(r tool.Reason) bool { return !slices.Contains(codes, r.Code) })
}
