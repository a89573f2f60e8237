// Package processbench measures what the running of commands costs beside what the system
// needs for the same: a start against a bare fork and exec, output through pipes against
// its producer writing to a file, output through a terminal against a bare reader of one,
// and the end of a tree of processes against one signal to its group.
package processbench
