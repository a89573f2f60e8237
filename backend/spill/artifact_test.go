package spill_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/spill"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

func whole(t *testing.T, s *spill.Text, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	size, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(io.NewSectionReader(s, 0, size))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestContentsAreKeptOnceUntilNobodyNamesThem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "artifacts")
	a, err := spill.OpenArtifacts(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	digest := sha256.Sum256([]byte("text"))
	want := hex.EncodeToString(digest[:])
	for range 2 {
		if sum, size, err := a.Put(t.Context(), strings.NewReader("text")); sum != want || size != 4 || err != nil {
			t.Errorf("%s, %d, %v", sum, size, err)
		}
	}
	other, _, err := a.Put(t.Context(), strings.NewReader("other"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.Text(want)
	if got := whole(t, text, err); got != "text" {
		t.Errorf("%q", got)
	}
	for _, sum := range []string{"", "..", "../" + want, strings.ToUpper(want[:60]), strings.Repeat("0", 64)} {
		if _, err := a.Text(sum); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", sum, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, _, err := a.Put(ctx, &endless{n: math.MaxInt64, then: cancel}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if freed, err := a.Clean(map[string]bool{want: true}); freed != 5 || err != nil {
		t.Errorf("%d, %v", freed, err)
	}
	if _, err := a.Text(other); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"-rw------- " + want + " 4"}, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestAContentThatDoesNotFitIsNotKept(t *testing.T) {
	s := small(t, 256)
	a, err := spill.OpenArtifacts(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	_, _, err = a.Put(t.Context(), &endless{n: 1 << 20})
	if e, ok := errors.AsType[*tool.Error](err); !ok || e.Code != tool.CodeStorageUnavailable || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if got := tree(t, s.Dir()); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestATextIsOpenedByNameAloneAndOnlyWhereItIsOne(t *testing.T) {
	s := open(t, t.TempDir())
	path, _, err := s.For("s", "c").Spill(t.Context(), "bash", strings.NewReader("text"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Text("s", "bash-c.txt")
	if whole(t, got, err) != "text" {
		t.Error("another text")
	}
	folder := filepath.Dir(path)
	elsewhere := filepath.Join(t.TempDir(), "secret")
	for _, err := range []error{
		os.WriteFile(elsewhere, nil, 0o600), os.Symlink(elsewhere, filepath.Join(folder, "link")), os.Symlink("bash-c.txt", filepath.Join(folder, "near")),
		syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600), os.Mkdir(filepath.Join(folder, "folder"), 0o700),
		os.WriteFile(filepath.Join(folder, ".version-1"), nil, 0o600), os.Symlink(filepath.Dir(elsewhere), filepath.Join(s.Dir(), "away")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range [][2]string{
		{"s", "link"}, {"s", "near"}, {"s", "pipe"}, {"s", "folder"}, {"s", ".version-1"}, {"s", "../s/bash-c.txt"}, {"s", ""}, {"s", "."}, {"s", "absent"},
		{"away", "secret"}, {"..", "secret"}, {"", "bash-c.txt"}, {"s", "bash-c.txt\x00"},
	} {
		if _, err := s.Text(q[0], q[1]); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", q, err)
		}
	}
}
