// Package bound cuts text that is too long for its reader and says what is missing.
//
// It is pure: it neither keeps the rest nor knows where the rest went. Its caller
// puts the whole text into the output store first and passes the path that the
// marker names, or "" when the rest could not be kept.
//
// A cut keeps the start and the end and one marker line between them, since the
// end of an output is where its error usually stands. Lists and searches keep
// whole entries from the start instead. Whole lines are kept as long as they fill
// at least half of the room; only where one long line would leave more of it empty
// is the line itself cut, at a rune. A marker counts against the bytes allowed but
// not against the lines, so that head and tail together show exactly the number of
// lines that a limit names.
package bound
