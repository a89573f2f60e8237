package mcp

import (
	"context"

	"countersign/backend/tool"
)

// maxImageBytes is how much the images of one result may have together, in bytes. Written as
// base64 with the text beside them they stay far below the longest line.
const maxImageBytes = 8 << 20

// Images reads the images that results name.
type Images interface {
	// ImageBytes returns the bytes of an image of a result by its handle, and the type that
	// they have. Any error means that there is no image to be shown.
	ImageBytes(ctx context.Context, handle string) (data []byte, mime string, err error)
}

// shownImages are the images of a result as its client gets them, and by handle what is said of
// those that it does not get.
type shownImages struct {
	blocks []block
	notes  map[string]string
}

const (
	noteTooLarge = ", not sent because it is too large for this connection; the user sees it"
	noteGone     = ", not sent because it cannot be read"
)

// imagesOf reads the images of a result that succeeded, in order, as far as they fit. The same
// image is sent once.
func (d *door) imagesOf(ctx context.Context, o tool.Outcome) shownImages {
	s := shownImages{notes: map[string]string{}}
	if d.options.Images == nil || o.Status != tool.StatusSucceeded {
		return s
	}
	room, done := maxImageBytes, map[string]bool{}
	for _, p := range o.Content {
		if p.Type != tool.PartImage || done[p.Handle] {
			continue
		}
		done[p.Handle] = true
		data, mime, err := d.options.Images.ImageBytes(ctx, p.Handle)
		switch {
		case err != nil:
			d.options.log().Warn("an image of a result was not sent", "cause", err)
			s.notes[p.Handle] = noteGone
		case len(data) > room:
			s.notes[p.Handle] = noteTooLarge
		default:
			room -= len(data)
			s.blocks = append(s.blocks, block{Type: "image", Data: data, Mime: mime})
		}
	}
	return s
}
