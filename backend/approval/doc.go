// Package approval keeps the calls that wait for a person and the answers they
// get. The first answer wins; the same answer again is a success and a different
// one a conflict. A waiting call holds no transaction and no lock.
//
// It does not decide anything: policy said that a person must be asked before a
// request gets here, and the registry checks the hashes again after an answer.
package approval
