// Package dotfile reads and replaces the configuration files of other programs, which
// belong to the person: in one step, with their mode and owner, through the links that lead
// to them, and never when they changed meanwhile. What goes into one is not decided here.
//
// Links are followed because people keep such files in a folder of their own and link to
// them; a file put in the place of the link would part the two. A file with several names
// is refused for the same reason. A file in a workspace may lead nowhere else: whoever can
// write there could otherwise choose what is written over.
package dotfile
