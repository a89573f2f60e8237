// Package clock is the one place where time, chance and ids come from. Everything
// that differs from run to run is made here and handed to its user, so that a
// test, or a run with --clock, can hold it still.
//
// It keeps no state of its own: a program makes one clock and one source of ids
// and gives them to whoever needs them.
package clock
