package toolset

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"countersign/backend/policy/pathclass"
	"countersign/backend/tool"
)

// maxImages is how many images one answer may have.
const maxImages = 8

// picture is an image of an answer.
type picture struct {
	mime string
	data []byte
	// path is where it lies, nil for one that came as data.
	path *tool.Path
	open io.ReadCloser
}

// images are the images of an answer as parts of the result: all of them, or none. Nothing is
// opened before it is known that all could be used.
func (f finished) images(ctx context.Context, env tool.Env, entries []any) ([]tool.Part, error) {
	switch {
	case len(entries) == 0:
		return nil, nil
	case !env.Images:
		return nil, f.withMetadata(tool.Errorf(CodeImages, "the caller takes no images"))
	case len(entries) > maxImages:
		return nil, f.badAnswer("It has more than 8 images.")
	case env.Host.Media == nil:
		return nil, f.withMetadata(tool.Errorf(tool.CodeUnavailable, "images cannot be kept").WithText("This host cannot keep images."))
	}
	pictures := make([]picture, len(entries))
	defer func() {
		for _, p := range pictures {
			if p.open != nil {
				_ = p.open.Close()
			}
		}
	}()
	for i, entry := range entries {
		if words := pictures[i].read(entry, func(arg string) (*tool.Path, string) { return f.place(env.Host.Files, arg) }); words != "" {
			return nil, f.badImage(i, words)
		}
	}
	for i := range pictures {
		if words, err := pictures[i].look(ctx, env.Host.Files); err != nil {
			return nil, f.readFailed(ctx, i, err)
		} else if words != "" {
			return nil, f.badImage(i, words)
		}
	}
	var out []tool.Part
	for i := range pictures {
		handle, err := env.Host.Media.Keep(ctx, pictures[i].mime, pictures[i].reader())
		if err != nil {
			return nil, f.readFailed(ctx, i, err)
		}
		out = append(out, tool.Part{Type: tool.PartImage, Mime: pictures[i].mime, Handle: handle})
	}
	return out, nil
}

// read takes an entry of the list, or says in words what is wrong with it.
func (p *picture) read(entry any, place func(string) (*tool.Path, string)) (words string) {
	fields, ok := entry.(map[string]any)
	if !ok {
		return "is not an object"
	}
	p.mime, _ = fields["mimeType"].(string)
	if magic[p.mime] == nil {
		return "does not have the mimeType image/png, image/jpeg, image/gif or image/webp"
	}
	data, path := fields["base64"], fields["path"]
	if (data == nil) == (path == nil) {
		return "must have exactly one of base64 and path"
	}
	if path != nil {
		arg, ok := path.(string)
		if !ok {
			return "has a path that is not text"
		}
		p.path, words = place(arg)
		return words
	}
	text, ok := data.(string)
	if !ok {
		return "has base64 that is not text"
	}
	var err error
	if p.data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), "")); err != nil {
		return "has base64 that cannot be decoded"
	}
	if len(p.data) == 0 {
		return "is empty"
	}
	return p.judge(int64(len(p.data)), p.data)
}

// place says where a path leads, or in words why nothing there can be attached.
func (f finished) place(files tool.Files, arg string) (*tool.Path, string) {
	p, err := files.Resolve(arg)
	if err != nil {
		return nil, "has a path that cannot be used"
	}
	held := pathclass.Classify(pathclass.Place{Lexical: p.Abs, Real: p.Real, Workspace: files.Root(), OwnHome: f.facts.Home}).For(tool.AccessRead)
	switch {
	case p.Zone != tool.ZoneWorkspace:
		return nil, "has a path that leads out of the workspace"
	case held.Hold > pathclass.Free:
		return nil, "has the path of a credential or of another protected file"
	case p.Kind == tool.KindAbsent:
		return nil, "has a path at which there is no file"
	case p.Kind != tool.KindFile:
		return nil, "has a path that is not that of a regular file"
	}
	return &p, ""
}

// look opens an image that lies in a file and looks at its start.
func (p *picture) look(ctx context.Context, files tool.Files) (words string, err error) {
	if p.path == nil {
		return "", nil
	}
	file, info, err := files.Open(ctx, *p.path)
	if err != nil {
		return "", err
	}
	p.open = file
	p.data = make([]byte, magicBytes)
	n, err := io.ReadFull(file, p.data)
	if p.data = p.data[:n]; err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("read the start of an image: %w", err)
	}
	if n == 0 {
		return "is empty", nil
	}
	return p.judge(info.Size, p.data), nil
}

// judge says in words what is wrong with an image of a size that begins with start.
func (p *picture) judge(size int64, start []byte) (words string) {
	switch {
	case size > tool.MaxImageBytes:
		return "is over 20 MiB"
	case !magic[p.mime](start):
		return "has bytes that do not match its mimeType"
	}
	return ""
}

// reader reads the whole of an image.
func (p *picture) reader() io.Reader {
	if p.open == nil {
		return bytes.NewReader(p.data)
	}
	return &capped{io.MultiReader(bytes.NewReader(p.data), p.open), tool.MaxImageBytes}
}

// errTooLarge is a file that grew over the limit while it was read.
var errTooLarge = errors.New("the image is over 20 MiB")

// capped fails when there is more to read than it may hold.
type capped struct {
	from io.Reader
	left int64
}

// Read reads on.
func (c *capped) Read(room []byte) (int, error) {
	n, err := c.from.Read(room)
	if c.left -= int64(n); c.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// magicBytes is how many bytes tell what an image is.
const magicBytes = 12

// magic tells by the first bytes whether something is an image of a type.
var magic = map[string]func(start []byte) bool{
	"image/png":  begins("\x89PNG\r\n\x1a\n"),
	"image/jpeg": begins("\xff\xd8\xff"),
	"image/gif":  func(b []byte) bool { return begins("GIF87a")(b) || begins("GIF89a")(b) },
	"image/webp": func(b []byte) bool { return len(b) >= magicBytes && begins("RIFF")(b) && begins("WEBP")(b[8:]) },
}

func begins(with string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(with)) }
}

func (f finished) badImage(i int, words string) error {
	return f.badAnswer(fmt.Sprintf("Its image %d %s.", i+1, words))
}

// readFailed is the failure of a file that could not be read when it came to that.
func (f finished) readFailed(ctx context.Context, i int, err error) error {
	if ctx.Err() != nil {
		return f.withMetadata(tool.Errorf(tool.CodeCancelled, "the call ended while an image was read"))
	}
	if errors.Is(err, errTooLarge) {
		return f.badImage(i, "is over 20 MiB")
	}
	words := "cannot be read or kept"
	if own, ok := errors.AsType[*tool.Error](err); ok {
		switch own.Code {
		case tool.CodePolicyPathMoved:
			words = "has a path that leads elsewhere than it did"
		case tool.CodeFileNotFound:
			words = "has a path at which there is no file"
		case tool.CodeIsDirectory, tool.CodeNotAFile:
			words = "has a path that is not that of a regular file"
		}
	}
	own := f.badAnswer(fmt.Sprintf("Its image %d %s.", i+1, words))
	own.Detail = fmt.Errorf("attach an image: %w", err)
	return own
}

func (f finished) withMetadata(own *tool.Error) *tool.Error {
	m := f.metadata()
	own.Metadata = &m
	return own
}
