// Package policy decides. It is a pure function from facts to a decision with its
// chain: no clock, no I/O, no state, so that the same facts give the same bytes.
//
// Floors are combined by the strictest. A plain question is then answered by the
// first of a grant, the preset, the reviewer and the person; a Deny by nobody.
package policy
