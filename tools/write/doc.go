// Package write is the tool write: it creates a file or replaces one whole.
//
// An existing file must have been read in the session and must still be what was
// read; the preview, the run and the replacement itself each check it, the last
// under the file's lock.
//
// The old file's line ends and byte order mark stay, so a model that read lines need
// not know them. A file that mixes line ends takes the text as it is written, since
// nobody could say which of them a new line should have.
//
// What a person is shown is made by the same code as what is written, and carries the
// hash of the file it was made from; a run that finds another file ends as stale.
// A person may keep some of the changes that were shown: the whole result is computed as
// ever, and only the runs of lines that were kept are taken from it.
package write
