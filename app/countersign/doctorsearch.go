package main

import (
	"os"

	"countersign/backend/host/search"
)

// examineSearch looks for the program that grep and glob need.
func examineSearch() finding {
	self, _ := os.Executable()
	found, err := search.Find(self)
	switch {
	case err != nil:
		return finding{"search", stateNote, "ripgrep is not installed, so grep and glob are not available", search.Hint}
	case !found.Shipped:
		return finding{"search", stateOK, found.Path + " (the system's; none lies beside this program)", ""}
	}
	return finding{"search", stateOK, found.Path, ""}
}
