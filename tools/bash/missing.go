package bash

import (
	"regexp"
	"strings"
)

// shellSays are the lines in which shells say that they did not find a program.
var shellSays = regexp.MustCompile(`(?:^|: )([A-Za-z0-9_.+-]{1,64}): (?:command )?not found$`)

// saidLines is how many lines of the end are looked at.
const saidLines = 5

// missingProgram finds the name of a program that the shell did not find, "" where it does
// not stand near the end of the output.
func missingProgram(output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-saidLines):] {
		if m := shellSays.FindStringSubmatch(strings.TrimRight(line, "\r ")); m != nil {
			return m[1]
		}
	}
	return ""
}
