// Package policy decides. It is a pure function from facts to a decision with its
// chain: no clock, no I/O, no state, so that the same facts give the same bytes.
//
// Floors are combined by the strictest. A plain question is then answered by the
// first of a grant, the preset, the reviewer and the person; a Deny by nobody.
//
// Each floor is one function from the view of the facts to a voice: hardline, matrix,
// paths and so on, heard in the order of their layers. Adding one adds a function and
// a line in judge; it can only tighten, since the strictest voice is kept.
//
// A command line is judged by its reading. What it names is touched as the arguments of a
// call are, so that hardline, paths and capabilities see one kind of path; a use that nobody
// looked at counts as one that may be anywhere. What nobody can tell beforehand is a
// question that no grant and no preset answers, and no more than that: it is as likely
// harmless as not, and a card without a default button for each would dull the ones that
// matter. Findings that are restricted or act on the machine speak for themselves, in the
// name of their command.
//
// Some of the frozen rules look at a command line as a whole. Reading a file of secrets and
// reaching another machine in one line is blocked even where the two have nothing to do with
// each other, since nobody can prove that. Removing the root or the user's home is, by name
// or as all that lies in it; a pattern for some of it is a question. A command that reads all
// below the user's home is restricted, for it reads the keys there, and one that changes all
// below our own home is blocked.
//
// MatrixText prints what every class of call gets. Its golden file is what people
// review, and it is part of the policy version, so that a change of behaviour shows in
// both. Load refuses the start when the program decides anything else.
//
// Some choices that a reader may question. The read-only lock looks at what the tool
// says it does and at what it names, so a read outside the workspace is still asked for
// under it: nothing would be changed. A label of trust that is not known counts as
// foreign. Facts that contradict each other, such as a reader that names a path to
// write, are denied as unclassifiable rather than judged by the worse half: one of the
// two is a fault, and nobody can say which. Profile strict applies the trust overlay of
// its matrix as it was written, which leaves reads from listed hosts alone, while
// desktop asks for them once foreign text was read: the one place where strict is not
// the stricter of the two. The preset is part of the version, so that
// a session's grants rest while another preset is in force; that costs a question now
// and then, and keeps every recorded decision explainable by its version alone. A grant for
// a workspace would be worth little if it rested so, and rests only while another profile is
// in force: every floor is heard before it, under whatever settings. Both die when the rules
// that come with the program change, since what a person allowed was allowed under those.
//
// The risk of a call decides nothing: it orders what waits, sets when a card expires and asks
// for a deliberate hand. So a command line of ours that stays inside the workspace has the risk
// of what it does, below that of its tool's class, which speaks of the worst of them. Whatever
// was not read for certain, and each program that the table does not know, stays at the class.
//
// A grant of commands covers one simple command by its words. It covers a command line only
// together with others that cover the rest, and only what its own words do: who allowed
// "find *" has not seen -delete. A beginning behind which other words decide what is run, such
// as "env *", is not offered. No grant is made of a secret or of what cannot be seen.
package policy
