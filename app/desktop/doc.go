// Command countersign-desktop is the desk in a window: the page that countersign serve
// gives to a browser, in WebKitGTK, with the engine in the same program. It is the only
// package that knows Wails, and it decides nothing: what the page asks goes through
// app/bridge, and what both kinds of desk need comes from app/desk.
//
// The page reaches the engine through one bound method that carries the same messages
// as the WebSocket of serve. A value of Wails' own making per method was the other way:
// its dispatcher ends the program on a reply that cannot be written, and generated code
// would stand beside the types that serve needs anyway.
//
// The window is of this user, and so is whatever else runs as this user: a program that
// may send keys to the display, attach a debugger or load code into this one can decide
// here as the person can. What is shut are doors for others: no port is opened, no
// address but the page's own is shown, and nothing that is dropped on it is opened.
//
// How the window was left is kept in the home. WebKit makes two folders of its own beside
// the caches of other programs, countersign-desktop in ~/.cache and ~/.local/share: Wails
// takes its default context, whose folders cannot be moved without moving those of GTK as
// well. All of the page that is in them is the name of its theme.
package main
