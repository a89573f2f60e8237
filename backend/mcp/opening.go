package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// Opening is what a bridge says before its client's first line: which session this is
// and how far it binds itself. Limits only tighten what Settings say.
type Opening struct {
	// Session is the id of the session, a UUID. A bridge that comes back names the same one.
	Session string
	// Workspace is the client's directory, absolute.
	Workspace string
	// Preset and Catalog are "" where the bridge sets no limit.
	Preset  session.Preset
	Catalog tool.Catalog
	// Sets are the only tool sets wanted; nil sets no limit.
	Sets     []string
	ReadOnly bool
	// TextOnly says that the client can be given no images.
	TextOnly bool
	// Peer is who says it, as the desk sees it; no line can set that.
	Peer Peer
}

// Peer is the bridge at the other end of the desk's socket.
type Peer struct {
	// Process is its process, 0 when that is not known.
	Process int
	// Dismiss ends the connection and has the bridge end as well; it may be called at any
	// time, and again.
	Dismiss func()
}

// Limits returns the opening's limits as rules to tighten others with.
func (o Opening) Limits() session.Rules {
	return session.Rules{Preset: o.Preset, Catalog: o.Catalog, Sets: o.Sets, ReadOnly: o.ReadOnly}
}

// Refusal is the reason why a desk takes no client, in a fixed sentence that holds no
// text of the client. A Handlers.Open returns one to be heard; any other error is only
// logged.
type Refusal string

// Error returns the sentence.
func (r Refusal) Error() string { return string(r) }

// ErrNoDesk says that no desk answers in a home.
var ErrNoDesk = errors.New("no desk is running")

const (
	// openingVersion is raised when a bridge must not speak to an older desk.
	openingVersion  = 1
	maxOpeningBytes = 64 << 10
	// openingTime is how long either side waits for the other's opening line.
	openingTime = 5 * time.Second

	openMCP   = "mcp"
	openFront = "front"
)

// openingLine is the first line on the socket. A field that is not known is refused
// and not skipped: it may be a limit.
type openingLine struct {
	Version   int      `json:"v"`
	Open      string   `json:"open"`
	Session   string   `json:"session,omitempty"`
	Workspace string   `json:"workspace,omitempty"`
	Preset    string   `json:"preset,omitempty"`
	Catalog   string   `json:"catalog,omitempty"`
	Sets      []string `json:"sets"`
	ReadOnly  bool     `json:"read_only,omitempty"`
	TextOnly  bool     `json:"text_only,omitempty"`
}

// openingReply is the desk's line in return.
type openingReply struct {
	OK      bool   `json:"ok"`
	Message string `json:"message,omitempty"`
}

func (o Opening) line() []byte {
	return encode(openingLine{
		Version: openingVersion, Open: openMCP, Session: o.Session, Workspace: o.Workspace,
		Preset: string(o.Preset), Catalog: string(o.Catalog), Sets: o.Sets, ReadOnly: o.ReadOnly, TextOnly: o.TextOnly,
	})
}

const (
	refusedForm    = Refusal("The first line is not one that this desk understands. The two programs may be of different versions.")
	refusedVersion = Refusal("The desk is of another version than this program. Restart it after an update.")
	refusedSession = Refusal("The session id is not a UUID.")
	refusedPlace   = Refusal("The workspace is not an absolute path.")
	refusedLimits  = Refusal("The preset, the catalog or the sets have values that this desk does not know.")
	refusedUnsaid  = Refusal("The desk could not open a session. Its log says why.")
)

var sessionForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

const (
	maxSets    = 256
	maxSetName = 128
)

// readOpening checks an opening line.
func readOpening(line []byte) (what string, o Opening, err error) {
	if _, err := split(line); err != nil {
		return "", o, refusedForm
	}
	var l openingLine
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return "", o, refusedForm
	}
	if l.Version != openingVersion {
		return "", o, refusedVersion
	}
	o = Opening{
		Session: l.Session, Workspace: l.Workspace, Preset: session.Preset(l.Preset),
		Catalog: tool.Catalog(l.Catalog), Sets: l.Sets, ReadOnly: l.ReadOnly, TextOnly: l.TextOnly,
	}
	switch l.Open {
	case openFront:
		return l.Open, Opening{}, nil
	case openMCP:
		return l.Open, o, o.Check()
	}
	return "", o, refusedForm
}

// Check reports what is wrong with an opening as a Refusal.
func (o Opening) Check() error {
	if !sessionForm.MatchString(o.Session) {
		return refusedSession
	}
	if !filepath.IsAbs(o.Workspace) || strings.ContainsRune(o.Workspace, 0) {
		return refusedPlace
	}
	if o.Preset != "" && !o.Preset.Known() || o.Catalog != "" && !o.Catalog.Known() || len(o.Sets) > maxSets {
		return refusedLimits
	}
	for _, s := range o.Sets {
		if s == "" || len(s) > maxSetName {
			return refusedLimits
		}
	}
	return nil
}

// Open asks a desk that was dialled to take a client. It returns the stream that
// carries MCP from then on, or closes conn. A Refusal is the desk's own answer.
func Open(ctx context.Context, conn io.ReadWriteCloser, o Opening) (io.ReadWriteCloser, error) {
	stream, _, err := ask(ctx, conn, o.line())
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return stream, nil
}

// ask sends the first line and waits for its answer and its words, for openingTime at most.
func ask(ctx context.Context, conn io.ReadWriteCloser, line []byte) (_ io.ReadWriteCloser, words string, _ error) {
	ctx, cancel := context.WithTimeout(ctx, openingTime)
	defer cancel()
	unhook := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer unhook()
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return nil, "", fmt.Errorf("write the opening line: %w", err)
	}
	lines := newLineReader(conn, maxOpeningBytes)
	raw, err := lines.next()
	if err != nil {
		return nil, "", fmt.Errorf("read the desk's answer: %w", err)
	}
	var reply openingReply
	if err := json.Unmarshal(raw, &reply); err != nil {
		return nil, "", fmt.Errorf("read the desk's answer: %w", err)
	}
	if !reply.OK {
		return nil, "", Refusal(reply.Message)
	}
	return &stream{ReadWriteCloser: conn, r: lines.r}, reply.Message, nil
}

// stream is a connection whose first bytes may have been read ahead.
type stream struct {
	io.ReadWriteCloser
	r io.Reader
}

func (s *stream) Read(p []byte) (int, error) { return s.r.Read(p) }
