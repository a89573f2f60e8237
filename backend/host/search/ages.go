package search

import (
	"runtime"
	"sync"

	"countersign/backend/tool"
)

// The system is asked about files in batches, by several at a time: a question costs more
// than all else that is done for a name, and ripgrep goes on finding meanwhile.
const (
	batchFiles = 128
	maxLookers = 8
)

// batch is files that are asked about together. there says which of them are files still.
type batch struct {
	files []tool.FoundFile
	there []bool
	done  chan struct{}
}

// ages asks about files and hands them on in the order in which they came, from the
// goroutine that adds them.
type ages struct {
	each    func(tool.FoundFile) bool
	now     []tool.FoundFile
	waiting []*batch
	work    chan *batch
	lookers sync.WaitGroup
	enough  bool
}

func newAges(each func(tool.FoundFile) bool) *ages {
	n := min(maxLookers, runtime.GOMAXPROCS(0))
	a := &ages{each: each, work: make(chan *batch, n)}
	for range n {
		a.lookers.Go(func() {
			for b := range a.work {
				for i := range b.files {
					b.there[i] = look(&b.files[i])
				}
				close(b.done)
			}
		})
	}
	return a
}

// add takes a file. It reports false once nobody wants more.
func (a *ages) add(f tool.FoundFile) bool {
	if a.now == nil {
		a.now = make([]tool.FoundFile, 0, batchFiles)
	}
	if a.now = append(a.now, f); len(a.now) == batchFiles {
		a.send()
	}
	return !a.enough
}

func (a *ages) send() {
	if len(a.now) == 0 {
		return
	}
	b := &batch{files: a.now, there: make([]bool, len(a.now)), done: make(chan struct{})}
	a.now = nil
	a.waiting = append(a.waiting, b)
	// Never more are waited for than there is room for, so that sending never waits long.
	a.work <- b
	for len(a.waiting) > cap(a.work) {
		a.hand()
	}
}

// hand hands the oldest batch on.
func (a *ages) hand() {
	b := a.waiting[0]
	a.waiting = a.waiting[1:]
	<-b.done
	for i, f := range b.files {
		if b.there[i] && !a.enough {
			a.enough = !a.each(f)
		}
	}
}

// finish hands on what is left, and reports whether that was enough.
func (a *ages) finish() bool {
	a.send()
	for len(a.waiting) > 0 {
		a.hand()
	}
	return a.enough
}

// stop ends those that look. What is left is not handed on.
func (a *ages) stop() {
	close(a.work)
	a.lookers.Wait()
}
