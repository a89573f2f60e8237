package search

import (
	"runtime"
	"strconv"
	"sync"

	"countersign/backend/tool"
)

// The system is asked about files in batches, by several at a time: a question costs more
// than all else that is done for a name, and ripgrep goes on finding meanwhile.
const (
	batchFiles = 128
	maxLookers = 8
	// maxWaiting is how many batches may wait for their answers.
	maxWaiting = 32
)

// listers is how ripgrep is told to leave half of the processors to those that look.
func listers() string { return "--threads=" + strconv.Itoa(max(1, runtime.GOMAXPROCS(0)/2)) }

// batch is files that are asked about together. there says which of them are files still.
type batch struct {
	files []tool.FoundFile
	there [batchFiles]bool
	done  chan struct{}
}

// ages asks about files and hands them on in the order in which they came, from the
// goroutine that adds them.
type ages struct {
	each func(tool.FoundFile) bool
	now  *batch
	// waiting is in the order in which they came, free what was handed on.
	waiting, free []*batch
	work          chan *batch
	lookers       sync.WaitGroup
	enough        bool
}

func newAges(each func(tool.FoundFile) bool) *ages {
	a := &ages{each: each, work: make(chan *batch, maxWaiting)}
	a.now = a.empty()
	for range min(maxLookers, runtime.GOMAXPROCS(0)) {
		a.lookers.Go(func() {
			for b := range a.work {
				lookAt(b.files, b.there[:])
				b.done <- struct{}{}
			}
		})
	}
	return a
}

func (a *ages) empty() *batch {
	if n := len(a.free); n > 0 {
		b := a.free[n-1]
		a.free = a.free[:n-1]
		return b
	}
	return &batch{files: make([]tool.FoundFile, 0, batchFiles), done: make(chan struct{}, 1)}
}

// add takes a file. It reports false once nobody wants more.
func (a *ages) add(f tool.FoundFile) bool {
	if a.now.files = append(a.now.files, f); len(a.now.files) == batchFiles {
		a.send()
	}
	return !a.enough
}

func (a *ages) send() {
	if len(a.now.files) == 0 {
		return
	}
	a.waiting = append(a.waiting, a.now)
	a.work <- a.now
	for len(a.waiting) > 0 && a.ready() {
		a.hand()
	}
	a.now = a.empty()
}

// ready reports whether the oldest batch is to be handed on: it has its answers, or no more
// may wait.
func (a *ages) ready() bool {
	return len(a.waiting) == maxWaiting || len(a.waiting[0].done) > 0
}

// hand hands the oldest batch on.
func (a *ages) hand() {
	b := a.waiting[0]
	a.waiting = a.waiting[1:]
	<-b.done
	for i := range b.files {
		if b.there[i] && !a.enough {
			a.enough = !a.each(b.files[i])
		}
	}
	b.files = b.files[:0]
	a.free = append(a.free, b)
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
