// Package toolset knows the tool sets that operators put into directories: where they lie, which
// hides which, what of them is offered, and what is to be said of the rest. It makes tools of what
// is offered: a call becomes an argument vector, variables and an input, and what the program of
// the set printed becomes the result. The program itself is run by the host.
//
// A set is a directory with a tools.json. There are four trees of them: that of the workspace and
// that of the home, each under our own folder and under that of Crystal, whose sets run unchanged.
// The first tree that has a directory of a name hides those of that name in the others, whole,
// even where its manifest is broken: a set is replaced, never mixed.
//
// A link in the home is the operator's own and is followed, as programs that keep settings in one
// place make them. A set of a project may be a link only within its workspace: what a stranger's
// repository brings must not point at files that are somewhere else.
//
// # A call
//
// No shell reads anything, and nothing is expanded: words of the manifest and values of the
// arguments reach the program as they are. Of the arguments only paths change, into the absolute
// paths that they lead to; the rest of the JSON is handed on byte for byte, so that numbers and
// order are those of the caller. A property that is declared a path holds a text or lists of
// texts; anything else refuses the call, since a program could read a path out of it that nobody
// fenced.
//
// The time limit of a set is about its program. It is kept by the host from the start of the
// program to the last byte that is read of it, so the images that an answer names are read
// outside of it, and the pipeline sets no limit of its own.
//
// An answer as content is read from what was captured and nothing else. Every image is judged
// before the first is opened, and all are opened and looked at before the first is kept.
//
// # Assemblies
//
// The tools of a dotnet set are types of an assembly, which only a runtime can load. A host program
// does that, in a process for each listing and for each call: starting one takes about a tenth of
// a second, and in return a call can be ended, and nothing that one call left behind meets the
// next. What a tool is told of its call stands in the question to the host and in no variable.
//
// A listing runs constructors of the set. It is for the caller of Scan to say of which sets that is
// wanted: ErrUnasked leaves a set without tools.
package toolset
