package redact

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"countersign/backend/tool"
)

// Kind says what a hidden piece seems to be.
type Kind string

// The kinds.
const (
	KindKey        Kind = "key"
	KindToken      Kind = "token"
	KindPassword   Kind = "password"
	KindPrivateKey Kind = "private_key"
	KindCredential Kind = "credential"
	KindCookie     Kind = "cookie"
	KindMedia      Kind = "media"
)

// Span is a secret in a text, by its bytes.
type Span struct {
	Start, End int
	Kind       Kind
}

// Mark tells the markers of one session from text that only looks like a marker. Without
// one a marker is plain.
type Mark string

// MarkOf returns the mark of a session: four hexadecimal digits made of its id. It is no
// secret; it only makes it unlikely that somebody wrote the same by chance.
func MarkOf(sessionID string) Mark {
	if sessionID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(sessionID))
	return Mark(hex.EncodeToString(sum[:2]))
}

// opening is how every marker begins.
const opening = "[redacted"

// String is what stands in place of a hidden piece.
func (m Mark) String() string {
	if m == "" {
		return opening + "]"
	}
	return opening + ":" + string(m) + "]"
}

// In reports whether a text holds a marker of the session.
func (m Mark) In(text string) bool { return m != "" && strings.Contains(text, m.String()) }

// Spans returns the secrets of a text in order. They neither overlap nor touch.
func Spans(text string) []Span {
	c := scanner{s: text}
	c.run()
	return merged(c.spans)
}

// merged sorts spans and joins those that overlap or touch. The first one's kind stays.
func merged(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	if order := func(a, b Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) }; !slices.IsSortedFunc(spans, order) {
		slices.SortStableFunc(spans, order)
	}
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.Start > last.End {
			out = append(out, s)
			continue
		}
		last.End = max(last.End, s.End)
	}
	return out
}

// Text returns the copy of a text for eyes.
func Text(text string, m Mark) string {
	copied, _ := Copy(text, m)
	return copied
}

// Copy returns the copy of a text for eyes, and what it hides.
func Copy(text string, m Mark) (string, []tool.Hidden) {
	spans := Spans(text)
	if len(spans) == 0 {
		return text, nil
	}
	return replaced(text, spans, m), count(spans)
}

// replaced puts a marker in the place of every span.
func replaced(text string, spans []Span, m Mark) string {
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(spans)*len(m.String()))
	marker := m.String()
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString(marker)
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// Lines returns the copy of a text for eyes, in which every line keeps its number, also
// inside a secret of several lines.
func Lines(text string, m Mark) string { return inLines(text, Spans(text), m, "") }

// Diff returns the copy of a unified diff for eyes, and what it hides. Every line keeps its
// place and the sign at its beginning.
func Diff(text string, m Mark) (string, []tool.Hidden) {
	spans := Spans(text)
	return inLines(text, spans, m, "+- "), count(spans)
}

// inLines puts a marker in the place of every span, and one on each line of a span. A line
// keeps the first byte if that is one of signs.
func inLines(text string, spans []Span, m Mark, signs string) string {
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		at = s.Start
		for {
			end := strings.IndexByte(text[at:s.End], '\n')
			if end < 0 {
				break
			}
			if end > 0 {
				b.WriteString(m.String())
			}
			at += end + 1
			b.WriteByte('\n')
			if at < s.End && strings.IndexByte(signs, text[at]) >= 0 {
				b.WriteByte(text[at])
				at++
			}
		}
		if at < s.End {
			b.WriteString(m.String())
		}
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// lookAhead is how much of a text is read behind the beginning of it that is shown, in bytes:
// a secret that begins in it and is longer than that is hidden as far as it is shown.
const lookAhead = maxBlock

// Head returns the copy of a text up to about end, in bytes, and where in the text it ends:
// no secret is cut, and one that is only known by what follows it is hidden too. What it
// costs does not depend on how long the text is.
func Head(text string, end int, m Mark) (copied string, at int) {
	text = text[:min(len(text), end+lookAhead)]
	end = min(end, len(text))
	spans := Spans(text)
	for i, s := range spans {
		if s.Start >= end {
			spans = spans[:i]
			break
		}
		end = max(end, s.End)
	}
	return replaced(text[:end], spans, m), end
}

// Field is Head for the value of a field of an object, which may be a secret for its name.
func Field(name, text string, end int, m Mark) (copied string, at int) {
	if l, is := labelOf(name); is && text != "" {
		if from, whole := (place{label: l, named: true}).wholly(text); whole {
			return text[:from] + m.String(), len(text)
		}
	}
	return Head(text, end, m)
}

func count(spans []Span) []tool.Hidden {
	var out []tool.Hidden
	for _, s := range spans {
		out = Add(out, tool.Hidden{Kind: string(s.Kind), Count: 1})
	}
	return out
}

// Most puts together what two copies of the same hide: of each kind the larger count.
func Most(a, b []tool.Hidden) []tool.Hidden {
	out := slices.Clone(a)
	for _, h := range b {
		i := slices.IndexFunc(out, func(have tool.Hidden) bool { return have.Kind == h.Kind })
		if i < 0 {
			out = append(out, h)
			continue
		}
		out[i].Count = max(out[i].Count, h.Count)
	}
	return out
}

// Add puts together what several copies hide.
func Add(all []tool.Hidden, more ...tool.Hidden) []tool.Hidden {
	for _, h := range more {
		i := slices.IndexFunc(all, func(have tool.Hidden) bool { return have.Kind == h.Kind })
		if i < 0 {
			all = append(all, h)
			continue
		}
		all[i].Count += h.Count
	}
	return all
}
