package workspace

import (
	"errors"
	"slices"
	"strings"
)

// The most bytes that a path and one part of it may have.
const (
	maxPathBytes = 4096
	maxPartBytes = 255
)

// Check reports why a text cannot be a path on the system goos, in a sentence that
// does not hold the text; nil when it can. It looks at nothing but the text: no
// tilde, variable or percent sign means anything, and no white space is trimmed.
func Check(arg, goos string) error {
	switch {
	case arg == "":
		return errors.New("the path is empty")
	case strings.ContainsRune(arg, 0):
		return errors.New("the path holds a NUL character")
	case len(arg) > maxPathBytes:
		return errors.New("the path is longer than 4,096 bytes")
	}
	windows, rest := goos == "windows", arg
	if windows {
		if err := checkVolume(arg); err != nil {
			return err
		}
		rest = afterDrive(arg)
	}
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '/' || windows && r == '\\' }) {
		if len(part) > maxPartBytes {
			return errors.New("a part of the path is longer than 255 bytes")
		}
		if windows {
			if err := checkPart(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkVolume refuses what Windows reads as another place than it looks: only
// C:\… and plain relative paths are left.
func checkVolume(arg string) error {
	slash := func(i int) bool { return i < len(arg) && (arg[i] == '/' || arg[i] == '\\') }
	switch {
	case slash(0) && slash(1):
		return errors.New("network, device and extended paths are not taken")
	case slash(0):
		return errors.New("a path from the root needs its drive")
	case len(arg) > 1 && arg[1] == ':' && !slash(2):
		return errors.New("a path with a drive needs a slash behind it")
	}
	return nil
}

// afterDrive takes the drive off the start of a path of Windows. Anywhere else a colon
// opens a stream.
func afterDrive(arg string) string {
	if len(arg) > 1 && arg[1] == ':' && 'a' <= arg[0]|0x20 && arg[0]|0x20 <= 'z' {
		return arg[2:]
	}
	return arg
}

// checkPart refuses names that Windows takes for something else: a stream, a
// device, or the same name without what stands at its end.
func checkPart(part string) error {
	if part == "." || part == ".." {
		return nil
	}
	if strings.ContainsAny(part, `<>:"|?*`) || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' }) {
		return errors.New("the path holds a character that this system does not take in names")
	}
	if strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
		return errors.New("a part of the path ends in a dot or a space")
	}
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	if slices.Contains(devices, stem) {
		return errors.New("a part of the path is the name of a device")
	}
	if number, ok := strings.CutPrefix(stem, "COM"); ok && slices.Contains(ports, number) {
		return errors.New("a part of the path is the name of a device")
	}
	if number, ok := strings.CutPrefix(stem, "LPT"); ok && slices.Contains(ports, number) {
		return errors.New("a part of the path is the name of a device")
	}
	return nil
}

var (
	devices = []string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}
	ports   = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}
)
