package program

// Known says whether the table has a row for the program of that name.
func Known(name string) bool { return rows().rows[name] != nil }
