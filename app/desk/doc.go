// Package desk puts a desk together: an engine with its log, the API for a page, and
// the door for agents. `countersign serve` and the window are the same desk behind two
// kinds of page, and the other commands open their engine the same way. It knows no
// page, no window and no command line: what went wrong comes back as a Refusal in
// words, and who called says it.
package desk
