// Package toolset knows the tool sets that operators put into directories: where they lie, which
// hides which, what of them is offered, and what is to be said of the rest. It reads manifests and
// starts nothing by itself.
//
// A set is a directory with a tools.json. There are four trees of them: that of the workspace and
// that of the home, each under our own folder and under that of Crystal, whose sets run unchanged.
// The first tree that has a directory of a name hides those of that name in the others, whole,
// even where its manifest is broken: a set is replaced, never mixed.
//
// A link in the home is the operator's own and is followed, as programs that keep settings in one
// place make them. A set of a project may be a link only within its workspace: what a stranger's
// repository brings must not point at files that are somewhere else.
package toolset
