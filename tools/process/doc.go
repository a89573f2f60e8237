// Package process is the tool process: programs that run in the background while the
// session works on, such as a dev server, a watcher or a REPL.
//
// A process is known by a name of its session, p1, p2 and so on, never by the number of the
// system: a number that a caller made up could be anybody's. What it prints is kept whole
// in its log; a read gives what came since the last one.
//
// To start one and to send it text is to run code. To list, read and stop is not: it
// touches nothing but what the session was allowed to start.
package process
