package shellcmd

import "countersign/backend/policy/shellcmd/program"

// judge knows what changes the folder of the shell.
func judge(inv program.Invocation) program.Judgement {
	switch words := inv.Words; {
	case words[0].Text != "cd":
	case len(words) == 1:
		return program.Judgement{Home: true}
	case len(words) == 2:
		return program.Judgement{Directory: &words[1]}
	default:
		return program.Judgement{Directory: &program.Word{Text: program.Unknown, Dynamic: true}}
	}
	return program.Judgement{}
}
