package store_test

// child runs the part of a test that needs a process of its own.
func child() bool { return false }
