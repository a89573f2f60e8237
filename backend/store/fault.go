package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"countersign/backend/approval"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Errors of opening and closing. All of them carry tool.CodeStorageUnavailable.
var (
	// ErrNewer says that a newer program wrote the database. It was not touched.
	ErrNewer = errors.New("the database was written by a newer program")
	// ErrForeign says that the file is a database, but not one of ours.
	ErrForeign = errors.New("the database is not one of this program's")
	// ErrInUse says that an older program has the home open, so that the database
	// cannot be brought up to date now.
	ErrInUse = errors.New("another program has the home open")
	// ErrTooDeep says that the path of the home is longer than SQLite can open.
	ErrTooDeep = errors.New("the path of the home is too long")
	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrDeskTaken says that another program is the desk of this home.
	ErrDeskTaken = errors.New("another program is the desk of this home")
)

// ours are the errors that say what was asked for wrongly. They pass unchanged.
var ours = []error{
	session.ErrNoSession, session.ErrNoInvocation, session.ErrNoOutput, session.ErrNoProcess, session.ErrEnded, session.ErrNotReady, session.ErrNotOwned,
	registry.ErrDuplicate, registry.ErrGrantGone, approval.ErrNoRequest, approval.ErrNoGrant, errRefused, context.Canceled, context.DeadlineExceeded,
}

// errRefused wraps refusals that only a fault of ours can cause.
var errRefused = errors.New("refused")

// fault gives an error of the database its code; errors of ours pass.
func fault(doing string, err error) error {
	if err == nil || isOurs(err) {
		return err
	}
	var lite sqlite3.Error
	if errors.As(err, &lite) && lite.Code == sqlite3.ErrConstraint {
		return fmt.Errorf("%w: %s: %w", errRefused, doing, err)
	}
	if _, coded := errors.AsType[*tool.Error](err); coded {
		return err
	}
	return tool.Errorf(tool.CodeStorageUnavailable, "%s: %w", doing, err)
}

func isOurs(err error) bool {
	for _, known := range ours {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// Words says to a person what is wrong with the store and what to do. It is "" for
// an error that is not about the store.
func Words(err error) string {
	var lite sqlite3.Error
	switch {
	case err == nil || isOurs(err):
		return ""
	case errors.Is(err, ErrNewer):
		return "The history was written by a newer Countersign and was left untouched. Start the newer program, or choose another home folder."
	case errors.Is(err, ErrForeign):
		return "The file countersign.db in the home folder belongs to another program and was left untouched. Move it away or choose another home folder."
	case errors.Is(err, ErrInUse):
		return "The history must be brought up to date, but an older Countersign has it open. Close every other Countersign and start again."
	case errors.Is(err, ErrTooDeep):
		return "The path of the home folder is too long for the history to be kept there. Choose a home folder with a path of at most 480 bytes."
	case errors.Is(err, ErrDeskTaken):
		return "Another Countersign window or server already serves this home folder."
	case errors.Is(err, ErrClosed):
		return "Countersign is closing."
	case errors.As(err, &lite):
		return liteWords(lite)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return wordsFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return wordsReadOnly
	case errors.Is(err, driver.ErrBadConn):
		return wordsBroken
	}
	return wordsBroken
}

const (
	wordsFull     = "The disk is full, so no call can be recorded and none runs. Free some space; Countersign goes on by itself."
	wordsReadOnly = "The home folder cannot be written, so no call can be recorded and none runs. Check who owns it and whether its disk is read-only."
	wordsDamaged  = "The history in countersign.db is damaged. Close every Countersign, keep a copy of the file, and repair it with sqlite3's .recover or move it away to start with an empty one."
	wordsBusy     = "Another program keeps the history locked. If it does not end by itself, close it; Countersign goes on by itself."
	wordsBroken   = "The disk does not take what is written to the history, so no call can be recorded and none runs. Check the disk that holds the home folder."
)

func liteWords(err sqlite3.Error) string {
	switch err.Code {
	case sqlite3.ErrFull:
		return wordsFull
	case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrAuth, sqlite3.ErrCantOpen:
		return wordsReadOnly
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return wordsDamaged
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return wordsBusy
	}
	// A file size limit and an exhausted quota come as an I/O error with the cause.
	switch err.SystemErrno {
	case syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG:
		return wordsFull
	case syscall.EROFS, syscall.EACCES, syscall.EPERM:
		return wordsReadOnly
	}
	return wordsBroken
}
