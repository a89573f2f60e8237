// Package lines reads a text of any size by the numbers of its lines.
//
// The index is sparse: it counts the line breaks before every so many bytes, so that a line
// is found by looking at one stretch. It is built as the text is read, goes on where a text
// grows, and holds the same amount of memory for every size, by letting the stretches grow.
// The start of a text can be read before anything is counted. An index of every line was
// the other way: it finds a line a little sooner and takes more memory than the text where
// lines are short.
//
// Text is bytes here: what is legible is for whoever shows it.
package lines
