package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"countersign/backend/tool"
)

// maxLinks is how many links one path may lead through, as in the kernel.
const maxLinks = 40

// Resolve follows arg to where it leads. It opens nothing.
func (w *Workspace) Resolve(arg string) (tool.Path, error) {
	if err := Check(arg, runtime.GOOS); err != nil {
		return tool.Path{}, refused(err)
	}
	// Not filepath.Join: it would take "link/.." away before the link was followed.
	abs := arg
	if !filepath.IsAbs(arg) {
		abs = w.root + string(filepath.Separator) + arg
	}
	at, err := follow(abs)
	if err != nil {
		return tool.Path{}, err
	}
	clean := filepath.Clean(abs)
	return tool.Path{
		Arg: arg, Abs: clean, Real: at.real, Rel: w.rel(at.real),
		Zone: w.zone(at.real), Kind: at.kind,
		Linked: at.links > 0 && at.real != clean,
	}, nil
}

// again resolves p once more and refuses when it leads elsewhere now.
func (w *Workspace) again(ctx context.Context, p tool.Path) (tool.Path, error) {
	if err := ctx.Err(); err != nil {
		return tool.Path{}, err
	}
	now, err := w.Resolve(p.Arg)
	if err != nil {
		return tool.Path{}, err
	}
	if now.Real != p.Real || now.Zone != p.Zone {
		return tool.Path{}, moved("the path leads elsewhere than it did")
	}
	return now, nil
}

// place is where a path leads.
type place struct {
	real  string
	kind  tool.FileKind
	links int
}

// follow walks an absolute path part by part, as the kernel does: a link is
// followed where it stands, and ".." leaves the directory that was reached, not the
// name that was written. Parts that do not exist are kept as they are written. A
// part that may not be looked at is kept too, and what stands there is then not
// known.
func follow(abs string) (place, error) {
	volume := filepath.VolumeName(abs)
	top := volume + string(filepath.Separator)
	done, rest := top, parts(abs[len(volume):])
	links, barred := 0, false
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		if part == ".." {
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, part)
		info, err := os.Lstat(next)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return place{}, refused(errors.New("the path leads through too many links"))
			}
			target, err := os.Readlink(next)
			if err != nil {
				return place{}, failure("follow link", err)
			}
			if filepath.IsAbs(target) {
				done = filepath.VolumeName(target) + string(filepath.Separator)
				target = target[len(filepath.VolumeName(target)):]
			}
			rest = append(parts(target), rest...)
			continue
		case err == nil, absent(err):
		case tooLong(err):
			return place{}, refused(errors.New("the path is too long"))
		default:
			barred = true
		}
		done = next
	}
	return place{real: done, kind: kindAt(done, barred), links: links}, nil
}

// kindAt says what stands at a path that has no links.
func kindAt(real string, barred bool) tool.FileKind {
	info, err := os.Lstat(real)
	switch {
	case err == nil:
		return kindOf(info.Mode())
	case absent(err) && !barred:
		return tool.KindAbsent
	}
	return tool.KindOther
}

func kindOf(m fs.FileMode) tool.FileKind {
	switch {
	case m.IsRegular():
		return tool.KindFile
	case m.IsDir():
		return tool.KindDirectory
	case m&fs.ModeSymlink != 0:
		return tool.KindLink
	case m&fs.ModeNamedPipe != 0:
		return tool.KindFIFO
	case m&fs.ModeSocket != 0:
		return tool.KindSocket
	case m&fs.ModeDevice != 0:
		return tool.KindDevice
	}
	return tool.KindOther
}

// parts splits a path into the names in it.
func parts(path string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		if part != "." {
			out = append(out, part)
		}
	}
	return out
}
