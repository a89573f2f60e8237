package read_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"countersign/backend/bound"
	"countersign/backend/tool"
	"countersign/tools/read"
	"countersign/tools/scenariotest"

	"pgregory.net/rapid"
)

// oneFile is a workspace of one file that is made as it is read.
type oneFile struct {
	tool.Files
	text func() io.Reader
	size int64
	path tool.Path
}

func (f oneFile) Resolve(string) (tool.Path, error) { return f.path, nil }

func (f oneFile) Open(context.Context, tool.Path) (io.ReadCloser, tool.FileInfo, error) {
	return io.NopCloser(f.text()), tool.FileInfo{Size: f.size, Mode: 0o644}, nil
}

func holding(text string) oneFile {
	return oneFile{text: func() io.Reader { return strings.NewReader(text) }, size: int64(len(text)), path: tool.Path{
		Arg: "f", Abs: "/w/f", Real: "/w/f", Rel: "f", Zone: tool.ZoneWorkspace, Kind: tool.KindFile,
	}}
}

func (f oneFile) read(ctx context.Context, arguments string) (tool.Result, error) {
	spec := read.Spec()
	return spec.Run(ctx, tool.Env{
		Host: tool.Host{Files: f, Clock: scenariotest.Still{}}, Target: tool.Target{Touches: []tool.Touch{{Path: f.path, Access: tool.AccessRead}}},
	}, tool.Args{Canonical: []byte(arguments)})
}

func text(r tool.Result) string { return r.Content[0].Text.Open() }

// spec: KH-2, KH-24, KH-55
func TestSchemaTakesWhatTheContractNames(t *testing.T) {
	scenariotest.Schema(t, read.Spec(), 3, map[string]bool{
		`{"file_path":"a"}`: true,
		`{"file_path":"a","offset":1,"limit":2147483647}`:      true,
		`{"file_path":"a","offset":2.0}`:                       true,
		`{"file_path":"a","offset":0}`:                         false,
		`{"file_path":"a","offset":-1}`:                        false,
		`{"file_path":"a","offset":1.5}`:                       false,
		`{"file_path":"a","offset":1e30}`:                      false,
		`{"file_path":"a","offset":"1"}`:                       false,
		`{"file_path":""}`:                                     false,
		`{"file_path":"a","x":1}`:                              false,
		`{}`:                                                   false,
		`{"file_path":"` + strings.Repeat("a/", 10_000) + `"}`: false,
	})
}

// spec: KH-24, KH-59
func TestPageEndsAtFiftyKilobytes(t *testing.T) {
	lines := strings.Repeat(strings.Repeat("y", 92)+"\n", 2000) // 100 bytes each as shown
	r, err := holding(lines).read(t.Context(), `{"file_path":"f"}`)
	if err != nil {
		t.Fatal(err)
	}
	got := text(r)
	if len(got) > 51_200 || len(got) < 51_200-300 {
		t.Errorf("%d bytes", len(got))
	}
	var shown, next int
	footer := got[strings.LastIndexByte(got, '\n')+1:]
	if _, err := fmt.Sscanf(footer, "(Showing lines 1–%d of 2000. Use offset=%d to continue.)", &shown, &next); err != nil || next != shown+1 {
		t.Errorf("%q: %v", footer, err)
	}
	if strings.Count(got, "→") != shown || r.Metadata.Truncation == nil || r.Metadata.Truncation.OmittedLines != int64(2000-shown) {
		t.Errorf("%d lines shown, %+v", strings.Count(got, "→"), r.Metadata.Truncation)
	}
	if spec := read.Spec(); !bound.Fits(got, spec.Bounding) {
		t.Error("the page is cut once more behind the tool")
	}
}

// A page of the shortest lines has more than 2,000 of them when the caller asks.
//
// spec: KH-24, KH-59
func TestNoPageIsCutOnceMoreBehindTheTool(t *testing.T) {
	spec := read.Spec()
	for _, arguments := range []string{`{"file_path":"f"}`, `{"file_path":"f","limit":100000}`, `{"file_path":"f","offset":7,"limit":100000}`} {
		for _, line := range []string{"", "a", strings.Repeat("é", 2100)} {
			r, err := holding(strings.Repeat(line+"\n", 2_000_000/(len(line)+1))).read(t.Context(), arguments)
			if err != nil {
				t.Fatal(err)
			}
			if !bound.Fits(text(r), spec.Bounding) {
				t.Errorf("%s of %.3q: %d bytes, %d lines", arguments, line, len(text(r)), bound.Lines(text(r)))
			}
		}
	}
}

// pattern is a text of n bytes in lines of 64 that is never held.
type pattern struct{ n, at int64 }

func (p *pattern) Read(b []byte) (int, error) {
	if p.at >= p.n {
		return 0, io.EOF
	}
	n := min(int64(len(b)), p.n-p.at)
	for i := range n {
		b[i] = 'a' + byte((p.at+i)%7)
		if (p.at+i)%64 == 63 {
			b[i] = '\n'
		}
	}
	p.at += n
	return int(n), nil
}

// spec: KH-21, KH-27
func TestAPageOfAHugeFileIsReadInLittleMemory(t *testing.T) {
	const size = 64 << 20
	f := holding("")
	f.text, f.size = func() io.Reader { return &pattern{n: size} }, size
	var r tool.Result
	var err error
	held := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			r, err = f.read(b.Context(), `{"file_path":"f","offset":1048575,"limit":5}`)
		}
	}).AllocedBytesPerOp()
	if err != nil {
		t.Fatal(err)
	}
	if held > 2<<20 {
		t.Errorf("%d bytes of memory for a page", held)
	}
	if want := "(Showing lines 1048575–1048576 of 1048576.)"; !strings.HasSuffix(text(r), want) {
		t.Errorf("%q", text(r))
	}
	sum := sha256.New()
	_, _ = io.Copy(sum, &pattern{n: size})
	want := tool.FileRecord{Op: tool.FileRead, Lines: 2, Stamp: tool.Stamp{Path: "/w/f", Size: size, SHA256: hex.EncodeToString(sum.Sum(nil)), At: scenariotest.Noon}}
	if len(r.Files) != 1 || r.Files[0] != want {
		t.Errorf("%+v", r.Files)
	}
}

func TestReadEndsWithItsCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := holding("")
	f.text = func() io.Reader { return &stopping{then: cancel} }
	if _, err := f.read(ctx, `{"file_path":"f"}`); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// stopping never ends by itself.
type stopping struct {
	then func()
	n    int
}

func (s *stopping) Read(b []byte) (int, error) {
	if s.n++; s.n == 10 {
		s.then()
	}
	return len(b), nil
}

func TestFailuresOfTheHostAreSaid(t *testing.T) {
	f := holding("")
	f.text = func() io.Reader { return iotest.ErrReader(errors.New("disk fell off")) }
	_, err := f.read(t.Context(), `{"file_path":"f"}`)
	if scenariotest.Code(err) != tool.CodeIO || scenariotest.Said(err) != "Could not read /w/f: the system could not read it. Try again, or read another file." {
		t.Errorf("%v: %q", err, scenariotest.Said(err))
	}
	shut := refusing{holding(""), tool.Errorf(tool.CodeIO, "open: %w", fs.ErrPermission)}
	spec := read.Spec()
	env := tool.Env{Host: tool.Host{Files: shut, Clock: scenariotest.Still{}}, Target: tool.Target{Touches: []tool.Touch{{Path: shut.path}}}}
	args := tool.Args{Canonical: []byte(`{"file_path":"f"}`)}
	if _, err = spec.Run(t.Context(), env, args); scenariotest.Said(err) != "Could not read /w/f: permission denied. Ask the user to give access, or read another file." {
		t.Errorf("%v: %q", err, scenariotest.Said(err))
	}
	for _, host := range []tool.Host{{}, {Clock: scenariotest.Still{}}, {Files: shut}} {
		env.Host = host
		if _, err := spec.Run(t.Context(), env, args); scenariotest.Code(err) != tool.CodeUnavailable {
			t.Errorf("%v", err)
		}
	}
}

type refusing struct {
	oneFile
	with error
}

func (r refusing) Open(context.Context, tool.Path) (io.ReadCloser, tool.FileInfo, error) {
	return nil, tool.FileInfo{}, r.with
}

func TestReadRefusesAPathThatWasJudgedAsAnother(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"w/a", "o"} {
		_ = os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755)
		if err := os.WriteFile(filepath.Join(top, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := scenariotest.Files(t, filepath.Join(top, "w"), filepath.Join(top, "home"), scenariotest.Still{}).Files
	p, err := files.Resolve("a")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(top, "w/a")), os.Symlink("../o", filepath.Join(top, "w/a"))); err != nil {
		t.Fatal(err)
	}
	spec := read.Spec()
	_, err = spec.Run(t.Context(), tool.Env{
		Host: tool.Host{Files: files, Clock: scenariotest.Still{}}, Target: tool.Target{Touches: []tool.Touch{{Path: p}}},
	}, tool.Args{Canonical: []byte(`{"file_path":"a"}`)})
	if scenariotest.Code(err) != tool.CodePolicyPathMoved {
		t.Errorf("%v", err)
	}
}

// Whatever the pieces in which a file comes, the pages of it put together are its
// lines.
//
// spec: KH-24, KH-25
func TestPagesTogetherAreTheFile(t *testing.T) {
	line := rapid.StringOf(rapid.RuneFrom([]rune("ab é→\t")))
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 1, 40).Draw(t, "lines")
		ends := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ends")
		content := strings.Join(lines, ends)
		if lines[len(lines)-1] == "" || rapid.Bool().Draw(t, "ended") {
			content += ends
		}
		f := holding(content)
		f.text = func() io.Reader { return iotest.OneByteReader(strings.NewReader(content)) }
		step := rapid.IntRange(1, 41).Draw(t, "step")
		var got []string
		for offset := 1; offset <= len(lines); offset += step {
			r, err := f.read(context.Background(), fmt.Sprintf(`{"file_path":"f","offset":%d,"limit":%d}`, offset, step))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range strings.Split(text(r), "\n") {
				if number, rest, ok := strings.Cut(l, "→"); ok {
					var n int
					if _, err := fmt.Sscanf(number, "%d", &n); err != nil || len(number) != 6 || n != len(got)+1 {
						t.Fatalf("number %q of line %d", number, len(got)+1)
					}
					got = append(got, rest)
				}
			}
		}
		if strings.Join(got, "\n") != strings.Join(lines, "\n") {
			t.Fatalf("%q, want %q", got, lines)
		}
	})
}

// What the pipeline stores of a page are plain figures.
func TestMetadataIsPlainData(t *testing.T) {
	r, err := holding("a\nb\n").read(t.Context(), `{"file_path":"f"}`)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r.Metadata)
	want := `{"title":"Read f · lines 1–2 of 2","durationMs":0,"extra":{"firstLine":1,"lines":2,"path":"f","totalLines":2}}`
	if err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
}
