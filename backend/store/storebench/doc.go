// Package storebench measures the store against what the machine can do in the same
// minute: a durable write against one sync of a plain file, many writers against the
// rate of such syncs, a page of a long log against the bare query. It prints nothing
// and asserts nothing; a developers' command puts the figures beside their goals.
package storebench
