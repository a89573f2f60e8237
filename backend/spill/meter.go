package spill

import "sync"

const (
	// step is how much is written, in bytes, before the disk is looked at again and room is
	// asked for again.
	step = 16 << 20
	// maxReserve is how much of the disk stays free, in bytes, or a sixteenth of a small one:
	// what a call printed must not take the room in which the store writes how it ended.
	maxReserve = 256 << 20
)

// meter counts what is written. It says how much of the disk may be taken, and when it is
// time to make room. Asking costs a lock; the disk is asked now and then.
type meter struct {
	// disk says how many bytes the disk has and how many of them are free; ok is false where
	// that cannot be found out.
	disk func() (total, free int64, ok bool)
	// pressed holds a message while room is asked for.
	pressed chan struct{}

	mu sync.Mutex
	// room is how much may be written before the disk is looked at again, budget before room
	// is asked for.
	room, budget int64
	// short says that there was no room, until there is so much again that it lasts a while.
	short bool
}

func newMeter(disk func() (total, free int64, ok bool)) *meter {
	return &meter{disk: disk, pressed: make(chan struct{}, 1), budget: step}
}

// take says how many of n bytes may be written.
func (m *meter) take(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if int64(n) > m.room {
		m.look()
	}
	n = int(min(int64(n), m.room))
	m.room -= int64(n)
	m.budget -= int64(n)
	if m.budget <= 0 {
		m.budget = step
		select {
		case m.pressed <- struct{}{}:
		default:
		}
	}
	return n
}

func (m *meter) look() {
	total, free, ok := m.disk()
	if !ok {
		m.room = step
		return
	}
	reserve := min(maxReserve, total/16)
	m.room = max(0, min(step, free-reserve))
	if m.short && m.room < min(step, reserve) {
		m.room = 0
	}
	m.short = m.room == 0
}

// measured says that used bytes are kept of which limit may be.
func (m *meter) measured(used, limit int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.budget = max(step, limit-used)
}
