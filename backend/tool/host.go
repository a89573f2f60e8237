package tool

import (
	"context"
	"io"
	"io/fs"
	"slices"
	"time"
)

// Zone says where a resolved path lies.
type Zone string

// The zones. Output is the product's own output store, which sessions may read.
const (
	ZoneWorkspace Zone = "workspace"
	ZoneOutput    Zone = "output"
	ZoneOwnHome   Zone = "own_home"
	ZoneOutside   Zone = "outside"
)

// FileKind is what stands at a path.
type FileKind string

// What can stand at a path. Anything that is neither a file nor a directory is
// never opened: a device or a FIFO could hang a read for ever.
const (
	KindAbsent    FileKind = "absent"
	KindFile      FileKind = "file"
	KindDirectory FileKind = "directory"
	KindDevice    FileKind = "device"
	KindFIFO      FileKind = "fifo"
	KindSocket    FileKind = "socket"
	KindOther     FileKind = "other"
)

// Path is a path that the workspace handle resolved. Tools receive paths in this
// form and hand them back to Files; they never join, clean or open a string.
type Path struct {
	// Arg is the text as the caller wrote it.
	Arg string
	// Abs is Arg made absolute against the workspace, without following links.
	Abs string
	// Real is Abs with every link followed, as far as the path exists.
	Real string
	// Rel is Real relative to the workspace with forward slashes, "." for the
	// root, "" outside it.
	Rel  string
	Zone Zone
	Kind FileKind
	// Linked says that Real differs from Abs because a link was followed.
	Linked bool
}

// Access is what a call does to a path.
type Access string

// The accesses.
const (
	AccessRead  Access = "read"
	AccessWrite Access = "write"
)

// Touch is a path together with what the call does to it.
type Touch struct {
	Path   Path
	Access Access
	// Tree says that all below the path is meant too, Removes that it is taken away.
	Tree    bool `json:",omitempty"`
	Removes bool `json:",omitempty"`
	// SignsIn says that it is read to sign in at another machine, which does not get its text.
	SignsIn bool `json:",omitempty"`
	// Command tells which simple command of a command line names the path, from 1 on; 0 is
	// an argument of the call itself.
	Command int `json:",omitempty"`
}

// SamePlaces reports whether two calls do the same to the same files. What a path is called does
// not count, where it leads does: a link may lead elsewhere than it did.
func SamePlaces(a, b []Touch) bool {
	return slices.EqualFunc(a, b, func(a, b Touch) bool { return a.Access == b.Access && a.Path.Real == b.Path.Real })
}

// PathUse is a path argument before it was resolved.
type PathUse struct {
	Arg    string
	Access Access
}

// TargetRequest is what a tool says, from its arguments alone, that a call would
// reach.
type TargetRequest struct {
	Paths []PathUse
	// Command is a shell command text.
	Command string
	// Input is a text for a program that runs already.
	Input string
	// URL is an address with scheme and host.
	URL string
}

// Target is what a call reaches, resolved once and frozen. Policy judges it,
// the approval shows it, and the run is held to it.
type Target struct {
	Touches []Touch
	Command string
	Input   string
	URL     string
}

// Arguments returns the paths that are arguments of the call itself, and not named by its
// command. They stand before all others.
func (t *Target) Arguments() []Touch {
	for i := range t.Touches {
		if t.Touches[i].Command > 0 {
			return t.Touches[:i:i]
		}
	}
	return t.Touches
}

// Runs reports whether the call makes something run that is not ours: a command, or
// whatever a running program makes of its input.
func (t *Target) Runs() bool { return t.Command != "" || t.Input != "" }

// CommandTrust is what the output of the call's command is worth: as much as the files of the
// workspace where it stays inside that, else it may come from anywhere. "" leaves the label
// of the tool.
func (e *Env) CommandTrust() Trust {
	if e.Contained {
		return ""
	}
	return TrustExternalUntrusted
}

// Env is what a running tool may use. The arguments of Target are the resolved paths in the
// order in which Spec.Target named them.
type Env struct {
	SessionID    string
	InvocationID string
	Host         Host
	Target       Target
	Stamps       Stamps
	// Approval is the preset in force for the call as programs are told it, or plan in the catalog
	// of that name.
	Approval string
	// Images says that the caller can be given images.
	Images bool
	// Contained says that the command of the call was read and stays inside the workspace, as
	// far as anybody can tell beforehand.
	Contained bool
	// Pins are the file states that an approval was given for; a write must find
	// them unchanged. Empty when nobody was asked.
	Pins []Pin
	// Keep is what a person kept of the changes that the preview showed, one for each of its
	// diffs in order; nil keeps all. A tool whose preview counts FileDiff.Changes does no other.
	Keep []Kept
	// Notes are the operator's rules for new files.
	Notes []ResultNote
	// Marker is what copies for eyes of this session show in place of a secret, "" where there
	// are none. Text that holds it is a copy: written back it would destroy what it stands for.
	Marker string
	// EffectStarts makes the effect mark durable. A tool calls it once, just before the
	// first byte that leaves the program, and stops when it fails.
	EffectStarts func(ctx context.Context) error
	// Progress tells the window about a long call; it is never stored.
	Progress func(text string)
}

// ResultNote is a rule of the operator: a new file in the workspace whose relative path
// matches Glob and whose content does not begin with MustStartWith gets Note appended
// to the result.
type ResultNote struct {
	Glob          string
	MustStartWith string
	Note          string
}

// Pin is a file as it was when the preview of a call was made. SHA256 is ""
// when there was no file.
type Pin struct {
	Path   Path
	SHA256 string
}

// Kept is what a person kept of the changes of one file.
type Kept struct {
	// Shown is the lower-case hex sha256 of the unified diff that was shown.
	Shown string
	// Changes are the runs to be made, counted from 0 as FileDiff.Changes counts them, in
	// ascending order. The lines of every other run stay as they are.
	Changes []int
}

// Stamps answers which files a session has read or written.
type Stamps interface {
	// Get returns the stamp of a real path.
	Get(real string) (Stamp, bool)
	// Put remembers what was just written, before the result of the call is stored, so
	// that a call of the same session that waits for the file knows it.
	Put(s Stamp)
}

// Host is the machine as tools see it. Every field may be nil: a tool that needs
// it then ends as unavailable, naming what is missing.
type Host struct {
	Files     Files
	Output    Output
	Versions  Versions
	Search    Search
	Processes Processes
	Programs  Programs
	Media     Media
	Clock     Clock
}

// Clock tells the time.
type Clock interface {
	// Now returns the current time in UTC.
	Now() time.Time
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	Kind FileKind
	Size int64
}

// FileInfo is what a handle saw when it opened a file.
type FileInfo struct {
	Size    int64
	ModTime time.Time
	Mode    fs.FileMode
}

// Files is the workspace handle: the one way to files. It resolves every path
// again when it opens it and refuses with CodePolicyPathMoved when a link now
// leads elsewhere, so that what was judged is what is used. Methods return a
// *Error with a code, or a context error.
type Files interface {
	// Root returns the absolute real path of the workspace.
	Root() string
	// Resolve follows arg to where it leads. It opens nothing. A text that cannot
	// be a path (empty, NUL, over 4,096 bytes, a part over 255 bytes) is refused.
	Resolve(arg string) (Path, error)
	// Open opens a regular file for reading; the caller closes it.
	Open(ctx context.Context, p Path) (io.ReadCloser, FileInfo, error)
	// Entries lists a directory in byte order.
	Entries(ctx context.Context, p Path) ([]Entry, error)
	// Similar returns up to limit existing paths, relative to the workspace, whose
	// names are like the one that p misses.
	Similar(ctx context.Context, p Path, limit int) ([]string, error)
	// Write replaces the file at p with content in one step: temporary file in the
	// same directory, sync, rename; parents are made; mode bits are kept. The
	// file's present hash must equal expect ("" for no file), checked under the
	// file's lock, else CodeStale. It calls started just before the rename.
	Write(ctx context.Context, p Path, content []byte, expect string, started func(context.Context) error) (Stamp, error)
}

// CodeStale is the code of a file that changed since it was read.
const CodeStale Code = "tool.invalid_arguments.stale"

// Output is the output store of a session: where text goes that is too long for
// a reader.
type Output interface {
	// Spill keeps text under a name made of the label and returns the absolute path
	// that read and grep can open.
	Spill(ctx context.Context, label string, text io.Reader) (path string, size int64, err error)
	// Log begins a text that grows, under a name made of the label and the call. One that
	// was given nothing is removed when it is closed.
	Log(ctx context.Context, label string) (Log, error)
	// NamedLog begins a text that grows under a plain name of the session, such as p1.log.
	// A name that is taken gets a number.
	NamedLog(ctx context.Context, name string) (Log, error)
}

// Versions keeps what files held before a session changed them, so that a person can
// have a change undone.
type Versions interface {
	// Keep keeps content as the newest version of the file at a real path. It fails
	// nobody: what cannot be kept is logged, and the change goes on.
	Keep(ctx context.Context, real string, content []byte)
}
