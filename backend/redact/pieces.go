package redact

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Piece is a hidden piece of a JSON text, with the marker that stands for it alone.
type Piece struct {
	Marker string
	// text is what is hidden; number says that it is a number and not part of a text. field is
	// the outermost name that it stands under.
	text   string
	number bool
	field  string
}

// What is wrong with a text that pieces are to be put back into.
var (
	ErrPieceUnknown = errors.New("a marker stands for no hidden piece")
	ErrPieceTwice   = errors.New("a hidden piece stands more than once")
	ErrPieceMoved   = errors.New("a hidden piece stands in another field")
)

// Pieces returns the copy of a JSON text for eyes in which each hidden piece has a marker of
// its own, so that a person can change what stands around it and PutBack knows it again. What
// is no JSON, and a text that holds such a marker already, has no such copy: ok is false.
func Pieces(text string, m Mark) (copied string, pieces []Piece, ok bool) {
	if m == "" || !json.Valid([]byte(text)) || strings.Contains(text, m.numbered()) {
		return "", nil, false
	}
	r := reader{s: text, mark: m, pieces: &pieces}
	r.value(place{})
	r.to.WriteString(text[r.done:])
	return r.to.String(), pieces, true
}

// numbered is how the marker of a single piece begins.
func (m Mark) numbered() string { return opening + ":" + string(m) + ":" }

// marker is what stands for a hidden piece, which is kept where pieces are.
func (r *reader) marker(text string, number bool) string {
	if r.pieces == nil {
		return r.mark.String()
	}
	p := Piece{Marker: r.mark.numbered() + strconv.Itoa(len(*r.pieces)+1) + "]", text: text, number: number, field: r.field}
	*r.pieces = append(*r.pieces, p)
	return p.Marker
}

// replaced is the text with a marker in the place of every span.
func (r *reader) replaced(text string, spans []Span) string {
	if r.pieces == nil {
		return replaced(text, spans, r.mark)
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString(r.marker(text[s.Start:s.End], false))
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// PutBack returns a JSON text that was made of a copy of Pieces with the hidden pieces in the
// place of their markers, byte for byte. A piece may be left out; it may not stand twice, nor
// in another field than it came from. A marker of the session that is of no piece is refused.
// What is no JSON comes back as it is, for whoever reads it next to refuse.
func PutBack(text string, pieces []Piece, m Mark) (string, error) {
	if !json.Valid([]byte(text)) {
		return text, nil
	}
	w := putter{reader: reader{s: text, mark: m}, pieces: pieces, used: map[string]bool{}}
	w.value()
	if w.err != nil {
		return "", w.err
	}
	w.to.WriteString(text[w.done:])
	return w.to.String(), nil
}

// putter walks over a JSON text and puts pieces back.
type putter struct {
	reader
	pieces []Piece
	used   map[string]bool
	err    error
}

func (w *putter) value() {
	switch b := w.next(); b {
	case '{', '[':
		w.depth++
		for w.at++; ; {
			b := w.next()
			if b == '}' || b == ']' {
				w.at++
				break
			}
			if b == ',' {
				w.at++
				continue
			}
			w.member()
		}
		w.depth--
	case '"':
		start := w.at
		w.put(start, w.literal(), true)
	default:
		for w.at < len(w.s) && strings.IndexByte(" \t\r\n,]}", w.s[w.at]) < 0 {
			w.at++
		}
	}
}

// member steps over a value of a list, or a name with its value.
func (w *putter) member() {
	if w.s[w.at] != '"' {
		w.value()
		return
	}
	start := w.at
	text := w.literal()
	if w.at < len(w.s) && w.next() == ':' {
		if w.depth == 1 {
			w.field = text
		}
		w.put(start, text, false)
		w.at++
		w.value()
		return
	}
	w.put(start, text, true)
}

// put writes a text with the pieces that it names. Only a value can be a number.
func (w *putter) put(start int, text string, value bool) {
	// What stands between the text and here, such as the white space before a colon, stays.
	end := w.at
	for w.s[end-1] != '"' {
		end--
	}
	if w.err != nil || !strings.Contains(text, w.mark.numbered()) {
		return
	}
	out := text
	for _, p := range w.pieces {
		switch strings.Count(text, p.Marker) {
		case 0:
			continue
		case 1:
		default:
			w.err = ErrPieceTwice
			return
		}
		switch {
		case w.used[p.Marker]:
			w.err = ErrPieceTwice
			return
		case p.field != w.field:
			w.err = ErrPieceMoved
			return
		}
		w.used[p.Marker] = true
		if p.number && value && text == p.Marker {
			w.to.WriteString(w.s[w.done:start] + p.text)
			w.done = end
			return
		}
		out = strings.Replace(out, p.Marker, p.text, 1)
	}
	if strings.Contains(out, w.mark.numbered()) {
		w.err = ErrPieceUnknown
		return
	}
	if out != text {
		w.to.WriteString(w.s[w.done:start] + asJSON(out))
		w.done = end
	}
}
