// Package glob is the tool glob: the files whose paths fit a pattern, the one that
// changed last first.
//
// ripgrep lists the files, since it knows the ignore files, and the pattern is matched
// here: as one of its own options a pattern would bring ignored and hidden files back.
//
// When no file fits, the answer names the extension that is nearest to the one asked for,
// of files that would fit otherwise.
package glob
