package shellcmd

import "countersign/backend/policy/shellcmd/program"

// downloaded notes that a command runs what one of the sources sends, if it comes from
// another machine.
func downloaded(cmd *Command, sources []Command) {
	for i := range sources {
		if len(sources[i].Words) > 0 && program.Downloads(sources[i].Words) {
			cmd.Findings = append(cmd.Findings, program.Finding{
				Effect: program.Runs, Rule: "download", Words: "runs what another machine sends", Restricted: true,
			})
			return
		}
	}
}
