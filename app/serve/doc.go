// Package serve puts the page and the bridge on a loopback address, for a machine
// without a screen and for tests.
//
// Whoever reaches it can allow calls, so it trusts nothing about a request: the
// name in Host must be its own (a page elsewhere may have made its name lead here),
// the origin must be its own, and a cookie must prove that the one-time link was
// opened. The link works once, because links end up in histories and logs. The
// cookie is HttpOnly and SameSite=Strict, so no other page can use it.
//
// It speaks plain HTTP: on loopback nobody else hears it. An address beyond that has
// to be named, and the program then says what it means.
package serve
