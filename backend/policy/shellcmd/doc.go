// Package shellcmd reads a command line as bash would and says what it would do: the
// simple commands in order, the files and machines that they reach, and whether all of
// that can be known without running it. It is pure: it looks at no file and runs nothing.
//
// What is not provably plain is dynamic, and what bash would refuse, or the parser cannot
// read for certain, is not parsed; neither is ever let through by a rule.
//
// The parser takes more than bash does in some places and less in others. Where it takes
// more, survey refuses; the fuzz targets compare with bash itself, which only reads there,
// and with what bash prints of a text. Where it takes less, nothing is parsed: a question
// too many. A here-document that only the end of the text ends is the one exception.
//
// The folder of the shell is followed through cd, on each way that a list or a condition
// can take, since behind a failed cd the next command runs where it always did. A path is
// followed by its names alone; where .. leaves a folder that may be a link, that folder is
// named as a use too. Variables that were set to a plain text are followed as well, so that
// a reader sees what is meant; a text that uses one is dynamic all the same. What is known to
// be a number, such as how the last command ended, or one of the plain words of a loop, is
// not, where it stands among the words of a command that only prints or compares them.
//
// Of a word that is not known, what it may be is often all in the line: ${HOME%/}, $(echo /), what
// a pipe feeds to xargs. That is guessed, and what a command would do with it is added to what it
// does. It stays dynamic, so a wrong guess can only make an answer stricter.
package shellcmd
