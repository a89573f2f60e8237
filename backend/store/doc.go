// Package store keeps sessions, calls, approvals and their story in one SQLite
// database in the home folder. It implements registry.Journal and approval.Ledger
// and decides nothing.
//
// Every write of a program goes through one goroutine. It takes all writes that
// wait, runs each in its own savepoint and commits them together, so that many
// writers share one sync of the disk; a write that comes alone is committed at
// once. When a method returns, what it wrote is on disk, and its events have been
// handed to the sink. The price is that a write never runs beside another one of
// the same program, which SQLite would not allow anyway. Reads have connections of
// their own and wait for nobody.
//
// The number of an event is one more than the last of its session, taken inside
// the transaction that appends it. There is no counter that could run ahead, so
// there are no gaps, whichever program writes.
//
// Several programs may have one home open. Each holds a lock file for its life; a
// session belongs to one program at a time, and what belongs to a program whose
// lock is held is left alone by everybody else. Lock files outlive a kill only as
// garbage: the lock itself goes with the process, whatever its number is used for
// later.
//
// The write-ahead log is copied back into the database by a second connection, off
// the path of writers. fsync and not fdatasync is what the driver calls; once the
// log has been through one round it is overwritten in place, and both cost the
// same.
package store
