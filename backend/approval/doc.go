// Package approval keeps the calls that wait for a person and the answers they
// get. The first answer wins; the same answer again is a success and a different
// one a conflict. A waiting call holds no transaction and no lock.
// A card may also end without an answer, when the rules or the files change under it: it
// then says what that made of its call, and such an end is never kept or used as an answer.
//
// An answer may keep some of the changes that a card shows and leave others out: for this call
// alone, and never none of them, which is a denial.
//
// It does not decide anything: policy said that a person must be asked before a
// request gets here, and the registry checks the hashes again after an answer.
package approval
