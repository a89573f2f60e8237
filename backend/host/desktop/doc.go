// Package desktop reaches the person through the desktop that the program runs on. It shows
// what it is given, and decides nothing about it.
//
// A notification goes over the message bus of the session to whatever service the desktop has
// for it. No program is started here and no other way is tried: where there is no bus or no
// service there is no notification. The bus is reached through a socket of the machine alone,
// since an address may also name a host or a program to run.
//
// A service may hang, and a bus too. Every call ends with its context, whatever the other
// side does, and after a call that failed the next one begins with a new connection.
package desktop
