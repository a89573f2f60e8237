package spill_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/change"
	"countersign/backend/spill"
)

// kept reads the versions of all files of a session in the order of their numbers.
func kept(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "s-1", ".version-*"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range names {
		parts := strings.Split(filepath.Base(name), "-")
		text, err := os.ReadFile(name)
		if err != nil || len(parts) != 4 {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, fmt.Sprintf("%s %02s %s", parts[1], parts[2], text))
	}
	slices.Sort(out)
	return out
}

// spec: KH-36
func TestTheLastTenVersionsOfAFileAreKept(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	keep := func(path, text string) {
		t.Helper()
		if err := s.KeepVersion(t.Context(), "s-1", path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 14 {
		keep("/w/a", fmt.Sprint("text ", i))
		keep("/w/a", fmt.Sprint("text ", i))
	}
	keep("/w/b", "other")
	got := kept(t, dir)
	if len(got) != spill.KeptVersions+1 {
		t.Fatalf("%q", got)
	}
	var texts []string
	for _, line := range got {
		texts = append(texts, line[strings.Index(line, " ")+4:])
	}
	for _, want := range []string{"text 4", "text 13", "other"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no %q in %q", want, texts)
		}
	}
	if slices.Contains(texts, "text 3") {
		t.Errorf("an old one stayed: %q", texts)
	}
	// They count as what the session keeps, and go with it.
	usages, err := s.Usages(t.Context())
	if err != nil || len(usages) != 1 || usages[0].Bytes != int64(len("text 0")*6+len("text 10")*4+len("other")) {
		t.Errorf("%+v, %v", usages, err)
	}
	if err := s.Sweep("s-1"); err != nil || len(kept(t, dir)) != 0 {
		t.Errorf("%v, %q", err, kept(t, dir))
	}
}

func TestAVersionThatDoesNotFitLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s := open(t, dir)
	if err := s.KeepVersion(t.Context(), "s-1", "/w/a", make([]byte, 1<<20)); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.KeepVersion(ctx, "s-1", "/w/a", []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got := kept(t, dir); len(got) != 0 {
		t.Errorf("%q", got)
	}
	_ = s.Close()
}

func TestAVersionIsFoundByItsHashAndOnlyWhole(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	hash := func(text string) string { return change.Hash([]byte(text)) }
	for _, text := range []string{"one", "two"} {
		if err := s.KeepVersion(t.Context(), "s-1", "/w/a", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct{ session, path, hash, want string }{
		{"s-1", "/w/a", hash("one"), "one"},
		{"s-1", "/w/a", hash("two"), "two"},
		{"s-1", "/w/a", hash("three"), ""},
		{"s-1", "/w/b", hash("one"), ""},
		{"s-2", "/w/a", hash("one"), ""},
		{"s-1", "/w/a", "", ""},
		{"s-1", "/w/a", hash("one")[:16] + strings.Repeat("0", 48), ""},
	} {
		got, err := s.Version(t.Context(), row.session, row.path, row.hash)
		if err != nil || string(got) != row.want {
			t.Errorf("%v: %q, %v", row, got, err)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "s-1", ".version-*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		if err := os.WriteFile(name, []byte("cut"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Version(t.Context(), "s-1", "/w/a", hash("one")); err != nil || got != nil {
		t.Errorf("a version that was changed: %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "s-2")); err == nil {
		t.Error("looking for a version made a folder")
	}
}
