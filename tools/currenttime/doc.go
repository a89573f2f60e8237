// Package currenttime is system.current_time: what the host's clock says, in a
// named timezone.
//
// It is a pure function of the clock that it is given, the name and the timezone
// database that is compiled in. It never asks for the time itself and never looks
// at the machine: a program that used the system's database would answer
// differently on two machines, and not at all on one without it. For the same
// reason time.LoadLocation is not used. It reads the system's files first, takes
// the empty name for UTC and Local for the machine's own zone, and accepts paths
// for names.
//
// zoneinfo.zip is a copy of lib/time/zoneinfo.zip of the Go toolchain, 400 KB. A
// test compares the two, so that an update of the toolchain brings its timezone
// rules along.
package currenttime
