// Package kin tells whether this program was started, directly or not, by a command that one of
// our programs runs. Such a start comes from an agent as likely as from a person, so it may
// not loosen what is asked of a person.
//
// Two signs count, each alone. Every command of ours carries a mark in its environment, which
// it hands on; and on Linux the programs above this one are looked at, so that taking the mark
// away does not help. An ancestor is ours by the name of its file; one whose file may not be looked at
// is judged by the name that the system shows.
//
// Where no ancestors can be looked at, only the mark is left, and without it the answer is no:
// a refusal on every such machine would take the flags from everybody. A program that leaves
// the tree by other means, such as a job of the system's own scheduler, is not found; handing
// a job to one is a command that a person is asked about.
package kin
