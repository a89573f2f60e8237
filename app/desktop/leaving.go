package main

import (
	"sync"
	"time"
)

// quitEvent asks the page to ask the person; its data is what is at stake.
const quitEvent = "countersign:quit"

// askPatience is how long a page may take to show the question. One that does not is
// broken, and the person closes the window all the same.
const askPatience = 2 * time.Second

// stake is what the end of the window would end.
type stake struct {
	// Waiting counts the calls that wait for the person, Processes what runs in the background.
	Waiting   int `json:"waiting"`
	Processes int `json:"processes"`
}

// leaving decides whether the window may close. While something is at stake, the page asks
// first.
type leaving struct {
	count func() stake
	ask   func(stake)
	close func()

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
	s := l.count()
	if s == (stake{}) {
		l.agreed = true
		return true
	}
	l.ask(s)
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
