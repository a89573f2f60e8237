// Package bridge is the one way from a page to the engine: an API of plain
// methods over plain data, and a numbered stream of hints. It knows nothing of
// windows or sockets; app/desktop binds it and app/serve puts it on a wire.
//
// Words that a person reads about a call are made here, in pure functions, so
// that every page shows the same ones. Text from agents, tools and files passes
// through as data and is never put into a sentence of ours.
package bridge
