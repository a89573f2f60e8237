// Package read is the tool read: a page of a file with numbered lines, so that a
// model can quote lines back and go on where a page ended.
//
// Whatever the page, the file is read to its end, in pieces: the footer says how
// many lines there are, and the stamp that lets write and edit change the file later
// is the hash of all of it. A page read in part counts as read.
//
// A directory is listed two levels deep, a binary file is described in one line.
// Both are results, not failures: the caller learnt what stands there. A binary file
// is stamped too, so that it can be replaced by somebody who knows what it was.
//
// Text from the workspace carries the label of our own tools. What stands outside
// it, and what was kept in the output store, may have been written by anybody, so
// there the result lowers its label.
package read
