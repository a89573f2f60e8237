package backend

import (
	"context"
	"errors"
	"fmt"
	"io"

	"countersign/backend/media"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// ImageCap is how much the images of all sessions may take together, in bytes.
const ImageCap int64 = 512 << 20

// Image is an image that a result of a session names, as it is now.
type Image struct {
	session.Image
	// Gone says that it is no longer kept.
	Gone bool
}

// images keeps the images of a session's results.
type images struct {
	engine  *Engine
	session string
}

// Keep keeps an image and returns its handle. It is refused with CodeStorageUnavailable when the
// images of sessions that live, together with it, would take more than the cap.
func (i images) Keep(ctx context.Context, _ string, r io.Reader) (string, error) {
	image, err := i.engine.media.Put(ctx, r, func(image session.Image) error {
		if err := i.engine.roomForImage(ctx, image); err != nil {
			return err
		}
		return i.engine.store.ClaimImage(ctx, i.session, image)
	})
	if err != nil {
		return "", err
	}
	return media.Handle(image.SHA256), nil
}

// Image tells of an image that a session has. A handle that it does not have is one that is gone.
func (e *Engine) Image(ctx context.Context, sessionID, handle string) (Image, error) {
	sum, ok := media.ParseHandle(handle)
	if !ok {
		return Image{Gone: true}, nil
	}
	image, known, err := e.store.Image(ctx, sessionID, sum)
	if err != nil {
		return Image{}, err
	}
	return Image{Image: image, Gone: !known || !e.media.Holds(sum, image.Bytes)}, nil
}

// ReadImage returns the bytes of an image and what they are. It returns fs.ErrNotExist for one that is
// not there, and spill.ErrDamaged for one that is not what was kept.
func (e *Engine) ReadImage(ctx context.Context, sum string) ([]byte, session.Image, error) {
	return e.media.Read(ctx, sum)
}

// errNoImageRoom says that images that are in use take all the room that there is for them.
var errNoImageRoom = errors.New("the images of open sessions take all the room that images may take")

// roomForImage makes room for one more image where all of them would take too much.
func (e *Engine) roomForImage(ctx context.Context, image session.Image) error {
	fits := func() (bool, error) {
		there, err := e.media.Sums()
		if err != nil {
			return false, tool.Errorf(tool.CodeStorageUnavailable, "measure the images: %w", err)
		}
		there[image.SHA256] = image.Bytes
		var total int64
		for _, size := range there {
			total += size
		}
		return total <= e.options.ImageCap, nil
	}
	if ok, err := fits(); ok || err != nil {
		return err
	}
	e.sweepImages(ctx)
	owners, err := e.store.ImageSessions(ctx)
	if err != nil {
		return err
	}
	for _, id := range owners {
		if ok, err := fits(); ok || err != nil {
			return err
		}
		forgotten, err := e.store.ForgetImages(ctx, id)
		if err != nil && !errors.Is(err, session.ErrNoSession) {
			return err
		}
		if forgotten {
			e.options.Log.Info("images were removed to make room", "session", id)
			e.sweepImages(ctx)
		}
	}
	ok, err := fits()
	if !ok && err == nil {
		err = tool.Errorf(tool.CodeStorageUnavailable, "keep an image: %w", errNoImageRoom)
	}
	return err
}

// sweepImages removes the images that no session has, and what was left unfinished.
func (e *Engine) sweepImages(ctx context.Context) {
	err := e.media.ClearUnfinished()
	there, listErr := e.media.Sums()
	had, readErr := e.store.ImageSums(ctx)
	err = errors.Join(err, listErr, readErr)
	if readErr == nil {
		for sum := range there {
			if had[sum] {
				continue
			}
			if _, releaseErr := e.store.ReleaseImage(ctx, sum, func() error { return e.media.Remove(sum) }); releaseErr != nil {
				err = errors.Join(err, fmt.Errorf("release an image: %w", releaseErr))
				break
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		e.options.Log.Warn("images were not looked through", "cause", err)
	}
}
