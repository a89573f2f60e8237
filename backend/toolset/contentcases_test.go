//go:build linux

package toolset_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/tool"
)

// png is a picture of one pixel.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"

// contentCase is a case about the answer of a program.
type contentCase struct {
	ID, Area, Title string
	Setup           struct {
		Stdout  json.RawMessage
		Turn    string
		Exit    int
		Files   map[string]string
		Symlink map[string]string
		Dirs    []string
		Fifo    []string
		Timeout int `json:"timeoutSeconds"`
	}
	Expect contentEnd
}

type contentEnd struct {
	Status, Reason string
	Text           string
	Images         int
	Preview        bool  `json:"preview_of_stdout"`
	Opened         *bool `json:"file_opened"`
	Either         []contentEnd
}

// inOurWords are the words of an answer for what a case calls the reason.
var inOurWords = map[string][]string{
	"exit 1":                                  {"[exit code 1]"},
	"too many images":                         {"more than 8 images"},
	"empty image":                             {"is empty"},
	"bytes do not match":                      {"do not match its mimeType"},
	"unsupported mime type":                   {"does not have the mimeType"},
	"exactly one of base64 or path":           {"exactly one of base64 and path"},
	"image must be an object":                 {"is not an object"},
	"images must be an array":                 {`"images" in its answer is not a list`},
	"text must be a string":                   {`"text" in its answer is not text`},
	"invalid JSON":                            {"is not one JSON object", "longer than 100,000 characters"},
	"outside workspace":                       {"leads out of the workspace", "leads elsewhere than it did"},
	"not a regular file":                      {"not that of a regular file"},
	"no such file":                            {"at which there is no file"},
	"credential path":                         {"a credential"},
	"empty path":                              {"a path that cannot be used"},
	"invalid path":                            {"a path that cannot be used"},
	"over 20 MiB":                             {"is over 20 MiB"},
	"outside workspace or not a regular file": {"leads out of the workspace"},
	"no such file or outside workspace":       {"at which there is no file"},
}

// contentSetups are what a case needs that its fields do not say.
var contentSetups = map[string]func(b *bed, cancel func()){
	"exec-160": func(b *bed, _ func()) { b.file("a.png", png) },
	"exec-162": func(b *bed, _ func()) { b.file("a.png", png) },
	"exec-229": func(b *bed, _ func()) {
		b.file("a.png", png)
		b.file("../outside/secret", png)
		b.opened.before = func(context.Context, tool.Path) {
			b.must(os.Remove(b.workspace("a.png")))
			b.must(os.Symlink(b.workspace("../outside/secret"), b.workspace("a.png")))
		}
	},
	"exec-236": func(b *bed, cancel func()) {
		b.file("a.png", png)
		b.opened.through = func(r io.ReadCloser) io.ReadCloser { return &during{r, cancel} }
	},
	"exec-237": func(b *bed, _ func()) {
		b.file("a.png", png)
		b.opened.before = func(ctx context.Context, _ tool.Path) {
			if at, limited := ctx.Deadline(); limited {
				b.t.Errorf("the image must be read by %s", at)
			}
		}
	},
}

// during does something before each read.
type during struct {
	io.ReadCloser
	do func()
}

func (d *during) Read(p []byte) (int, error) {
	d.do()
	return d.ReadCloser.Read(p)
}

func (b *bed) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// file puts a file into the workspace, by its contents or by what a case calls them.
func (b *bed) file(name, text string) {
	b.t.Helper()
	padded := func(n int) string { return png + strings.Repeat("\x00", n-len(png)) }
	switch text {
	case "png", "png bytes":
		text = png
	case "png padded to 20971520 bytes":
		text = padded(20971520)
	case "20971521 bytes":
		text = padded(20971521)
	}
	put(b.t, b.workspace(name), []byte(text))
}

// lay puts what a case has into the workspace.
func (c *contentCase) lay(b *bed, cancel func()) {
	for name, text := range c.Setup.Files {
		if strings.HasSuffix(name, "/") {
			c.Setup.Dirs = append(c.Setup.Dirs, name)
			continue
		}
		b.file(name, text)
	}
	for _, name := range c.Setup.Dirs {
		b.must(os.MkdirAll(b.workspace(name), 0o755))
	}
	for _, name := range c.Setup.Fifo {
		makePipe(b.t, b.workspace(name))
	}
	for name, to := range c.Setup.Symlink {
		if rest, ok := strings.CutPrefix(to, "/outside/"); ok {
			to = b.workspace("../outside/" + rest)
			put(b.t, to, []byte(png))
		}
		b.must(os.Symlink(to, b.workspace(name)))
	}
	if set := contentSetups[c.ID]; set != nil {
		set(b, cancel)
	}
}

// stdout is what the program of a case prints.
func (c *contentCase) stdout(t *testing.T) string {
	var text string
	if json.Unmarshal(c.Setup.Stdout, &text) == nil {
		header := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xff\xff\x00\x00\xff\xff\x08\x06\x00\x00\x00" + strings.Repeat("\x00", 20)
		return strings.ReplaceAll(text, "png header 65535x65535, tiny body", base64.StdEncoding.EncodeToString([]byte(header)))
	}
	var recipe struct{ Gen string }
	if json.Unmarshal(c.Setup.Stdout, &recipe) != nil || recipe.Gen != "5 MB of x" {
		t.Fatalf("%s: what is %s?", c.ID, c.Setup.Stdout)
	}
	return strings.Repeat("x", 5_000_000)
}

// spec: CX-23, CX-24, CX-25, CX-26, CX-27, CX-28, CX-29, CX-30, CX-31
func TestCasesOfContent(t *testing.T) {
	ran := 0
	for line := range casesOf(t, "exec.jsonl", "content-output") {
		var c contentCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		ran++
		t.Run(c.ID, func(t *testing.T) { c.run(t) })
	}
	if ran != 51 {
		t.Errorf("%d cases", ran)
	}
}

func (c *contentCase) run(t *testing.T) {
	b := newBed(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.lay(b, cancel)
	b.images = c.Setup.Turn == "image-capable"
	stdout := c.stdout(t)
	put(t, filepath.Join(b.home("probe"), "answer"), []byte(stdout))
	fields := map[string]any{"output": "content"}
	if c.Setup.Timeout > 0 {
		fields["timeoutSeconds"] = c.Setup.Timeout
	}
	spec := b.script(`cat "${0%/*}/answer"; exit `+string(rune('0'+c.Setup.Exit)), fields)
	r, err := b.call(ctx, spec, `{}`)
	ends := c.Expect.Either
	if ends == nil {
		ends = []contentEnd{c.Expect}
	}
	var all []string
	for _, want := range ends {
		wrong := want.wrong(b, stdout, r, err)
		if wrong == "" {
			return
		}
		all = append(all, wrong)
	}
	t.Errorf("%s: %s\n%q %v", c.Title, strings.Join(all, "; "), said(r, err), err)
}

// wrong says in what a call did not end as a case says, "" where it did.
func (want *contentEnd) wrong(b *bed, stdout string, r tool.Result, err error) string {
	text, images := "", 0
	for _, p := range r.Content {
		if text += p.Text.Open(); p.Type == tool.PartImage {
			images++
			if _, kept := b.media.kept[p.Handle]; !kept {
				return "an image was not kept"
			}
		}
	}
	if images != want.Images && want.Status != "ok or failure" {
		return "another number of images"
	}
	if want.Opened != nil && *want.Opened != (len(b.opened.paths) > 0) {
		return "opened: " + strings.Join(b.opened.paths, " ")
	}
	switch want.Status {
	case "ok":
		if want.Text == "" && images == 0 {
			want.Text = "[The program printed nothing.]"
		}
		if err != nil || text != want.Text {
			return "not done"
		}
		return ""
	case "ok or failure":
		return ""
	case "cancelled":
		if code(err) != tool.CodeCancelled {
			return "not cancelled"
		}
		return ""
	}
	if len(b.media.kept) > 0 && want.Reason != "bytes do not match" {
		return "an image was kept"
	}
	return want.wrongFailure(stdout, said(r, err), err)
}

func (want *contentEnd) wrongFailure(stdout, text string, err error) string {
	if strings.ContainsAny(text, "\x1b\a") {
		return "control characters"
	}
	if want.Preview && !strings.Contains(text, stdout) || len(text) > 50<<10 {
		return "another preview"
	}
	if want.Reason == "This model cannot accept tool images." {
		if code(err) != "tool.upstream_error.images" || text != "" {
			return "not the fixed sentence alone"
		}
		return ""
	}
	if !slices.ContainsFunc(inOurWords[want.Reason], func(words string) bool { return strings.Contains(text, words) }) {
		return "another reason than " + want.Reason
	}
	return ""
}

func TestTheSentenceForImagesIsFixed(t *testing.T) {
	b := newBed(t)
	spec := b.script("", nil)
	for _, r := range spec.Reasons {
		if r.Code == "tool.upstream_error.images" && r.Sentence == "This model cannot accept tool images." {
			return
		}
	}
	t.Error(spec.Reasons)
}

// A FIFO that takes the place of an image holds nobody, and one bad image keeps out all.
func TestNothingIsAttachedUnlessAllIs(t *testing.T) {
	b := newBed(t)
	b.images = true
	b.file("a.png", png)
	b.file("b.png", png+"b")
	swap := func() {
		b.must(os.Remove(b.workspace("b.png")))
		b.must(syscall.Mkfifo(b.workspace("b.png"), 0o644))
	}
	b.opened.before = func(_ context.Context, p tool.Path) {
		if strings.HasSuffix(p.Real, "b.png") {
			swap()
		}
	}
	spec := b.script(`echo '{"images":[{"mimeType":"image/png","path":"a.png"},{"mimeType":"image/png","path":"b.png"}]}'`, map[string]any{"output": "content"})
	r, err := b.call(t.Context(), spec, `{}`)
	if code(err) != tool.CodeOutputInvalid || !strings.Contains(said(r, err), "image 2") || len(b.media.kept) > 0 {
		t.Errorf("%q %v, kept %v", said(r, err), err, b.media.kept)
	}
	// A machine that keeps no images says so, and one that fails says what failed.
	b.opened.before, b.opened.paths = nil, nil
	b.must(os.Remove(b.workspace("b.png")))
	b.file("b.png", png)
	b.host.Media = nil
	if _, err := b.call(t.Context(), spec, `{}`); code(err) != tool.CodeUnavailable || len(b.opened.paths) > 0 {
		t.Errorf("without a store: %v, opened %v", err, b.opened.paths)
	}
	b.host.Media = full{}
	if r, err := b.call(t.Context(), spec, `{}`); code(err) != tool.CodeOutputInvalid || !strings.Contains(said(r, err), "cannot be read or kept") {
		t.Errorf("with a full store: %q %v", said(r, err), err)
	}
}

// full keeps no image.
type full struct{}

func (full) Keep(context.Context, string, io.Reader) (string, error) {
	return "", tool.Errorf(tool.CodeStorageUnavailable, "no room")
}

// An image that grows while it is read is not attached.
func TestAnImageThatGrowsIsRefused(t *testing.T) {
	b := newBed(t)
	b.images = true
	b.file("a.png", png)
	b.opened.through = func(r io.ReadCloser) io.ReadCloser {
		return struct {
			io.Reader
			io.Closer
		}{io.MultiReader(r, io.LimitReader(endless{}, tool.MaxImageBytes)), r}
	}
	spec := b.script(`echo '{"images":[{"mimeType":"image/png","path":"a.png"}]}'`, map[string]any{"output": "content"})
	if r, err := b.call(t.Context(), spec, `{}`); code(err) != tool.CodeOutputInvalid || !strings.Contains(said(r, err), "is over 20 MiB") {
		t.Errorf("%q %v", said(r, err), err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestErrorsFollowTheTextOfAnAnswer(t *testing.T) {
	b := newBed(t)
	spec := b.script(`echo '{"text":"said"}'; echo logged >&2`, map[string]any{"output": "content"})
	r, err := b.call(t.Context(), spec, `{}`)
	if got := said(r, err); got != "said\nlogged\n" {
		t.Errorf("%q %v", got, err)
	}
	spec = b.script(`yes "$(head -c 900 /dev/zero | tr '\0' x)" | head -n 200 >&2; echo '{"text":"said"}'`, map[string]any{"output": "content"})
	r, err = b.call(t.Context(), spec, `{}`)
	if got := said(r, err); !strings.HasPrefix(got, "said\nxxx") || len(got) > 17<<10 || r.Metadata.Truncation == nil {
		t.Errorf("%d bytes, %v, %v", len(got), r.Metadata.Truncation, err)
	}
	// An answer beyond what is captured is not read in part.
	spec = b.script(`printf '{"text":"'; head -c 100000 /dev/zero | tr '\0' x; printf '"}'`, map[string]any{"output": "content"})
	if r, err := b.call(t.Context(), spec, `{}`); code(err) != tool.CodeOutputInvalid || !strings.Contains(said(r, err), "100,000 characters") {
		t.Errorf("%q %v", said(r, err), err)
	}
}
