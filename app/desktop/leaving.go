package main

import (
	"sync"
	"time"
)

// quitEvent asks the page to ask the person; its data is how many calls wait.
const quitEvent = "countersign:quit"

// askPatience is how long a page may take to show the question. One that does not is
// broken, and the person closes the window all the same.
const askPatience = 2 * time.Second

// leaving decides whether the window may close. While calls wait, the page asks first.
type leaving struct {
	// waiting counts the calls that wait for the person.
	waiting func() int
	ask     func(waiting int)
	close   func()

	mu       sync.Mutex
	agreed   bool
	patience *time.Timer
}

// wanted says that the window is to close: it does, or the page is told to ask.
func (l *leaving) wanted() {
	if l.may() {
		l.close()
	}
}

func (l *leaving) may() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.agreed {
		return true
	}
	n := l.waiting()
	if n == 0 {
		l.agreed = true
		return true
	}
	l.ask(n)
	if l.patience == nil {
		l.patience = time.AfterFunc(askPatience, l.quit)
	}
	return false
}

// asked says that the page shows the question.
func (l *leaving) asked() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calm()
}

// stay keeps the window open.
func (l *leaving) stay() { l.asked() }

// quit closes the window without asking again.
func (l *leaving) quit() {
	l.mu.Lock()
	l.calm()
	l.agreed = true
	l.mu.Unlock()
	l.close()
}

func (l *leaving) calm() {
	if l.patience != nil {
		l.patience.Stop()
		l.patience = nil
	}
}
