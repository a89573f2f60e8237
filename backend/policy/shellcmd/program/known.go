package program

// Prints says that a program does no more with any of its words than print or compare them,
// whatever they are, but for its options.
func Prints(name string) bool {
	r := rows().rows[name]
	return r != nil && (r.nothing || r.prints)
}

// Known says whether the table has a row for the program of that name.
func Known(name string) bool { return rows().rows[name] != nil }
