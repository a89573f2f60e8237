package media

import (
	"bytes"
	"encoding/binary"
	"image/gif"
	"image/jpeg"
	"image/png"
)

// The types of image that are taken. Text that draws, such as SVG, is none of them.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
	GIF  = "image/gif"
	WebP = "image/webp"
)

// MaxPixels is how many pixels an image may have to be drawn: four bytes of memory each.
const MaxPixels = 40_000_000

// Drawable reports whether an image of a size can be drawn in bounded memory. One whose size is
// not known cannot.
func Drawable(width, height int) bool {
	return width > 0 && height > 0 && width <= MaxPixels && height <= MaxPixels/width
}

// Look says by its bytes which type an image has, "" for none that is taken, and how many
// pixels wide and high it is drawn. Both are 0 where that cannot be told for certain.
func Look(data []byte) (mime string, width, height int) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		c, err := png.DecodeConfig(bytes.NewReader(data))
		return known(PNG, c.Width, c.Height, err == nil)
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		c, err := jpeg.DecodeConfig(bytes.NewReader(data))
		return known(JPEG, c.Width, c.Height, err == nil)
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		c, err := gif.DecodeConfig(bytes.NewReader(data))
		return known(GIF, c.Width, c.Height, err == nil && framesInside(data, c.Width, c.Height))
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		w, h, ok := webpSize(data[12:])
		return known(WebP, w, h, ok)
	}
	return "", 0, 0
}

func known(mime string, width, height int, ok bool) (string, int, int) {
	if !ok || width <= 0 || height <= 0 {
		return mime, 0, 0
	}
	return mime, width, height
}

// framesInside reports whether every frame of a GIF lies within its screen. One that does not
// may be drawn larger than the screen says. A file that ends early is drawn as far as it goes.
func framesInside(data []byte, width, height int) bool {
	const head, frame = 13, 10
	at := head + colours(data[10])
	for at < len(data) {
		switch data[at] {
		case ';':
			return true
		case '!':
			at = pastBlocks(data, at+2)
		case ',':
			if at+frame > len(data) {
				return true
			}
			n := func(i int) int { return int(binary.LittleEndian.Uint16(data[at+i:])) }
			if n(1)+n(5) > width || n(3)+n(7) > height {
				return false
			}
			at = pastBlocks(data, at+frame+colours(data[at+9])+1)
		default:
			return false
		}
	}
	return true
}

// colours is the size of the table of colours that flags tell of, in bytes.
func colours(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// pastBlocks is the place behind the blocks that begin at a place: each has its length before
// it, and one of none ends them.
func pastBlocks(data []byte, at int) int {
	for at < len(data) {
		n := int(data[at])
		at += 1 + n
		if n == 0 {
			return at
		}
	}
	return len(data)
}

// webpSize reads the size of a WebP image from its first chunk.
func webpSize(b []byte) (width, height int, ok bool) {
	const chunkHead = 8
	if len(b) < chunkHead+10 {
		return 0, 0, false
	}
	d := b[chunkHead:]
	switch string(b[:4]) {
	case "VP8 ":
		// A key frame has its size behind three bytes of flags and a mark.
		if d[0]&1 != 0 || string(d[3:6]) != "\x9d\x01\x2a" {
			return 0, 0, false
		}
		return int(binary.LittleEndian.Uint16(d[6:]) & 0x3fff), int(binary.LittleEndian.Uint16(d[8:]) & 0x3fff), true
	case "VP8L":
		if d[0] != 0x2f {
			return 0, 0, false
		}
		v := binary.LittleEndian.Uint32(d[1:])
		return int(v&0x3fff) + 1, int(v>>14&0x3fff) + 1, true
	case "VP8X":
		return int(uint24(d[4:])) + 1, int(uint24(d[7:])) + 1, true
	}
	return 0, 0, false
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }
