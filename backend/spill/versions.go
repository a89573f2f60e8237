package spill

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// KeptVersions is how many versions of one file a session keeps.
const KeptVersions = 10

// versionPrefix starts the name of every version: ".version-<file>-<number>-<content>",
// where file and content are hashes and a higher number is newer. What starts with a dot
// here is for the product alone: a version of a secret must not be readable where the
// secret itself is not.
const versionPrefix = ".version-"

// KeepVersion keeps what a file held before a session changed it and removes the oldest
// version of that file once there are more than KeptVersions. What equals the newest one
// is not kept twice.
func (s *Store) KeepVersion(ctx context.Context, sessionID, real string, content []byte) error {
	dir, err := s.session(safe(sessionID))
	if err != nil {
		return fmt.Errorf("keep version: %w", cause(err))
	}
	defer dir.Close()
	prefix := versionPrefix + short([]byte(real)) + "-"
	kept, err := versions(dir, prefix)
	if err != nil {
		return fmt.Errorf("list versions: %w", cause(err))
	}
	number, sum := 1, short(content)
	if n := len(kept); n > 0 {
		if strings.HasSuffix(kept[n-1], "-"+sum) {
			return nil
		}
		number = numberOf(kept[n-1], prefix) + 1
	}
	name := prefix + strconv.Itoa(number) + "-" + sum
	f, err := dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = s.fill(ctx, f, bytes.NewReader(content))
	}
	if err != nil {
		_ = dir.Remove(name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("keep version: %w", cause(err))
	}
	for len(kept) >= KeptVersions {
		if err := dir.Remove(kept[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove old version: %w", cause(err))
		}
		kept = kept[1:]
	}
	return nil
}

// Version returns the kept version of the file at a real path whose content has the
// sha256, nil when there is none. A session that keeps nothing has none.
func (s *Store) Version(ctx context.Context, sessionID, real, hash string) ([]byte, error) {
	if len(hash) < shortChars {
		return nil, nil
	}
	dir, err := s.root.OpenRoot(safe(sessionID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open session folder: %w", cause(err))
	}
	defer dir.Close()
	kept, err := versions(dir, versionPrefix+short([]byte(real))+"-")
	if err != nil {
		return nil, fmt.Errorf("list versions: %w", cause(err))
	}
	for _, name := range slices.Backward(kept) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !strings.HasSuffix(name, "-"+hash[:shortChars]) {
			continue
		}
		content, err := dir.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read version: %w", cause(err))
		}
		// The name holds a part of the hash only, and the file could have been cut.
		if hashOf(content) == hash {
			return content, nil
		}
	}
	return nil, nil
}

// versions lists the versions of one file, the oldest first.
func versions(dir *os.Root, prefix string) ([]string, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) })
	slices.SortFunc(names, func(a, b string) int { return numberOf(a, prefix) - numberOf(b, prefix) })
	return names, nil
}

func numberOf(name, prefix string) int {
	number, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "-")
	n, _ := strconv.Atoi(number)
	return n
}

// shortChars is how many characters of a hash stand in a name.
const shortChars = 16

func short(b []byte) string { return hashOf(b)[:shortChars] }

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
