// Package program knows programs: what the words that a program is started with make it
// do. It reads argument vectors after the shell took off their quotes, and knows nothing
// of shells, files or the machine.
//
// What it knows is a table of rows, each with an example that it must catch and a near
// miss that it must let pass; Load runs them all. A program that has no row is taken to
// do with its words what any program may: it runs, and what it does is not known.
package program
