package media

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	scheme = "media://"
	// namePrefix begins the name under which an image is kept.
	namePrefix = "sha256-"
)

// Handle names an image for callers by the lower-case hex sha256 of its bytes.
func Handle(sum string) string { return scheme + Name(sum) }

// Name is the last part of a handle.
func Name(sum string) string { return namePrefix + sum }

// ParseHandle returns the sum that a handle names. There is one spelling of it.
func ParseHandle(handle string) (sum string, ok bool) {
	name, ok := strings.CutPrefix(handle, scheme)
	if !ok {
		return "", false
	}
	return ParseName(name)
}

// ParseName returns the sum in the last part of a handle.
func ParseName(name string) (sum string, ok bool) {
	sum, ok = strings.CutPrefix(name, namePrefix)
	if !ok || len(sum) != hex.EncodedLen(sha256.Size) || strings.Trim(sum, "0123456789abcdef") != "" {
		return "", false
	}
	return sum, true
}

// Sum is the sum of an image, as handles have it.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
