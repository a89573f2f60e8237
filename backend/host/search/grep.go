package search

import (
	"context"
	"io"
	"strings"

	"countersign/backend/tool"
)

// spansKept is how many matches of one line are kept.
const spansKept = 100

// Grep looks for lines.
func (s *Searcher) Grep(ctx context.Context, q tool.GrepQuery, each func(tool.FileHits) bool) error {
	if err := s.ready(ctx, q.Root); err != nil {
		return err
	}
	p := s.placeOf(q.Root)
	more := []string{"--json", "--crlf", "--smart-case"}
	if q.IgnoreCase {
		more = append(more, "--ignore-case")
	}
	if q.Names != "" && q.Root.Kind == tool.KindDirectory && simple(q.Names) {
		more = append(more, "--type-add="+nameType+":"+q.Names, "--type="+nameType)
	}
	more = append(more, "--regexp="+q.Pattern)
	complaint, err := s.run(ctx, p, s.arguments(p, more...), func(out io.Reader) (bool, error) {
		return s.gather(q.Root, p, newReader(out), each)
	})
	if err == nil && complaint != "" {
		err = refused(complaint)
	}
	return err
}

// nameType is the type under which ripgrep knows the wanted names. Other than a glob
// option, a type leaves the rules of ignore files as they are.
const nameType = "wanted"

// simple reports whether a glob means the same to everybody.
func simple(glob string) bool {
	depth := 0
	for i, r := range glob {
		switch {
		case r == '*' && !strings.HasPrefix(glob[i+1:], "*"), r == '?', r == '.', r == '-', r == '_',
			r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		case r == '{' && depth == 0 && !strings.HasPrefix(glob[i+1:], ",") && !strings.HasPrefix(glob[i+1:], "}"):
			depth++
		case r == '}' && depth == 1:
			depth--
		case r == ',' && depth == 1 && !strings.HasPrefix(glob[i+1:], ",") && !strings.HasPrefix(glob[i+1:], "}"):
		default:
			return false
		}
	}
	return depth == 0
}

// The most that is kept of one file, in lines and bytes: what has more fills any list.
const (
	fileLines = 20_000
	fileBytes = 8 << 20
)

// gather reads events and hands on each file when its end is told.
func (s *Searcher) gather(root tool.Path, p place, in *reader, each func(tool.FileHits) bool) (enough bool, err error) {
	var now tool.FileHits
	shown, size := false, 0
	folders := map[string]bool{}
	for {
		e, err := in.next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch e.Type {
		case "begin":
			now, size = tool.FileHits{}, 0
			now.File = s.named(root, p, e.Data.Path.String())
			shown = look(&now.File) && !s.heldFile(root, now.File.Path, folders)
		case "match":
			if !shown {
				continue
			}
			hit := hitOf(e)
			now.Hits = append(now.Hits, hit)
			// A file that alone fills the list need not end first.
			if size += len(hit.Text); len(now.Hits) >= fileLines || size >= fileBytes {
				each(now)
				return true, nil
			}
		case "end":
			// Lines of a file that is no text are not for readers.
			if shown && e.Data.Binary == nil && len(now.Hits) > 0 && !each(now) {
				return true, nil
			}
			now, shown = tool.FileHits{}, false
		}
	}
}

func hitOf(e event) tool.Hit {
	raw := e.Data.Lines.String()
	text := trimBreak(raw)
	var spans [][2]int
	for _, m := range e.Data.Spans[:min(len(e.Data.Spans), spansKept)] {
		spans = append(spans, [2]int{m.Start, min(m.End, len(text))})
	}
	return tool.Hit{Line: e.Data.Number, Text: legible(text), Cut: e.cut, Spans: legibleSpans(text, spans)}
}
