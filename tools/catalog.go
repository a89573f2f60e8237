// Package tools lists the tools that are built in. A tool lives in a folder of its
// own below this one; adding it takes that folder and one line here.
package tools

import (
	"countersign/backend/tool"
	"countersign/tools/bash"
	"countersign/tools/calculate"
	"countersign/tools/currenttime"
	"countersign/tools/edit"
	"countersign/tools/externalwrite"
	"countersign/tools/glob"
	"countersign/tools/grep"
	"countersign/tools/process"
	"countersign/tools/read"
	"countersign/tools/write"
)

// Catalog returns the specs of all built-in tools, in the order in which they are
// listed to callers. Each call makes them anew.
func Catalog() []tool.Spec {
	return []tool.Spec{
		read.Spec(),
		write.Spec(),
		edit.Spec(),
		grep.Spec(),
		glob.Spec(),
		bash.Spec(),
		process.Spec(),
		calculate.Spec(),
		currenttime.Spec(),
		externalwrite.Spec(),
	}
}
