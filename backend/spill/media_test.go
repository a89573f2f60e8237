package spill_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"countersign/backend/media"
	"countersign/backend/session"
	"countersign/backend/spill"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// shelf opens the images of a folder.
func shelf(t *testing.T, dir string) *spill.Media {
	t.Helper()
	m, err := spill.OpenMedia(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func claimed(session.Image) error { return nil }

// dot is a GIF of one pixel.
const dot = "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

func put(t *testing.T, m *spill.Media, text string) string {
	t.Helper()
	image, err := m.Put(t.Context(), strings.NewReader(text), claimed)
	if err != nil {
		t.Fatal(err)
	}
	return image.SHA256
}

func TestAnImageIsKeptOnceAndPrivately(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "media")
	m := shelf(t, dir)
	var told []session.Image
	want := session.Image{SHA256: media.Sum([]byte(dot)), Mime: "image/gif", Bytes: int64(len(dot)), Width: 1, Height: 1}
	for range 2 {
		got, err := m.Put(t.Context(), strings.NewReader(dot), func(i session.Image) error { told = append(told, i); return nil })
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Error(err, d)
		}
	}
	if d := cmp.Diff([]session.Image{want, want}, told); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"-rw------- sha256-" + want.SHA256 + " 35"}, tree(t, dir)); d != "" {
		t.Error(d)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	data, image, err := m.Read(t.Context(), want.SHA256)
	if d := cmp.Diff(want, image); string(data) != dot || err != nil || d != "" {
		t.Error(err, d)
	}
	if !m.Holds(want.SHA256, want.Bytes) || m.Holds(want.SHA256, want.Bytes+1) {
		t.Error("the size of a kept image is not looked at")
	}
}

func TestABadNameLeadsNowhere(t *testing.T) {
	top := t.TempDir()
	m := shelf(t, filepath.Join(top, "media"))
	sum := put(t, m, dot)
	if err := os.WriteFile(filepath.Join(top, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "..", "../secret", "/../../secret", strings.ToUpper(sum), sum[:63], sum + "/", "\x00" + sum[1:], strings.Repeat("0", 64)} {
		if _, _, err := m.Read(t.Context(), name); !errors.Is(err, fs.ErrNotExist) || m.Holds(name, 6) {
			t.Errorf("%q: %v", name, err)
		}
		if err := m.Remove(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if left, err := os.ReadFile(filepath.Join(top, "secret")); err != nil || string(left) != "secret" {
		t.Error(err)
	}
}

// What was changed behind our back is not served, and is whole again once it is kept anew.
func TestADamagedImageIsNotServedUntilItIsKeptAnew(t *testing.T) {
	for name, damage := range map[string]func(path, outside string) error{
		"other bytes": func(path, _ string) error { return os.WriteFile(path, []byte(strings.Repeat("x", len(dot))), 0o600) },
		"cut":         func(path, _ string) error { return os.Truncate(path, 3) },
		"longer":      func(path, _ string) error { return os.WriteFile(path, []byte(dot+"x"), 0o600) },
		"huge":        func(path, _ string) error { return os.Truncate(path, tool.MaxImageBytes+10) },
		"a link": func(path, outside string) error {
			return errors.Join(os.Remove(path), os.WriteFile(outside, []byte(dot), 0o600), os.Symlink(outside, path))
		},
		"a pipe": func(path, _ string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) },
		"absent": func(path, _ string) error { return os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "media")
			m := shelf(t, dir)
			sum := put(t, m, dot)
			if err := damage(filepath.Join(dir, media.Name(sum)), filepath.Join(t.TempDir(), "outside")); err != nil {
				t.Fatal(err)
			}
			if data, _, err := m.Read(t.Context(), sum); !errors.Is(err, spill.ErrDamaged) && !errors.Is(err, fs.ErrNotExist) || data != nil {
				t.Errorf("%d bytes, %v", len(data), err)
			}
			put(t, m, dot)
			if data, _, err := m.Read(t.Context(), sum); err != nil || string(data) != dot {
				t.Errorf("%q, %v", data, err)
			}
			if d := cmp.Diff([]string{"-rw------- sha256-" + sum + " 35"}, tree(t, dir)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWhatIsNotKeptLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "media")
	m := shelf(t, dir)
	full := io.LimitReader(&endless{n: math.MaxInt64}, tool.MaxImageBytes+1)
	if _, err := m.Put(t.Context(), full, claimed); codeOf(err) != tool.CodeStorageUnavailable {
		t.Errorf("too large: %v", err)
	}
	own := errors.New("own")
	if _, err := m.Put(t.Context(), io.MultiReader(strings.NewReader(dot), failing{own}), claimed); !errors.Is(err, own) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := m.Put(t.Context(), strings.NewReader(dot), func(session.Image) error { return own }); !errors.Is(err, own) {
		t.Errorf("not claimed: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := m.Put(ctx, &endless{n: math.MaxInt64, then: cancel}, claimed); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if d := cmp.Diff([]string(nil), tree(t, dir)); d != "" {
		t.Error(d)
	}
	whole := bytes.Repeat([]byte{7}, tool.MaxImageBytes)
	if image, err := m.Put(t.Context(), bytes.NewReader(whole), claimed); err != nil || image.Bytes != tool.MaxImageBytes || image.Mime != "" {
		t.Errorf("as large as may be: %+v, %v", image, err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func codeOf(err error) tool.Code {
	if own, ok := errors.AsType[*tool.Error](err); ok {
		return own.Code
	}
	return ""
}

func TestAFullDiskKeepsNoPartOfAnImage(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	m := shelf(t, dir)
	sum := put(t, m, dot)
	if _, err := m.Put(t.Context(), strings.NewReader(strings.Repeat("x", 2<<20)), claimed); codeOf(err) != tool.CodeStorageUnavailable {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff([]string{"-rw------- sha256-" + sum + " 35"}, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

// A program that was killed leaves a file without a name. One that still writes does not lose its own.
func TestOnlyWhatIsOldIsTakenForUnfinished(t *testing.T) {
	dir := t.TempDir()
	m := shelf(t, dir)
	sum := put(t, m, dot)
	for name, age := range map[string]time.Duration{".incoming": 2 * time.Hour, ".incoming-2": 0} {
		path := filepath.Join(dir, name)
		at := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte("part"), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.ClearUnfinished(); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"-rw------- .incoming-2 4", "-rw------- sha256-" + sum + " 35"}, tree(t, dir)); d != "" {
		t.Error(d)
	}
	if sums, err := m.Sums(); err != nil || !cmp.Equal(sums, map[string]int64{sum: 35}) {
		t.Errorf("%v, %v", sums, err)
	}
}

// Two programs keep and read the same images at the same time.
func TestTwoProgramsShareAFolder(t *testing.T) {
	dir := t.TempDir()
	programs := []*spill.Media{shelf(t, dir), shelf(t, dir)}
	var work sync.WaitGroup
	for _, m := range programs {
		for n := range 8 {
			work.Go(func() {
				text := dot + strings.Repeat("x", n%4)
				image, err := m.Put(t.Context(), strings.NewReader(text), claimed)
				if err != nil {
					t.Error(err)
					return
				}
				for _, other := range programs {
					if data, _, err := other.Read(t.Context(), image.SHA256); err != nil || string(data) != text {
						t.Errorf("%d bytes, %v", len(data), err)
					}
				}
			})
		}
	}
	work.Wait()
	if got := tree(t, dir); len(got) != 4 {
		t.Errorf("%q", got)
	}
}

// Whatever is kept, removed and damaged in any order: what is read is what was kept.
func TestWhatIsReadIsWhatWasKept(t *testing.T) {
	dir := t.TempDir()
	m := shelf(t, dir)
	texts := []string{"", dot, dot + "x", "plain"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		sum := media.Sum([]byte(text))
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			if _, err := m.Put(context.Background(), strings.NewReader(text), claimed); err != nil {
				t.Fatal(err)
			}
			if data, _, err := m.Read(context.Background(), sum); err != nil || string(data) != text {
				t.Fatalf("%q, %v", data, err)
			}
		case 1:
			if err := m.Remove(sum); err != nil || m.Holds(sum, int64(len(text))) {
				t.Fatal(err)
			}
		case 2:
			_ = os.WriteFile(filepath.Join(dir, media.Name(sum)), []byte("other"), 0o600)
		case 3:
			data, _, err := m.Read(context.Background(), sum)
			if err == nil && string(data) != text || err != nil && data != nil {
				t.Fatalf("%q, %v", data, err)
			}
		}
	})
}
