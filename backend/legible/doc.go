// Package legible makes plain text of what a program printed for a terminal, for a reader
// that sees neither colours nor a cursor.
//
// Control sequences are taken out, and a line that was drawn over, such as a progress bar,
// is shown as it stood in the end. Only movements within a line are followed: there is no
// screen here, so what moves up or away begins a line of its own, and nothing that was
// shown on another line is taken back. What is not text is shown as an escape, such as
// \x00 and \xff, so that it is neither lost nor taken for something else.
//
// A control string (a title, a link, an image) ends at a line break at the latest, so that
// one that is never closed cannot hide what follows it. Links keep their words.
package legible
