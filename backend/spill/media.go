package spill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"countersign/backend/media"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Media keeps images by the hash of their bytes, the same bytes once. It is safe for concurrent
// use, and several programs may use one folder.
type Media struct {
	root  *os.Root
	store *Store
	// inMemory bounds how many images are held in memory at once.
	inMemory chan struct{}
}

const maxInMemory = 4

// ErrDamaged says that the bytes under a name are not those that were kept under it.
var ErrDamaged = errors.New("the image is not what was kept")

// OpenMedia opens the folder of images, making it where it is missing. The caller closes it.
func OpenMedia(dir string) (*Media, error) {
	s, err := Open(dir)
	if err != nil {
		return nil, err
	}
	return &Media{root: s.root, store: s, inMemory: make(chan struct{}, maxInMemory)}, nil
}

// Close lets go of the folder; the images stay.
func (m *Media) Close() error { return m.root.Close() }

// Put keeps an image of at most tool.MaxImageBytes. It hands what is known of it to claim before
// it looks whether the image is there already, so that whoever removes images and asks first
// never takes one that somebody has begun to rely on. A file that was damaged is written anew.
// The errors of content and of claim are returned as they are; another is the error of ctx or a
// *tool.Error with CodeStorageUnavailable, and then the disk is as it was.
func (m *Media) Put(ctx context.Context, content io.Reader, claim func(session.Image) error) (session.Image, error) {
	if err := m.enter(ctx); err != nil {
		return session.Image{}, err
	}
	defer m.leave()
	data, err := io.ReadAll(until{ctx, io.LimitReader(content, tool.MaxImageBytes+1)})
	if err != nil {
		return session.Image{}, err
	}
	if len(data) > tool.MaxImageBytes {
		return session.Image{}, tool.Errorf(tool.CodeStorageUnavailable, "the image is over %d bytes", tool.MaxImageBytes)
	}
	image := session.Image{SHA256: media.Sum(data), Bytes: int64(len(data))}
	image.Mime, image.Width, image.Height = media.Look(data)
	if err := claim(image); err != nil {
		return session.Image{}, err
	}
	if _, err := m.read(image.SHA256); err == nil {
		return image, nil
	}
	if err := m.write(ctx, media.Name(image.SHA256), data); err != nil {
		return session.Image{}, err
	}
	return image, nil
}

// write gives a file its name once it is whole, in place of whatever has it.
func (m *Media) write(ctx context.Context, name string, data []byte) error {
	temp, f, err := create(m.root, incoming, "")
	if err != nil {
		return failed("create image file", err)
	}
	if _, err = m.store.fill(ctx, f, bytes.NewReader(data)); err == nil {
		if err = m.root.Rename(temp, name); err == nil {
			return m.named()
		}
	}
	_ = m.root.Remove(temp)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failed("write image file", err)
}

// named makes a name durable that a file was given or lost.
func (m *Media) named() error {
	if err := syncDir(m.root); err != nil {
		return failed("name image file", err)
	}
	return nil
}

// Read returns an image by its hash, with what its bytes are. It returns fs.ErrNotExist for one
// that is not there, and ErrDamaged for one that is not what was kept.
func (m *Media) Read(ctx context.Context, sum string) ([]byte, session.Image, error) {
	if err := m.enter(ctx); err != nil {
		return nil, session.Image{}, err
	}
	defer m.leave()
	data, err := m.read(sum)
	if err != nil {
		return nil, session.Image{}, err
	}
	image := session.Image{SHA256: sum, Bytes: int64(len(data))}
	image.Mime, image.Width, image.Height = media.Look(data)
	return data, image, nil
}

func (m *Media) read(sum string) ([]byte, error) {
	if _, ok := media.ParseName(media.Name(sum)); !ok {
		return nil, fs.ErrNotExist
	}
	text, err := openText(m.root, media.Name(sum))
	if err != nil {
		return nil, err
	}
	defer text.Close()
	data, err := io.ReadAll(io.NewSectionReader(text, 0, tool.MaxImageBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read an image: %w", cause(err))
	}
	if media.Sum(data) != sum {
		return nil, ErrDamaged
	}
	return data, nil
}

// Holds reports whether there is a file of so many bytes under the name of an image. Only Read
// says whether they are the right ones.
func (m *Media) Holds(sum string, size int64) bool {
	if _, ok := media.ParseName(media.Name(sum)); !ok {
		return false
	}
	info, err := m.root.Lstat(media.Name(sum))
	return err == nil && info.Mode().IsRegular() && info.Size() == size
}

// unfinishedFor is how long an image may be on its way; what took longer was left by a program
// that ended.
const unfinishedFor = time.Hour

// Sums lists the images that are there with their sizes in bytes.
func (m *Media) Sums() (map[string]int64, error) {
	files, err := m.store.list(".")
	if err != nil {
		return nil, fmt.Errorf("list images: %w", cause(err))
	}
	all := map[string]int64{}
	for _, f := range files {
		sum, ok := media.ParseName(f.Name())
		if !ok {
			continue
		}
		info, err := f.Info()
		if err != nil {
			continue // removed meanwhile
		}
		all[sum] = info.Size()
	}
	return all, nil
}

// Remove removes an image. One that is not there is no error.
func (m *Media) Remove(sum string) error {
	if _, ok := media.ParseName(media.Name(sum)); !ok {
		return nil
	}
	if err := m.root.RemoveAll(media.Name(sum)); err != nil {
		return fmt.Errorf("remove an image: %w", cause(err))
	}
	return nil
}

// ClearUnfinished removes what programs left that ended while they kept an image. Times are
// those of the disk, which are the same for every program.
func (m *Media) ClearUnfinished() error {
	now, err := m.diskTime()
	if err != nil {
		return err
	}
	files, err := m.store.list(".")
	if err != nil {
		return fmt.Errorf("list images: %w", cause(err))
	}
	var errs []error
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), incoming) {
			continue
		}
		info, err := f.Info()
		if err != nil || now.Sub(info.ModTime()) < unfinishedFor {
			continue
		}
		if err := m.root.RemoveAll(f.Name()); err != nil {
			errs = append(errs, fmt.Errorf("remove an unfinished image: %w", cause(err)))
		}
	}
	return errors.Join(errs...)
}

// diskTime is the time that a file gets that is made now.
func (m *Media) diskTime() (time.Time, error) {
	name, f, err := create(m.root, incoming, "")
	if err != nil {
		return time.Time{}, fmt.Errorf("look at the time of the disk: %w", cause(err))
	}
	info, err := f.Stat()
	_ = f.Close()
	_ = m.root.Remove(name)
	if err != nil {
		return time.Time{}, fmt.Errorf("look at the time of the disk: %w", cause(err))
	}
	return info.ModTime(), nil
}

// enter waits until another image may be held in memory.
func (m *Media) enter(ctx context.Context) error {
	select {
	case m.inMemory <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *Media) leave() { <-m.inMemory }
