// Package manifest reads tools.json, the file that makes a directory a tool set. It is pure: it
// is handed the name of the directory and the bytes of the file, and looks at nothing else. Which
// directories there are, which set hides which, and whether a name is taken is for others to say.
//
// Keys are matched exactly and may not be given twice, since a reader that folds their case or
// takes the last of two makes a file mean something else than the person who reviewed it saw. A
// field that is not known is ignored, as the format has it; one that is known and has the wrong
// type, null too, refuses the set.
package manifest
