package process

// ring keeps the newest bytes of a stream. Bytes are read straight into it.
type ring struct {
	buf []byte
	// most is how far buf may grow.
	most int
	// start and end are the places in the stream of what is kept.
	start, end int64
}

// firstRing is the size of a new ring. Most commands print little.
const firstRing = 16 << 10

// largestChunk bounds what is read at once. The system writes a large chunk to a file with
// less work for each byte than a small one.
const largestChunk = 512 << 10

// reserve gives room for the next bytes. What stood there is given up.
func (r *ring) reserve() []byte {
	if r.buf == nil {
		r.buf = make([]byte, firstRing)
	}
	// One that filled up is not big enough for what comes.
	if len(r.buf) < r.most && r.end >= int64(len(r.buf)) {
		r.grow(min(r.most, 4*len(r.buf)))
	}
	at := int(r.end % int64(len(r.buf)))
	n := min(len(r.buf)-at, len(r.buf)/2, largestChunk)
	r.start = max(r.start, r.end+int64(n)-int64(len(r.buf)))
	return r.buf[at : at+n]
}

// publish makes the first n bytes of what was reserved part of the stream.
func (r *ring) publish(n int) { r.end += int64(n) }

// full reports whether the ring is as big as it may be, since that much was printed.
func (r *ring) full() bool { return len(r.buf) >= r.most }

func (r *ring) grow(size int) {
	old := r.buf
	r.buf = make([]byte, size)
	for at := r.start; at < r.end; {
		piece := old[at%int64(len(old)):]
		piece = piece[:min(int64(len(piece)), r.end-at)]
		to := int(at % int64(size))
		at += int64(copy(r.buf[to:], piece))
	}
}

// from returns a copy of what is kept from a place on, at most n bytes. The place must be kept.
func (r *ring) from(at int64, n int) []byte {
	n = int(min(int64(n), r.end-at))
	out := make([]byte, 0, n)
	for len(out) < n {
		i := int((at + int64(len(out))) % int64(len(r.buf)))
		out = append(out, r.buf[i:min(len(r.buf), i+n-len(out))]...)
	}
	return out
}
