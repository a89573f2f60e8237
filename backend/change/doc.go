// Package change knows what the bytes of a text file are beyond their words (line
// ends, byte order mark, encoding, hash), keeps them so when the words are replaced,
// and draws what a replacement changes.
//
// It is pure: files come in as readers and leave as bytes. Tools that change files
// share it, so that each keeps the same things and shows the same diff.
//
// A diff is taken line by line over the bytes as they will be, with three lines of
// context. Where both sides end every line in CRLF the line ends are left out of it
// and noted instead, since they would hide the words. A change too large for a
// reader has figures and a note in place of a diff; the algorithm gives up on the
// shortest diff after some hundred differences, and then replaces more lines than
// it must, but never shows a line that is not so.
package change
