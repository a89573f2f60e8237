package kin

import (
	"bytes"
	"os"
	"strconv"
)

// maxAncestors bounds the walk. No tree is that deep, and numbers are used again.
const maxAncestors = 1024

// maxShownName is how much of a program's name the system shows, in bytes.
const maxShownName = 15

// below reports whether one of the programs above this one is ours.
func below() bool {
	pid := os.Getppid()
	for range maxAncestors {
		if pid <= 0 {
			return false
		}
		name, parent, ok := look(pid)
		if !ok {
			return false
		}
		if program(pid, name) {
			return true
		}
		pid = parent
	}
	return false
}

// program reports whether a process runs one of our programs.
func program(pid int, name string) bool {
	path, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	if err != nil {
		return name == "countersign" || name == "countersign-desktop"[:maxShownName]
	}
	return ours(path)
}

// look reads the name that a process shows and its parent.
func look(pid int) (name string, parent int, ok bool) {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0, false
	}
	from, to := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if from < 0 || to < from {
		return "", 0, false
	}
	fields := bytes.Fields(line[to+1:])
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return string(line[from+1 : to]), parent, err == nil
}
