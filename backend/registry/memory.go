package registry

import (
	"maps"
	"sync"

	"countersign/backend/tool"
)

// Breakers: how often one call may meet the same end before the pipeline ends it
// unasked.
const (
	maxDenials   = 3
	maxRepeats   = 5
	maxUncertain = 1
)

// maxHistories bounds how many different calls the breakers remember.
const maxHistories = 4096

// Memory is what the pipeline remembers of a session: file stamps, the least trusted
// text that was read, and how often the same call met the same end.
type Memory struct {
	mu     sync.Mutex
	stamps map[string]tool.Stamp
	origin tool.Trust
	// histories are the calls that did not succeed. era counts successes.
	histories map[key]*history
	era       int
}

type key struct{ tool, hash string }

// history is how the calls with the same arguments ended.
type history struct {
	// repeats counts them since the last success of the session, the one that era names.
	repeats, era int
	uncertain    int
	denials      map[tool.Code]int
}

// NewMemory returns the memory of a session that has these stamps.
func NewMemory(stamps map[string]tool.Stamp) *Memory {
	m := &Memory{stamps: map[string]tool.Stamp{}, origin: tool.TrustUser, histories: map[key]*history{}}
	maps.Copy(m.stamps, stamps)
	return m
}

// Past is what the stored calls of a session say that its memory must still know when the
// session is opened again.
type Past struct {
	// Trusts are the labels of what its calls returned.
	Trusts []tool.Trust
	// Uncertain are the calls whose effect is not known.
	Uncertain []PastCall
}

// PastCall is a tool with the hash of its arguments.
type PastCall struct{ ToolID, ArgumentsHash string }

// Recall adds the past of a session to its memory.
func (m *Memory) Recall(p Past) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range p.Trusts {
		m.origin = m.origin.Lower(t)
	}
	for _, c := range p.Uncertain {
		m.history(key{c.ToolID, c.ArgumentsHash}).add(m.era, tool.StatusUncertain, tool.CodeUncertain)
	}
}

// Get returns the stamp of a real path.
func (m *Memory) Get(real string) (tool.Stamp, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.stamps[real]
	return s, ok
}

// Put remembers the stamp of a file that a running call has written.
func (m *Memory) Put(s tool.Stamp) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stamps[s.Path] = s
}

// Origin returns the least trusted label among what the session has read.
func (m *Memory) Origin() tool.Trust {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.origin
}

// Forgive clears the breakers: the rules have changed, so the same call may end
// differently now. An effect that is not known stays unknown under any rules.
func (m *Memory) Forgive() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, h := range m.histories {
		if h.uncertain == 0 {
			delete(m.histories, k)
			continue
		}
		*h = history{uncertain: h.uncertain}
	}
}

// admit refuses a call that met the same end too often.
func (m *Memory) admit(toolID, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.histories[key{toolID, hash}]
	if h == nil {
		return nil
	}
	for _, n := range h.denials {
		if n >= maxDenials {
			return tool.Errorf(tool.CodeRepeatedDenial, "denied %d times", n)
		}
	}
	if h.uncertain >= maxUncertain {
		return tool.Errorf(tool.CodeRepeatedDenial, "an identical call has an unknown outcome")
	}
	if h.era == m.era && h.repeats >= maxRepeats {
		return tool.Errorf(tool.CodeLoopDetected, "%d identical calls", h.repeats)
	}
	return nil
}

// settle remembers how a call ended and what it read.
func (m *Memory) settle(toolID, hash string, o *tool.Outcome, files []tool.FileRecord) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range files {
		m.stamps[f.Stamp.Path] = f.Stamp
	}
	if o.Status == tool.StatusSucceeded || len(o.Content) > 0 {
		m.origin = m.origin.Lower(o.OutputTrust)
	}
	if o.Status == tool.StatusSucceeded {
		m.era++
		return
	}
	// A caller that is told to ask again later for an answer is not repeating itself.
	if hash == "" || o.Status == tool.StatusCancelled || o.ReasonCode == tool.CodeApprovalPending || o.ReasonCode == tool.CodeApprovalTooMany {
		return
	}
	m.history(key{toolID, hash}).add(m.era, o.Status, o.ReasonCode)
}

func (m *Memory) history(k key) *history {
	h := m.histories[k]
	if h == nil {
		if len(m.histories) >= maxHistories {
			maps.DeleteFunc(m.histories, func(_ key, h *history) bool { return h.uncertain == 0 })
		}
		h = &history{}
		m.histories[k] = h
	}
	return h
}

func (h *history) add(era int, status tool.Status, code tool.Code) {
	if h.era != era {
		h.era, h.repeats = era, 0
	}
	h.repeats++
	switch status {
	case tool.StatusUncertain:
		h.uncertain++
	case tool.StatusDenied:
		if h.denials == nil {
			h.denials = map[tool.Code]int{}
		}
		h.denials[code]++
	case tool.StatusSucceeded, tool.StatusFailed, tool.StatusUnavailable, tool.StatusCancelled:
	}
}
