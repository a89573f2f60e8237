package redact

import (
	"encoding/json"
	"strconv"
	"strings"

	"countersign/backend/tool"
)

// JSON returns the copy of a JSON text for eyes, and what it hides. It works on the values,
// so that no text around them can make it miss one: a value is hidden for what it is, for
// the name of its field, and for the option before it in a list. Names are kept unless one
// is itself a secret; two of those stay two. All else stays byte for byte. What is no JSON
// is read as text.
func JSON(text string, m Mark) (string, []tool.Hidden) {
	if !json.Valid([]byte(text)) {
		return Copy(text, m)
	}
	r := reader{s: text, mark: m}
	r.value(place{})
	if r.hidden == nil {
		return text, nil
	}
	r.to.WriteString(text[r.done:])
	return r.to.String(), r.hidden
}

// reader walks over a text that is known to be JSON.
type reader struct {
	s    string
	mark Mark
	at   int
	// done is how much of s is in to already.
	done   int
	to     strings.Builder
	hidden []tool.Hidden
	// pieces, where it is not nil, takes what is hidden, and field is the outermost name that
	// the value stands under.
	pieces *[]Piece
	field  string
	depth  int
}

// place is where a value stands.
type place struct {
	// label is that of the field, where named is set.
	label label
	named bool
	// inside says that every value below is part of a secret.
	inside bool
	// media says that a text of base64 is the bytes of media.
	media bool
	// spans are what is hidden of a text of a list since the list reads as a line.
	spans []Span
}

// replace writes another text in the place of the bytes from start to r.at.
func (r *reader) replace(start int, text string) {
	r.to.WriteString(r.s[r.done:start])
	r.to.WriteString(asJSON(text))
	r.done = r.at
}

// asJSON writes a text as JSON, with no sign escaped that need not be.
func asJSON(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// A text can always be encoded.
	_ = e.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *reader) add(k Kind) { r.hidden = Add(r.hidden, tool.Hidden{Kind: string(k), Count: 1}) }

// next steps over white space and returns the byte after it.
func (r *reader) next() byte {
	for strings.IndexByte(" \t\r\n", r.s[r.at]) >= 0 {
		r.at++
	}
	return r.s[r.at]
}

// literal steps over the text at r.at and returns what it says.
func (r *reader) literal() string {
	start := r.at
	escaped := false
	for r.at++; r.s[r.at] != '"'; r.at++ {
		if r.s[r.at] == '\\' {
			escaped = true
			r.at++
		}
	}
	r.at++
	if !escaped {
		return r.s[start+1 : r.at-1]
	}
	var text string
	// It was found valid.
	_ = json.Unmarshal([]byte(r.s[start:r.at]), &text)
	return text
}

func (r *reader) value(p place) {
	b := r.next()
	start := r.at
	switch b {
	case '{':
		r.object(p)
	case '[':
		r.list(p)
	case '"':
		if text := r.literal(); text != "" {
			r.text(start, text, p)
		}
	default:
		for r.at < len(r.s) && strings.IndexByte(" \t\r\n,]}", r.s[r.at]) < 0 {
			r.at++
		}
		number := r.s[start:r.at]
		if p.named && number[0] <= '9' && (p.label.strong || p.inside || p.label.kind == KindPassword && len(number) >= 4) {
			r.add(p.label.kind)
			r.replace(start, r.marker(number, true))
		}
	}
}

// text hides what is secret of a text that begins at start.
func (r *reader) text(start int, text string, p place) {
	if p.named {
		if from, whole := p.wholly(text); whole {
			r.add(p.label.kind)
			r.replace(start, text[:from]+r.marker(text[from:], false))
			return
		}
	}
	if p.media && len(text) >= 8 && all(text, base64URL) {
		r.add(KindMedia)
		r.replace(start, r.marker(text, false))
		return
	}
	if spans := merged(append(Spans(text), p.spans...)); len(spans) > 0 {
		r.hidden = Add(r.hidden, count(spans)...)
		r.replace(start, r.replaced(text, spans))
	}
}

// wholly reports whether the text of a named field is hidden, and from where on.
func (p place) wholly(text string) (from int, whole bool) {
	l := p.label
	l.strong = l.strong || p.inside
	s := scanner{s: text}
	if s.keeps(l, text, 0, len(text)) {
		return 0, false
	}
	if l.header {
		return schemeLength(text), true
	}
	return 0, true
}

func (r *reader) object(p place) {
	names := map[string]bool{}
	media := p.media
	r.depth++
	defer func() { r.depth-- }()
	for r.at++; r.next() != '}'; {
		if r.s[r.at] == ',' {
			r.at++
			continue
		}
		start := r.at
		key := r.literal()
		if r.depth == 1 {
			r.field = key
		}
		r.key(start, key, names)
		for r.next() != ':' {
			r.at++
		}
		r.at++
		inner := p.field(key)
		media = media || isMediaType(key)
		inner.media = media && (isMediaBytes(key) || p.media)
		r.value(inner)
	}
	r.at++
}

// key hides a name that is a secret. Of several each gets a number, so that none stands in
// the place of another.
func (r *reader) key(start int, key string, names map[string]bool) {
	spans := Spans(key)
	if len(spans) == 0 {
		return
	}
	r.hidden = Add(r.hidden, count(spans)...)
	copied := r.replaced(key, spans)
	shown := copied
	for n := len(names) + 1; names[shown]; n++ {
		shown = copied + " (" + strconv.Itoa(n) + ")"
	}
	names[shown] = true
	r.replace(start, shown)
}

// field is the place of the value of a field.
func (p place) field(key string) place {
	inner := place{label: p.label, named: p.inside, inside: p.inside}
	l, is := labelOf(key)
	if !is {
		return inner
	}
	inner.label, inner.named = l, true
	switch strings.ToLower(key) {
	case "credentials", "secrets", "passwords":
		inner.inside = true
	}
	return inner
}

// labelOf reads a whole name as a label.
func labelOf(key string) (label, bool) {
	if len(key) > 2*maxName {
		return label{}, false
	}
	s := scanner{s: key}
	for s.at < len(key) {
		if !alnum.has[key[s.at]] {
			s.at++
			continue
		}
		end := s.while(s.at, alnum)
		w := word{s.at, end}
		if l, is := s.label(w); is && l.end == len(key) {
			return l, true
		}
		s.prev, s.at = w, end
	}
	return label{}, false
}

func isMediaType(key string) bool {
	switch key {
	case "mimeType", "mime_type", "mime", "media_type", "mediaType", "contentType", "content_type":
		return true
	}
	return false
}

func isMediaBytes(key string) bool {
	switch key {
	case "data", "blob", "base64", "bytes", "b64_json", "source":
		return true
	}
	return false
}

// list reads a list. One of texts alone is also read as the line that it makes, since an
// option and its value are two texts.
func (r *reader) list(p place) {
	p.media = false
	spans := r.line()
	n := 0
	for r.at++; r.next() != ']'; {
		if r.s[r.at] == ',' {
			r.at++
			continue
		}
		if p.spans = nil; n < len(spans) {
			p.spans = spans[n]
		}
		r.value(p)
		n++
	}
	r.at++
}

// line returns the secrets of the texts of a list as one line, by text; nil where there are
// none, or the list holds something else.
func (r *reader) line() [][]Span {
	ahead := reader{s: r.s, at: r.at + 1}
	var texts []string
	for ahead.next() != ']' {
		switch ahead.s[ahead.at] {
		case ',':
			ahead.at++
		case '"':
			texts = append(texts, ahead.literal())
		default:
			return nil
		}
	}
	if len(texts) < 2 {
		return nil
	}
	found := Spans(strings.Join(texts, " "))
	if len(found) == 0 {
		return nil
	}
	out := make([][]Span, len(texts))
	at, first := 0, 0
	for i, text := range texts {
		for first < len(found) && found[first].End <= at {
			first++
		}
		for _, s := range found[first:] {
			start, end := max(s.Start-at, 0), min(s.End-at, len(text))
			if start >= end {
				break
			}
			out[i] = append(out[i], Span{start, end, s.Kind})
		}
		at += len(text) + 1
	}
	return out
}
