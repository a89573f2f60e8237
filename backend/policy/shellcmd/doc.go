// Package shellcmd reads a command line as bash would and says what it would do: the
// simple commands in order, the files and machines that they reach, and whether all of
// that can be known without running it. It is pure: it looks at no file and runs nothing.
//
// What is not provably plain is dynamic, and what bash would refuse, or the parser cannot
// read for certain, is not parsed; neither is ever let through by a rule.
package shellcmd
