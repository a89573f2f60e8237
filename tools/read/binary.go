package read

import (
	"io"
	"path"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/change"
	"countersign/backend/tool"
)

// tee writes what is read to a second place.
type tee struct {
	from io.Reader
	to   io.Writer
}

func (t tee) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	_, _ = t.to.Write(p[:n])
	return n, err
}

// kinds are the endings whose files are no text, with what they are called.
var kinds = map[string]string{
	".png": "PNG image", ".jpg": "JPEG image", ".jpeg": "JPEG image", ".gif": "GIF image", ".webp": "WebP image",
	".bmp": "BMP image", ".ico": "icon", ".tif": "TIFF image", ".tiff": "TIFF image", ".avif": "AVIF image", ".heic": "HEIC image",
	".pdf": "PDF document", ".doc": "Word document", ".docx": "Word document", ".xls": "Excel workbook", ".xlsx": "Excel workbook",
	".ppt": "PowerPoint file", ".pptx": "PowerPoint file", ".odt": "OpenDocument text", ".ods": "OpenDocument spreadsheet",
	".zip": "ZIP archive", ".gz": "gzip archive", ".tgz": "gzip archive", ".bz2": "bzip2 archive", ".xz": "xz archive",
	".zst": "Zstandard archive", ".7z": "7-Zip archive", ".rar": "RAR archive", ".tar": "tar archive", ".jar": "Java archive",
	".exe": "Windows program", ".dll": "Windows library", ".so": "shared library", ".dylib": "shared library", ".a": "static library",
	".o": "object file", ".class": "Java class", ".pyc": "Python bytecode", ".wasm": "WebAssembly module",
	".mp3": "MP3 audio", ".wav": "WAV audio", ".ogg": "Ogg media", ".flac": "FLAC audio", ".m4a": "MPEG-4 audio",
	".mp4": "MPEG-4 video", ".mov": "QuickTime video", ".avi": "AVI video", ".mkv": "Matroska video", ".webm": "WebM video",
	".ttf": "TrueType font", ".otf": "OpenType font", ".woff": "web font", ".woff2": "web font", ".eot": "web font",
	".db": "database", ".sqlite": "SQLite database", ".sqlite3": "SQLite database",
}

// binary says what a file is that is no text, by its ending or its start.
func binary(real string, scan change.File) (string, bool) {
	if scan.Size == 0 {
		return "", false
	}
	if what, ok := kinds[strings.ToLower(path.Ext(real))]; ok {
		return what, true
	}
	return "binary data", scan.Shape.Binary
}

func described(p tool.Path, what string, stamp tool.Stamp) tool.Result {
	size := bound.Size(stamp.Size)
	return tool.Result{
		Content: []tool.Part{tool.TextPart("Binary file " + p.Shown() + " (" + what + ", " + size + "). Its bytes are not shown; use a program that knows the format to look into it.")},
		Metadata: tool.Metadata{
			Title: "Read " + p.Short() + " · " + what + ", " + size,
			Extra: map[string]any{"path": p.Short(), "lines": int64(0), "totalLines": int64(0), "binary": true},
		},
		Files: []tool.FileRecord{{Op: tool.FileRead, Stamp: stamp}},
	}
}
