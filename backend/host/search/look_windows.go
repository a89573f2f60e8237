package search

import (
	"os"

	"countersign/backend/tool"
)

// lookAt looks at files, and says for each whether it is a file still.
func lookAt(files []tool.FoundFile, there []bool) {
	for i := range files {
		there[i] = look(&files[i])
	}
}

// look fills in what the system says of a file. It reports false when the file is not
// there any more, or is a link now.
func look(f *tool.FoundFile) bool {
	info, err := os.Lstat(f.Path.Real)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f.ModTime = info.ModTime().UTC()
	return true
}
