// Package workspace is the one way to files. It resolves the paths that callers
// write to where they really lead, and opens, lists and replaces files there.
//
// A path is judged once and used later, perhaps hours later, so every use resolves
// it again and refuses when it now leads elsewhere. What is then opened is not the
// text but the resolved directory, part by part: at each part the name must be a
// directory that is no link, and must be the directory that was opened. os.Root
// refuses to leave the workspace but follows links within it; the check of each
// part is what keeps a link swapped in meanwhile from leading to another file of
// the same workspace. Below the workspace the walk starts at a handle that is held
// from the start, elsewhere at the root of the file system, which needs the right to
// read every directory on the way.
//
// Nothing that is not a regular file is ever read or replaced, and nothing is
// opened in a way that waits: a FIFO, a device or a socket is refused by what the
// directory says of it, and again by what the handle says.
//
// A file is replaced whole: a temporary file beside it, synced, and renamed over
// it. Its mode bits stay, its owner where the system lets us. Other names of the
// same file keep the old content, and extended attributes are not carried over;
// that is the price of never leaving half a file. A temporary file that a killed
// program left is removed by the next write to its directory: it is known by its
// name, and by nobody holding a lock on it.
//
// Errors carry a code and a cause without the path, which a caller wrote.
package workspace
