// Package guard knows what must be true of a file before a tool reads or changes it,
// and what a caller is told when it is not.
//
// It holds a call to the path that it was judged for, and a change to the file that
// the session knows: an existing file must have been read and must still be what was
// read, and a file that a person was shown must still be what was shown. The hash
// decides, never the time stamp: a file that was only touched is not stale.
//
// It also says what the text of a file is worth by where the file lies.
//
// Tools that work on files share it, so that the same refusal has the same words
// everywhere. It opens nothing itself; files come through the host.
package guard
