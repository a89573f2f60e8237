// Package registry holds the tools and runs their calls. Registration refuses
// whatever could go wrong later; Dispatch is the pipeline, fourteen steps in one
// table with one call site, for every door and every kind of tool alike.
//
// Nothing before the intent is stored touches the world, and nothing after a
// tool has run can undo it: what follows only validates, cuts, stores and shows.
// The registry does no I/O of its own; it reaches the machine through
// tool.Host, the store through Journal and the person through approval.Desk.
package registry
