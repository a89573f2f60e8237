package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mattn/go-sqlite3"
)

// A store that met a full disk does not say that it can write before there is room for more
// than the few bytes of the look itself.
func TestAFullStoreIsWellOnlyWithRoom(t *testing.T) {
	h := &health{}
	room := os.ErrPermission
	var asked int
	w := &writer{health: h, room: func() error { asked++; return room }}
	h.set(sqlite3.Error{Code: sqlite3.ErrFull})
	w.probe()
	if h.get() == nil || asked != 1 {
		t.Errorf("without room the store is well after %d looks", asked)
	}
}

func TestTheLookForRoomLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := roomBeside(filepath.Join(dir, "a.db")); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if err := roomBeside(filepath.Join(dir, "none", "a.db")); err == nil {
		t.Error("there is room in a folder that is not there")
	}
}
