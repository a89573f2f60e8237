// Package hook is the contract with the operator's own programs that look at calls: the JSON
// that one gets on its standard input, and the JSON that it must print. It starts nothing.
//
// A hook can tighten and never loosen: it asks, denies or rewrites, and what it rewrites is
// judged anew. What it prints is read strictly, since an answer that is half understood might
// have been a no: nothing printed, another form, a key that is not known, or a value out of
// its range is no answer, and a call without an answer does not run.
//
// A hook gets the arguments as they are, secrets included. It is a program of the person whose
// secrets they are, and one that must judge a command could not do so by a copy with holes.
package hook
