// Package registrytest holds the in-memory journal that tests of the pipeline use
// and the contract suite that every journal passes. It is imported by tests only.
package registrytest
