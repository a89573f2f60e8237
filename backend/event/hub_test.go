package event

import "testing"

func TestSlowSubscriberLosesEventsAndBlocksNobody(t *testing.T) {
	var h Hub
	slow, cancelSlow := h.Subscribe()
	quick, cancelQuick := h.Subscribe()
	defer cancelQuick()
	for i := range subscriberRoom + 10 {
		h.Emit(Event{Seq: int64(i + 1)})
		if e := <-quick; e.Seq != int64(i+1) {
			t.Fatalf("the quick one got %d, want %d", e.Seq, i+1)
		}
	}
	cancelSlow()
	n := 0
	for range slow {
		n++
	}
	if n != subscriberRoom {
		t.Errorf("the slow one got %d events, want %d", n, subscriberRoom)
	}
	cancelSlow()
	h.Emit(Event{})
}
