package pathclass

import (
	"path"
	"strings"
)

// Containment says where a path argument leads by its text alone.
type Containment string

// Where a path argument can lead. Refused is a text that is no path of the
// system, or one whose meaning depends on more than the text.
const (
	Inside  Containment = "inside"
	Outside Containment = "outside"
	Refused Containment = "refused"
)

// MaxPath and MaxName bound a joined path and each of its names, in bytes.
const (
	MaxPath = 4096
	MaxName = 255
)

// Contain says where arg leads from workspace, an absolute path of the system.
// Nothing is expanded or decoded: a tilde, a variable and a percent sign are
// letters. Links are not its business; the workspace handle follows those.
// foldCase says that the file system takes names that differ in case for one.
func Contain(sys System, workspace, arg string, foldCase bool) Containment {
	if arg == "" || workspace == "" || strings.ContainsRune(arg, 0) {
		return Refused
	}
	if sys == Windows {
		return containWindows(workspace, arg)
	}
	if sys != Linux && sys != Darwin {
		return Refused
	}
	joined := arg
	if !strings.HasPrefix(arg, "/") {
		joined = workspace + "/" + arg
	}
	return contain(workspace, joined, foldCase)
}

// contain compares slash paths. A name is measured before parent steps are taken:
// the system would have to look it up.
func contain(workspace, joined string, foldCase bool) Containment {
	if len(joined) > MaxPath {
		return Refused
	}
	for name := range strings.SplitSeq(joined, "/") {
		if len(name) > MaxName {
			return Refused
		}
	}
	root, full := path.Clean(workspace), path.Clean(joined)
	if foldCase {
		root, full = foldNames(root), foldNames(full)
	}
	if full == root || root == "/" || strings.HasPrefix(full, root+"/") {
		return Inside
	}
	return Outside
}

// foldNames folds ASCII alone: two names that this calls one must be one on every
// file system that folds, or a path outside would count as inside.
func foldNames(p string) string {
	b := []byte(p)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func containWindows(workspace, arg string) Containment {
	a := strings.ReplaceAll(arg, `\`, "/")
	w := strings.TrimRight(strings.ReplaceAll(workspace, `\`, "/"), "/")
	if strings.HasPrefix(a, "//?/") || strings.HasPrefix(a, "//./") || strings.HasPrefix(a, "/??/") {
		return Refused
	}
	drive, rest := splitDrive(a)
	wDrive, wRest := splitDrive(w)
	if wRest == "" {
		wRest = "/"
	}
	if drive != "" && !strings.HasPrefix(rest, "/") {
		return Refused // relative to the current folder of a drive, which the text does not say
	}
	for name := range strings.SplitSeq(rest, "/") {
		if !windowsName(name) {
			return Refused
		}
	}
	switch {
	case strings.HasPrefix(a, "//"):
		if !strings.HasPrefix(w, "//") {
			return Outside
		}
		return contain(w[1:], a[1:], true)
	case drive != "" && !strings.EqualFold(drive, wDrive):
		return Outside
	case strings.HasPrefix(rest, "/"):
		if strings.HasPrefix(w, "//") {
			return Outside
		}
		return contain(wRest, rest, true)
	case strings.HasPrefix(w, "//"):
		return contain(w[1:], w[1:]+"/"+rest, true)
	}
	return contain(wRest, wRest+"/"+rest, true)
}

func splitDrive(p string) (drive, rest string) {
	if len(p) >= 2 && p[1] == ':' && ('a' <= p[0]|0x20 && p[0]|0x20 <= 'z') {
		return p[:2], p[2:]
	}
	return "", p
}

// windowsName reports whether Windows would take the name as it is written. It
// reads devices, streams and trailing dots or spaces as something else.
func windowsName(name string) bool {
	if name == "" || name == "." || name == ".." {
		return true
	}
	if strings.ContainsAny(name, `<>:"|?*`) || strings.ContainsFunc(name, func(c rune) bool { return c < 0x20 }) {
		return false
	}
	if last := name[len(name)-1]; last == '.' || last == ' ' {
		return false
	}
	base, _, _ := strings.Cut(name, ".")
	return !windowsDevice(strings.ToLower(strings.TrimRight(base, " ")))
}

func windowsDevice(base string) bool {
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if n, ok := strings.CutPrefix(base, port); ok {
			switch n {
			case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
				return true
			}
		}
	}
	return false
}
