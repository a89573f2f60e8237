package toolset

import (
	"context"
	"runtime"
	"sync"
)

// Several calls do for each number below n, several at a time, until ctx ends. It returns when all
// that began have returned.
func Several(ctx context.Context, n int, do func(i int)) {
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	workers.Wait()
}
