package bridge

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"countersign/backend"
	"countersign/backend/bound"
	"countersign/backend/media"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// imagePath begins the address under which a program shows its page an image; the last part of
// the image's handle ends it.
const imagePath = "/media/"

// Imager knows the images that results name.
type Imager interface {
	// Image tells of an image of a session.
	Image(ctx context.Context, sessionID, handle string) (backend.Image, error)
	// ReadImage returns the bytes of an image, or fails with fs.ErrNotExist.
	ReadImage(ctx context.Context, sum string) ([]byte, session.Image, error)
}

// Images are the images of results for the programs behind a page: no wire has them.
type Images struct{ api *API }

// ImagesOf are the images that an API tells of.
func ImagesOf(a *API) Images { return Images{a} }

// Named reports whether an address is that of an image, there or not.
func (Images) Named(path string) bool { return strings.HasPrefix(path, imagePath) }

// ImageFile is an image as it is shown: Mime is what its bytes are, one of four types that no
// browser runs.
type ImageFile struct {
	Mime string
	Data []byte
}

// Read returns the image of an address. Anything that cannot be shown is CodeNotFound: one that
// is not there, that is not what was kept, or that has too many pixels.
func (i Images) Read(path string) (ImageFile, error) {
	return respond(i.api, "ReadImage", func(ctx context.Context) (ImageFile, error) {
		sum, ok := media.ParseName(strings.TrimPrefix(path, imagePath))
		if !ok {
			return ImageFile{}, errNoImage
		}
		data, image, err := i.api.engine.ReadImage(ctx, sum)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return ImageFile{}, errNoImage
		case err != nil:
			i.api.log.Warn("an image cannot be shown", "cause", err)
			return ImageFile{}, errNoImage
		case !media.Drawable(image.Width, image.Height):
			return ImageFile{}, errNoImage
		}
		return ImageFile{Mime: image.Mime, Data: data}, nil
	})
}

var errNoImage = Fault(CodeNotFound, "There is no such image that can be shown.")

// imageRows tells of the images among the parts of a result.
func (a *API) imageRows(ctx context.Context, sessionID string, parts []Part) error {
	for i := range parts {
		if parts[i].Type != string(tool.PartImage) {
			continue
		}
		image, err := a.engine.Image(ctx, sessionID, parts[i].Handle)
		if err != nil {
			return err
		}
		showImage(&parts[i], image)
	}
	return nil
}

// showImage says where an image is drawn from, or why it is not.
func showImage(p *Part, i backend.Image) {
	p.Bytes, p.Width, p.Height = int(i.Bytes), i.Width, i.Height
	switch {
	case i.Gone:
		p.Trouble = "This image is no longer kept. What the tool said beside it is still here."
	case i.Width == 0:
		p.Trouble = "This image cannot be shown: its size in pixels cannot be read, so it may be broken."
	case !media.Drawable(i.Width, i.Height):
		p.Trouble = "This image is not shown: drawn, it would take more memory than the " + bound.Count(media.MaxPixels) + " pixels that are allowed."
	default:
		sum := i.SHA256
		p.Source = imagePath + media.Name(sum)
	}
}
