// Package running is what the tools that run commands have in common: their class, their
// reasons, and where their output goes. It has the words about programs that run, too: what
// a command is called on a line, how it ended, how long it took. Tools and the window share
// them, so that the same end has the same words everywhere.
//
// It runs nothing and knows no machine.
package running
