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

// Memory is what the pipeline remembers of a session: file stamps, the least trusted
// text that was read, and how often the same call met the same end.
type Memory struct {
	mu     sync.Mutex
	stamps map[string]tool.Stamp
	origin tool.Trust
	ends   map[end]int
	// repeats counts calls with the same arguments since the last success.
	repeats map[key]int
}

type key struct{ tool, hash string }

type end struct {
	key
	status tool.Status
	code   tool.Code
}

// NewMemory returns the memory of a session that has these stamps.
func NewMemory(stamps map[string]tool.Stamp) *Memory {
	m := &Memory{stamps: map[string]tool.Stamp{}, origin: tool.TrustUser, ends: map[end]int{}, repeats: map[key]int{}}
	maps.Copy(m.stamps, stamps)
	return m
}

// Get returns the stamp of a real path.
func (m *Memory) Get(real string) (tool.Stamp, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.stamps[real]
	return s, ok
}

// Origin returns the least trusted label among what the session has read.
func (m *Memory) Origin() tool.Trust {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.origin
}

// Forgive clears the breakers: the rules have changed, so the same call may end
// differently now.
func (m *Memory) Forgive() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.ends)
	clear(m.repeats)
}

// admit refuses a call that met the same end too often.
func (m *Memory) admit(toolID, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := key{toolID, hash}
	for e, n := range m.ends {
		if e.key != k {
			continue
		}
		if e.status == tool.StatusDenied && n >= maxDenials {
			return tool.Errorf(tool.CodeRepeatedDenial, "denied %d times", n)
		}
		if e.status == tool.StatusUncertain && n >= maxUncertain {
			return tool.Errorf(tool.CodeRepeatedDenial, "an identical call has an unknown outcome")
		}
	}
	if m.repeats[k] >= maxRepeats {
		return tool.Errorf(tool.CodeLoopDetected, "%d identical calls", m.repeats[k])
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
	k := key{toolID, hash}
	if o.Status == tool.StatusSucceeded {
		m.origin = m.origin.Lower(o.OutputTrust)
		clear(m.repeats)
		return
	}
	// A caller that is told to ask again later for an answer is not repeating itself.
	if hash == "" || o.Status == tool.StatusCancelled || o.ReasonCode == tool.CodeApprovalPending {
		return
	}
	m.ends[end{k, o.Status, o.ReasonCode}]++
	m.repeats[k]++
}
