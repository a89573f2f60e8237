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
// reader has figures and a note in place of a diff.
//
// A person may keep some of the runs of lines that changed and leave the others: a run is
// what stands between two lines that stay, since that is what a reader sees as one change.
// Hunks would be coarser, as two changes that have nothing to do with each other share one
// where they stand near; single lines would be finer than what compiles.
//
// The script is our own search for a shortest one. The libraries that were looked at fall
// short: aymanbagabas/go-udiff gives up after some hundred differences and replaces the
// rest whole, so that 5,000 edits in 50,000 lines became 98,000 lines out of 6,500;
// pmezard/go-difflib matches longest blocks, which is not shortest; sergi/go-diff compares
// characters and needs a deadline. It costs three hundred lines, which properties hold to
// a table that finds the shortest script slowly.
package change
