package workspace

import (
	"cmp"
	"context"
	"io"
	"os"
	"slices"

	"countersign/backend/tool"
)

// listChunk is how many entries are read at a time, between two looks at whether
// the call is still wanted.
const listChunk = 1024

// Entries lists the directory at p in byte order. Links are listed, not followed.
func (w *Workspace) Entries(ctx context.Context, p tool.Path) ([]tool.Entry, error) {
	now, err := w.again(ctx, p)
	if err != nil {
		return nil, err
	}
	switch now.Kind {
	case tool.KindDirectory, tool.KindOther:
	case tool.KindAbsent:
		return nil, unusable(tool.KindAbsent)
	case tool.KindFile, tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink:
		return nil, tool.Errorf(tool.CodeNotDirectory, "the path is a %s", now.Kind)
	}
	t, err := w.walk(p.Real, false)
	if err != nil {
		return nil, err
	}
	defer t.close()
	var all []tool.Entry
	err = list(ctx, t.dir, func(e tool.Entry) bool {
		all = append(all, e)
		return true
	})
	slices.SortFunc(all, func(a, b tool.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

// list calls each for the entries of dir in no order, until each says no.
func list(ctx context.Context, dir *os.Root, each func(tool.Entry) bool) error {
	f, err := dir.Open(".")
	if err != nil {
		return failure("open directory", err)
	}
	defer f.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		some, err := f.ReadDir(listChunk)
		for _, d := range some {
			e := tool.Entry{Name: d.Name(), Kind: kindOf(d.Type())}
			if info, err := d.Info(); err == nil && e.Kind == tool.KindFile {
				e.Size = info.Size()
			}
			if !each(e) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return failure("list directory", err)
		}
	}
}
