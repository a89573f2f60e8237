package toolset

// noWait is nothing here: no file of a directory waits for whoever opens it.
const noWait = 0
