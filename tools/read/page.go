package read

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"countersign/backend/bound"
	"countersign/backend/change"
	"countersign/backend/tool"
)

// pager keeps a window of the lines that are written to it, numbered, and no more
// of the rest than where a line ends.
type pager struct {
	win  window
	room int

	text strings.Builder
	// line is the number of the line that is being written, begun whether it has any
	// byte yet, held as much of it as can be shown.
	line  int64
	begun bool
	held  []byte
	// last is the last line kept; shown how many are; full that one had no room.
	last, shown int64
	full, cut   bool
}

func newPager(win window, room int) *pager { return &pager{win: win, room: room, line: 1} }

// heldBytes is enough for the characters of a line that are shown and one more.
const heldBytes = (lineChars + 1) * utf8.UTFMax

// Write takes the next piece of the file.
func (p *pager) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		piece := b
		if i >= 0 {
			piece = b[:i]
		}
		if p.wanted() {
			p.held = append(p.held, piece[:min(len(piece), heldBytes-len(p.held))]...)
		}
		p.begun = true
		if i < 0 {
			break
		}
		p.end()
		b = b[i+1:]
	}
	return n, nil
}

func (p *pager) wanted() bool {
	return !p.full && p.line >= p.win.from && p.line-p.win.from < p.win.limit
}

// end closes the line that is being written.
func (p *pager) end() {
	if p.wanted() {
		text := p.held
		if p.line == 1 {
			text = bytes.TrimPrefix(text, []byte(change.BOM))
		}
		if len(p.held) < heldBytes {
			text = bytes.TrimSuffix(text, []byte{'\r'})
		}
		shown, cut := bound.Line(legible(text), lineChars)
		numbered := fmt.Sprintf("%6d→%s\n", p.line, shown)
		if p.text.Len()+len(numbered) > p.room {
			p.full = true
		} else {
			p.text.WriteString(numbered)
			p.last = p.line
			p.shown++
			p.cut = p.cut || cut
		}
	}
	p.line++
	p.begun, p.held = false, p.held[:0]
}

// finish closes a last line that no line break ended.
func (p *pager) finish() {
	if p.begun {
		p.end()
	}
}

// legible replaces each byte that belongs to no character.
func legible(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}

// footerRoom is kept free behind the lines of a page, in bytes.
const footerRoom = 160

// file reads a page of the regular file at p.
func file(ctx context.Context, files tool.Files, now tool.Clock, p tool.Path, win window) (tool.Result, error) {
	f, info, err := files.Open(ctx, p)
	if err != nil {
		return tool.Result{}, err
	}
	defer f.Close()
	if info.Size > wholeBytes && !win.asked {
		return tool.Result{}, tooLarge(p, info.Size)
	}
	head := p.Shown() + "\n"
	pg := newPager(win, pageBytes-len(head)-footerRoom)
	scan, err := change.Scan(ctx, tee{f, pg}, 0)
	if err != nil {
		return tool.Result{}, unreadable(ctx, err)
	}
	pg.finish()
	stamp := tool.Stamp{Path: p.Real, ModTime: info.ModTime, Size: scan.Size, SHA256: scan.SHA256, At: now.Now()}
	if what, ok := binary(p.Real, scan); ok {
		return described(p, what, stamp), nil
	}
	total := scan.Shape.Lines
	if win.from > total && win.from > 1 {
		return tool.Result{}, beyond(win.from, total)
	}
	text := head + pg.text.String() + footer(win, pg, total)
	return tool.Result{
		Content: []tool.Part{tool.TextPart(strings.TrimSuffix(text, "\n"))},
		Metadata: tool.Metadata{
			Title:      "Read " + p.Short() + " · " + span(win, pg, total),
			Truncation: truncation(win, pg, scan),
			Extra:      map[string]any{"path": p.Short(), "lines": pg.shown, "firstLine": win.from, "totalLines": total},
		},
		Files: []tool.FileRecord{{Op: tool.FileRead, Stamp: stamp, Lines: int(pg.shown)}},
	}, nil
}

// footer says which part of the file is shown, when that is not all of it, and how
// to go on, when more lines follow.
func footer(win window, pg *pager, total int64) string {
	switch {
	case total == 0:
		return "(The file is empty.)"
	case pg.last < total:
		return fmt.Sprintf("(Showing lines %d–%d of %d. Use offset=%d to continue.)", win.from, pg.last, total, pg.last+1)
	case win.from > 1, pg.cut:
		return fmt.Sprintf("(Showing lines %d–%d of %d.)", win.from, pg.last, total)
	}
	return ""
}

func span(win window, pg *pager, total int64) string {
	if total == 0 {
		return "empty"
	}
	return fmt.Sprintf("lines %d–%d of %d", win.from, pg.last, total)
}

// truncation is set when a limit of the tool ended the page or cut a line, not when
// the caller's own did.
func truncation(win window, pg *pager, scan change.File) *tool.Truncation {
	total := scan.Shape.Lines
	if !pg.cut && !pg.full && (win.bounded || pg.last == total) {
		return nil
	}
	return &tool.Truncation{
		OriginalBytes: scan.Size, OriginalLines: total, ShownHeadLines: pg.shown, OmittedLines: total - pg.shown,
	}
}
