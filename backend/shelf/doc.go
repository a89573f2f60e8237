// Package shelf keeps the tool sets of workspaces loaded. It says which of them are there, what
// their tools are, and whether each is still what the person let in; it runs nothing and decides
// nothing about calls.
//
// A place is looked at when it is first asked for, and anew when somebody says so: that a
// manifest changed on disk is told, and changes nothing by itself, so that a file that is being
// written does not become a tool. What a set is made of is written down when it is first loaded:
// a set of the home lies there because the person put it there, and one of a project is covered
// by the trust in its workspace. From then on a set that is made of something else is offered as
// it was, and refuses every call until the person accepts the change.
package shelf
