package dotfile

import (
	"io/fs"
	"os"
)

// names is how many names a file has. It is not asked for here.
func names(fs.FileInfo) int { return 1 }

// own leaves a new file with the rights that it has from its folder.
func own(*os.File, fs.FileInfo) error { return nil }
