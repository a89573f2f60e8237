package workspace

import (
	"errors"
	"io/fs"
	"os"

	"countersign/backend/tool"
)

// refused is the answer to a text that cannot be a path. The sentence is ours and
// does not hold the text.
func refused(why error) *tool.Error {
	return tool.Errorf(tool.CodeArgumentsInvalid, "resolve path: %w", why).WithText("The path cannot be used: " + why.Error() + ".")
}

func moved(how string) *tool.Error { return tool.Errorf(tool.CodePolicyPathMoved, "%s", how) }

func stale(how string) *tool.Error { return tool.Errorf(tool.CodeStale, "%s", how) }

// failure is an error of the file system: the path is taken out, and a cause that
// a reader can be advised about is named.
func failure(doing string, err error) *tool.Error {
	err = cause(err)
	if named := advised(err); named != nil {
		return tool.Errorf(tool.CodeIO, "%s: %w: %w", doing, named, err)
	}
	return tool.Errorf(tool.CodeIO, "%s: %w", doing, err)
}

// cause takes the path out of an error of the file system.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// unusable is the answer to a path that holds no regular file.
func unusable(kind tool.FileKind) error {
	switch kind {
	case tool.KindFile:
		return nil
	case tool.KindAbsent:
		return tool.Errorf(tool.CodeFileNotFound, "nothing stands at the path")
	case tool.KindDirectory:
		return tool.Errorf(tool.CodeIsDirectory, "the path is a directory")
	case tool.KindLink:
		return moved("a link stands where none stood")
	case tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindOther:
	}
	return tool.Errorf(tool.CodeNotAFile, "the path is a %s", kind)
}
