package tool

import (
	"errors"
	"slices"
)

// Codes of tools that work on files. CodeStale stands beside Files, which checks it.
const (
	CodeNotRead      Code = "tool.invalid_arguments.not_read"
	CodeIsDirectory  Code = "tool.invalid_arguments.is_directory"
	CodeNotAFile     Code = "tool.invalid_arguments.not_a_file"
	CodeNotDirectory Code = "tool.invalid_arguments.not_a_directory"
	CodeTooLarge     Code = "tool.invalid_arguments.too_large"
	CodeMarked       Code = "tool.invalid_arguments.redacted"
	CodeFileNotFound Code = "tool.not_found.file_not_found"
	CodeIO           Code = "tool.internal.io"
)

// Causes of a CodeIO failure that a tool can give a reader advice about; a missing
// permission is fs.ErrPermission. Test with errors.Is.
var (
	ErrNoSpace       = errors.New("no space left")
	ErrReadOnlyDisk  = errors.New("file system is read-only")
	ErrParentNotADir = errors.New("a part of the path is not a directory")
)

// FileReasons returns what the named codes of tools that work on files mean, so
// that each tool says it in the same words. A code that is not among them is left
// out.
func FileReasons(codes ...Code) []Reason {
	var out []Reason
	for _, r := range fileReasons() {
		if slices.Contains(codes, r.Code) {
			out = append(out, r)
		}
	}
	return out
}

func fileReasons() []Reason {
	return []Reason{
		{CodeNotRead, StatusFailed, "The file exists and was not read in this session. Read it first, then write or edit it.", false, RemediationModifyArguments},
		{CodeStale, StatusFailed, "The file changed after it was last read. Read it again and reapply the change.", false, RemediationModifyArguments},
		{CodeIsDirectory, StatusFailed, "The path is a directory. Give the path of a file.", false, RemediationModifyArguments},
		{CodeNotAFile, StatusFailed, "The path is not a regular file. Give the path of a file.", false, RemediationModifyArguments},
		{CodeNotDirectory, StatusFailed, "The path is not a directory. Give the path of a directory.", false, RemediationModifyArguments},
		{CodeTooLarge, StatusFailed, "The text is over the size limit of the tool. Work on a part of it.", false, RemediationModifyArguments},
		{CodeMarked, StatusFailed, "The new text holds a marker that stands for hidden text. Read the file and write what it holds there.", false, RemediationModifyArguments},
		{CodeFileNotFound, StatusFailed, "There is no file at that path. Check the path or list its directory.", false, RemediationModifyArguments},
		{CodeBadPattern, StatusFailed, "The pattern cannot be read. Correct it at the place that the text names.", false, RemediationModifyArguments},
		{CodeIO, StatusFailed, "The file could not be read or written. Nothing was changed.", true, RemediationNone},
	}
}
