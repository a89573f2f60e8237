package media_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"countersign/backend/media"

	"pgregory.net/rapid"
)

// encoded is an image of a size as one of the encoders of the standard library writes it.
func encoded(t testing.TB, mime string, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	picture := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	switch mime {
	case media.PNG:
		err = png.Encode(&b, picture)
	case media.JPEG:
		err = jpeg.Encode(&b, picture, nil)
	case media.GIF:
		err = gif.Encode(&b, picture, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// riff is a WebP file with one chunk.
func riff(kind string, chunk []byte) []byte {
	b := append([]byte("RIFF\x00\x00\x00\x00WEBP"), kind...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(chunk)))
	return append(b, chunk...)
}

func TestLookTellsTypeAndPixels(t *testing.T) {
	for _, mime := range []string{media.PNG, media.JPEG, media.GIF} {
		for _, size := range [][2]int{{1, 1}, {17, 400}, {20_000, 10}} {
			if got, w, h := media.Look(encoded(t, mime, size[0], size[1])); got != mime || w != size[0] || h != size[1] {
				t.Errorf("%s of %v: %s, %d by %d", mime, size, got, w, h)
			}
		}
	}
	for name, row := range map[string]struct {
		data []byte
		w, h int
	}{
		"lossy":         {riff("VP8 ", []byte{0x30, 1, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0x40}), 320, 240},
		"a later frame": {riff("VP8 ", []byte{0x31, 1, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0}), 0, 0},
		"lossless":      {riff("VP8L", []byte{0x2f, 0x3f, 0xc1, 0x3b, 0, 0, 0, 0, 0, 0}), 320, 240},
		"extended":      {riff("VP8X", []byte{0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0}), 320, 240},
		"another":       {riff("ABCD", make([]byte, 10)), 0, 0},
		"cut":           {riff("VP8X", []byte{0, 0}), 0, 0},
	} {
		if mime, w, h := media.Look(row.data); mime != media.WebP || w != row.w || h != row.h {
			t.Errorf("WebP, %s: %s, %d by %d", name, mime, w, h)
		}
	}
	for _, text := range []string{"", "<svg xmlns='http://www.w3.org/2000/svg'/>", "hello", "BM", "RIFF    WAVE", "%PDF-1.7", "\x89PNG"} {
		if mime, w, h := media.Look([]byte(text)); mime != "" || w != 0 || h != 0 {
			t.Errorf("%q: %s, %d by %d", text, mime, w, h)
		}
	}
}

// A reader that draws more than the head of an image says must not be led past the limit.
func TestLookTellsNoSizeOfAnImageThatMayBeDrawnLarger(t *testing.T) {
	whole := encoded(t, media.GIF, 30, 20)
	at := bytes.IndexByte(whole[13+6:], ',') + 13 + 6
	for name, change := range map[string]func(b []byte){
		"wider": func(b []byte) { b[at+5], b[at+6] = 0xff, 0xff },
		"moved": func(b []byte) { b[at+1] = 1 },
		"lower": func(b []byte) { b[at+8] = 1 },
		"wrong": func(b []byte) { b[at] = '?' },
	} {
		b := bytes.Clone(whole)
		change(b)
		if mime, w, h := media.Look(b); mime != media.GIF || w != 0 || h != 0 {
			t.Errorf("%s: %s, %d by %d", name, mime, w, h)
		}
	}
	damaged := encoded(t, media.PNG, 30, 20)
	damaged[18] = 0xff
	if mime, w, h := media.Look(damaged); mime != media.PNG || w != 0 || h != 0 {
		t.Errorf("a head with another sum: %s, %d by %d", mime, w, h)
	}
}

func TestAFewBytesThatStandForGigabytesAreNotDrawn(t *testing.T) {
	head := append([]byte("IHDR"), 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 8, 6, 0, 0, 0)
	bomb := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	bomb = binary.BigEndian.AppendUint32(bomb, crc32.ChecksumIEEE(head))
	mime, w, h := media.Look(bomb)
	if mime != media.PNG || w != 65_535 || h != 65_535 || media.Drawable(w, h) {
		t.Errorf("%s, %d by %d, drawable %v", mime, w, h, media.Drawable(w, h))
	}
	for size, want := range map[[2]int]bool{
		{0, 10}: false, {10, 0}: false, {-1, 10}: false, {1, 1}: true, {20_000, 10}: true, {8_000, 5_000}: true, {8_000, 5_001}: false, {1 << 62, 1 << 62}: false,
	} {
		if got := media.Drawable(size[0], size[1]); got != want {
			t.Errorf("%v: %v", size, got)
		}
	}
}

func TestAHandleHasOneSpelling(t *testing.T) {
	sum := media.Sum([]byte("x"))
	if got, ok := media.ParseHandle(media.Handle(sum)); !ok || got != sum {
		t.Errorf("%q, %v", got, ok)
	}
	for _, handle := range []string{
		"", sum, media.Name(sum), "media://" + sum, "MEDIA://sha256-" + sum, "media://sha256-" + strings.ToUpper(sum), "media://sha256-" + sum[1:],
		"media://sha256-" + sum + "0", "media://sha256-" + sum + "\n", " media://sha256-" + sum, "media:///sha256-" + sum, "media://sha256-../" + sum[3:],
		"media://sha512-" + sum, "media://sha256-" + sum[:63] + "g",
	} {
		if got, ok := media.ParseHandle(handle); ok || got != "" {
			t.Errorf("%q is read as %q", handle, got)
		}
	}
}

func TestLookHoldsForAnyBytes(t *testing.T) {
	starts := []string{"", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF89a", "RIFF\x00\x00\x00\x00WEBPVP8 ", "RIFF\x00\x00\x00\x00WEBPVP8X"}
	whole := []string{string(encoded(t, media.PNG, 3, 3)), string(encoded(t, media.JPEG, 3, 3)), string(encoded(t, media.GIF, 3, 3))}
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.SampledFrom(append(starts, whole...)).Draw(t, "start"))
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			if len(data) > 0 {
				data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		data = append(data, rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "rest")...)
		mime, w, h := media.Look(data)
		if (w == 0) != (h == 0) || w < 0 || h < 0 || mime == "" && w != 0 {
			t.Fatalf("%q: %d by %d", mime, w, h)
		}
	})
}
