// Package grep is the tool grep: the lines that a pattern matches, grouped by file, the
// file that changed last first.
//
// Which hundred lines are shown is decided once all are known: they come in the order in
// which the search met them, and newest first is worth more than early. So the search goes
// on past the hundredth line, up to a number that no reader wants to pass, and the whole
// list is kept in the output store; but not the lines of a file whose every read is asked
// about, since what is kept is read without a question.
//
// A line is cut to 250 characters. Where its first match lies beyond them, those around
// the match are shown instead: a line without what was looked for helps nobody.
//
// When nothing matches, the search is tried again without regard to case, and with one
// letter changed, and what that finds is suggested. The suggestion comes from the files
// and is what they hold.
package grep
