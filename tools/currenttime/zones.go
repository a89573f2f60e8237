package currenttime

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"
)

//go:embed zoneinfo.zip
var database []byte

// zones maps the exact name of each zone to its entry in the database.
type zones map[string]*zip.File

// openZones lists the embedded database. It panics on a database that is no
// archive, since that is a fault of the build.
func openZones() zones {
	archive, err := zip.NewReader(bytes.NewReader(database), int64(len(database)))
	if err != nil {
		panic(fmt.Sprintf("currenttime: embedded timezone database: %v", err))
	}
	z := make(zones, len(archive.File))
	for _, f := range archive.File {
		if named(f.Name) {
			z[f.Name] = f
		}
	}
	return z
}

// named reports whether a name of the database is one that callers may use: UTC,
// or a name with a region. Bare names are abbreviations, which name several zones
// each, and countries.
func named(name string) bool {
	return name == "UTC" || strings.Contains(name, "/") && !strings.HasSuffix(name, "/")
}

// load returns the zone of exactly that name. ok is false when there is none; an
// error means that the database is damaged.
func (z zones) load(name string) (zone *time.Location, ok bool, err error) {
	entry, ok := z[name]
	if !ok {
		return nil, false, nil
	}
	r, err := entry.Open()
	if err != nil {
		return nil, true, fmt.Errorf("open a zone: %w", err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, true, fmt.Errorf("read a zone: %w", err)
	}
	zone, err = time.LoadLocationFromTZData(entry.Name, data)
	if err != nil {
		return nil, true, fmt.Errorf("parse a zone: %w", err)
	}
	return zone, true, nil
}
