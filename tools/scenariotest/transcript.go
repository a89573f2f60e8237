package scenariotest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"countersign/backend/tool"
)

func (s *stage) result(r tool.Result, brief bool) {
	s.content(r.Content, brief)
	m := r.Metadata
	fmt.Fprintf(&s.out, "title: %s\n", m.Title)
	if m.Additions != nil {
		fmt.Fprintf(&s.out, "lines: +%d -%d\n", *m.Additions, *m.Deletions)
	}
	if m.Matches != nil {
		fmt.Fprintf(&s.out, "matches: %d\n", *m.Matches)
	}
	if m.Files != nil {
		fmt.Fprintf(&s.out, "files: %d\n", *m.Files)
	}
	if m.ExitCode != nil {
		fmt.Fprintf(&s.out, "exit code: %d\n", *m.ExitCode)
	}
	if m.ProcessID != "" {
		fmt.Fprintf(&s.out, "process: %s\n", m.ProcessID)
	}
	s.json("extra", m.Extra)
	if m.Truncation != nil {
		s.json("truncation", m.Truncation)
	}
	if m.Diff != nil && *m.Diff != "" {
		s.out.WriteString("diff:\n")
		s.text(*m.Diff, brief)
	}
	if r.Trust != "" {
		fmt.Fprintf(&s.out, "trust: %s\n", r.Trust)
	}
	for _, f := range r.Files {
		fmt.Fprintf(&s.out, "file: %s %s %d bytes sha256 %.8s at %s", f.Op, tool.ShowPath(f.Stamp.Path), f.Stamp.Size, f.Stamp.SHA256, f.Stamp.At.Format("15:04"))
		switch f.Op {
		case tool.FileRead:
			fmt.Fprintf(&s.out, ", %d lines\n", f.Lines)
		case tool.FileModified:
			fmt.Fprintf(&s.out, ", +%d -%d, created %v\n", f.Additions, f.Deletions, f.Created)
		}
	}
}

func (s *stage) preview(p tool.Preview) {
	fmt.Fprintf(&s.out, "preview: %s\n", p.Verb)
	for _, d := range p.Diffs {
		fmt.Fprintf(&s.out, "diff of %s, +%d -%d, created %v\n", d.Path, d.Additions, d.Deletions, d.Created)
		s.text(d.Unified, false)
		if d.Changes > 1 {
			fmt.Fprintf(&s.out, "changes to choose from: %d\n", d.Changes)
		}
		for _, note := range d.Notes {
			fmt.Fprintf(&s.out, "note: %s\n", note)
		}
	}
	for _, fact := range p.About {
		fmt.Fprintf(&s.out, "%s: %s\n", fact.Label, printable(fact.Text.Open()))
	}
	for _, pin := range p.Pins {
		fmt.Fprintf(&s.out, "pin: %s %.8s\n", pin.Path.Shown(), cmp.Or(pin.SHA256, "no file"))
	}
}

func (s *stage) content(parts []tool.Part, brief bool) {
	for _, p := range parts {
		s.text(p.Text.Open(), brief)
	}
}

// text writes foreign text with a bar before each line and what does not print
// escaped, so that a transcript stays a text file.
func (s *stage) text(text string, brief bool) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	const ends = 3
	for i, line := range lines {
		if brief && i >= ends && i < len(lines)-ends {
			if i == ends {
				fmt.Fprintf(&s.out, "| … %d lines …\n", len(lines)-2*ends)
			}
			continue
		}
		line = printable(line)
		if r := []rune(line); brief && len(r) > 200 {
			line = string(r[:60]) + fmt.Sprintf(" … %d characters … ", len(r)-100) + string(r[len(r)-40:])
		}
		s.out.WriteString(strings.TrimRight("| "+line, " ") + "\n")
	}
	if brief {
		// The folder's name differs in length from run to run.
		fmt.Fprintf(&s.out, "(%d lines, %d bytes)\n", len(lines), len(strings.ReplaceAll(text, s.top, "$TOP")))
	}
}

func printable(line string) string {
	var b strings.Builder
	for _, r := range line {
		if r == '\\' || r == '"' || r == '\t' || strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}

func (s *stage) json(name string, v any) {
	b, err := json.Marshal(v)
	s.must(err)
	fmt.Fprintf(&s.out, "%s: %s\n", name, b)
}

func (s *stage) at(name string) string {
	if strings.HasPrefix(name, `"`) {
		plain, err := strconv.Unquote(name)
		s.must(err)
		name = plain
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.top, name)
}

func (s *stage) put(name string, data []byte) {
	s.t.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.at(name)), 0o755))
	s.must(os.WriteFile(s.at(name), data, 0o644))
}

// long writes a file with a long line in it: "text" N "text", with N characters between.
func (s *stage) long(name, value string) {
	s.t.Helper()
	var before, after string
	var n int
	_, err := fmt.Sscanf(value, "%q %d %q", &before, &n, &after)
	s.must(err)
	s.put(name, []byte(before+strings.Repeat("x", n)+after))
}

// prepare does what a script says to the folder.
func (s *stage) prepare(verb, rest string) {
	s.t.Helper()
	name, value, _ := strings.Cut(rest, " ")
	switch verb {
	case "put":
		text, err := strconv.Unquote(value)
		s.must(err)
		s.put(name, []byte(text))
	case "lines":
		n, err := strconv.Atoi(value)
		s.must(err)
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i+1)
		}
		s.put(name, []byte(b.String()))
	case "fill":
		n, err := strconv.Atoi(value)
		s.must(err)
		s.put(name, []byte(strings.Repeat("x", n)))
	case "long":
		s.long(name, value)
	case "mkdir":
		s.must(os.MkdirAll(s.at(name), 0o755))
	case "remove":
		s.must(os.RemoveAll(s.at(name)))
	case "link":
		s.must(os.Symlink(value, s.at(name)))
	case "fifo":
		s.must(exec.CommandContext(s.t.Context(), "mkfifo", s.at(name)).Run())
	case "touch":
		s.must(os.Chtimes(s.at(name), Noon, Noon))
	case "age":
		n, err := strconv.Atoi(value)
		s.must(err)
		then := Noon.Add(-time.Duration(n) * time.Minute)
		s.must(os.Chtimes(s.at(name), then, then))
	case "chmod":
		mode, err := strconv.ParseUint(value, 8, 32)
		s.must(err)
		s.must(os.Chmod(s.at(name), os.FileMode(mode)))
	case "show":
		info, err := os.Lstat(s.at(name))
		s.must(err)
		data, err := os.ReadFile(s.at(name))
		s.must(err)
		fmt.Fprintf(&s.out, "%s %q\n", info.Mode(), data)
	default:
		s.t.Fatalf("no step %q", verb)
	}
}
