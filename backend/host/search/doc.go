// Package search finds text and files with ripgrep, which does the walking and the
// matching. It starts the program, reads what it says as it says it, and ends it.
//
// Nothing of a query can become an option: patterns are given as the value of one, and
// the path behind "--". The environment is empty and no configuration file is read, so
// the same tree gives the same answer on every machine; ignore files of the person
// outside the tree have no say. A .gitignore counts without a repository too.
//
// What a session may not read without being asked is never shown, counted or hinted at.
// Which files that are is not known here: Searcher.Held says so for each file that
// something was found in, by the whole path, just as a read of it would be judged.
// Options of ripgrep cannot express those rules, so ripgrep may have looked into such a
// file; what it found there goes no further than this package. Links are never followed.
// Somebody who swaps a file for a link while a search runs could have its target looked
// into: the path is looked at before its lines go on, which leaves the moment between.
//
// The process has a group of its own, which is killed when the caller has enough or its
// context ends. One goroutine, which the caller of the search waits for, belongs to it.
package search
