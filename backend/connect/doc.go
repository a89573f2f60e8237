// Package connect knows how programs that speak MCP are told to start countersign: the
// command or the entry of a configuration for each of them, and what a file that exists
// becomes when the entry is put into it. It starts none of these programs.
//
// It is pure but for Panel, which is handed the files. An edit keeps every byte that it is
// not about: comments, order, indentation and line ends stay as the person made them. What
// cannot be read for certain is not written; the person then gets the text to paste.
//
// Files of a workspace name that workspace. Files of the user serve every folder that the
// client is started in, so they leave the workspace out, and the folder is it: otherwise
// two desks would write over one another's entry in turn.
//
// Several clients replace variables inside what they read. A path that such a client would
// change has no entry there, since none would be exact.
package connect
