// Package spill keeps on disk what is too long for a reader: one folder a session,
// one file a result, under the output folder of the product's home.
//
// Files are private (0600 in folders of 0700) and are never overwritten. A text that is
// there when it is kept appears under its name only once it is whole, so that a path in
// a marker always leads to all of it. A log grows under its name while it is written, and
// has a line where something could not be kept. Everything goes through a handle on the output folder:
// a session folder that somebody replaced by a link to elsewhere is refused.
//
// It knows sessions and names, not what a text means; the row that describes a file
// is kept by the store. Nothing here decides what may be removed: who asks for room
// says which sessions are alive.
package spill
