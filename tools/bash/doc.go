// Package bash is the tool bash: a shell command that is waited for.
//
// What a command prints is an observation, and so is its exit code: a failing test is a
// result like any other. An error is only what kept the command from running, or ended it.
//
// A command is never killed for the time it takes. At its limit it becomes a managed
// process, which the tool process reads and stops; so does what a command leaves behind in
// the background. Only a call that is cancelled ends its command, with all that it started.
//
// All that is printed is kept in the output store as it came. The caller gets the start and
// the end of it without colours and control sequences, and where the rest is. The output
// counts as foreign text unless the command was read and stays inside the workspace: then it
// is worth what the files there are.
package bash
