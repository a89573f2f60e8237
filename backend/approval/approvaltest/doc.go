// Package approvaltest holds the in-memory ledger that tests of approvals use and
// the contract suite that every ledger passes. It is imported by tests only.
package approvaltest
