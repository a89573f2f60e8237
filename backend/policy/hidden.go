package policy

import "countersign/backend/policy/shellcmd"

// Hidden is a run of characters that a reader may miss or take for others.
type Hidden = shellcmd.Hidden

// HiddenIn finds the characters of a text that a reader may miss or take for others.
func HiddenIn(text string) []Hidden { return shellcmd.HiddenIn(text) }
