// Package tool is the vocabulary of the product: what a tool is, how a call
// and its outcome are written down, and what a host offers. Every other package
// speaks in these words.
//
// It is pure. It opens nothing, reads no clock and holds no state, so that a
// registration, a classification or an outcome can be asserted with nothing
// else built. What a tool does to the machine goes through Host; a nil field of
// Host is a capability this machine does not have.
package tool
