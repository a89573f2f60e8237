// Package running has the words about programs that run: what a command is called on a
// line, how it ended, how long it took. Tools and the window share it, so that the same
// end has the same words everywhere.
//
// It runs nothing and knows no machine.
package running
