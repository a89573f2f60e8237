package main

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// aged is a file with the time of its last change.
type aged struct {
	name    string
	changed time.Time
}

// lookFiles is how many files are asked about in one go.
const lookFiles = 128

// newestFirst is the least that a list by age takes: ripgrep's names as they come, a question
// about each, asked by all processors at once and from the folder of the file, and a sort.
func (m searchMeasure) newestFirst() error {
	c := exec.CommandContext(m.ctx, m.s.Program, "--no-config", "--files", "--null")
	c.Dir = m.root.Real
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	var (
		lookers sync.WaitGroup
		mu      sync.Mutex
		all     []aged
		work    = make(chan []aged, 64)
	)
	for range runtime.GOMAXPROCS(0) {
		lookers.Go(func() {
			for files := range work {
				lookBare(m.root.Real, files)
				mu.Lock()
				all = append(all, files...)
				mu.Unlock()
			}
		})
	}
	names := bufio.NewReaderSize(out, 64<<10)
	files := make([]aged, 0, lookFiles)
	for err == nil {
		var name []byte
		if name, err = names.ReadSlice(0); err != nil {
			break
		}
		if files = append(files, aged{name: string(name[:len(name)-1])}); len(files) == lookFiles {
			work <- files
			files = make([]aged, 0, lookFiles)
		}
	}
	work <- files
	close(work)
	lookers.Wait()
	slices.SortFunc(all, func(a, b aged) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.name, b.name))
	})
	if err != io.EOF {
		return err
	}
	return c.Wait()
}

// lookBare asks about files, from each folder once.
func lookBare(root string, files []aged) {
	var folder *os.Root
	dir := ""
	for i := range files {
		if now := filepath.Dir(files[i].name); folder == nil || now != dir {
			if folder != nil {
				_ = folder.Close()
			}
			dir = now
			var err error
			if folder, err = os.OpenRoot(filepath.Join(root, dir)); err != nil {
				return
			}
		}
		if info, err := folder.Lstat(filepath.Base(files[i].name)); err == nil {
			files[i].changed = info.ModTime()
		}
	}
	if folder != nil {
		_ = folder.Close()
	}
}
