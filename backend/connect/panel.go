package connect

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/change"
	"countersign/backend/tool"
)

// Panel tells how each client is connected, and connects one when the person says so. It is
// safe for concurrent use.
type Panel struct {
	facts func() Facts
	files Files
}

// NewPanel makes a panel. The facts are asked for each time, since the program may be moved
// while the desk runs.
func NewPanel(facts func() Facts, files Files) *Panel { return &Panel{facts: facts, files: files} }

// Client is one client as it is shown.
type Client struct {
	ID, Name string
	// Command is a line for a terminal, "" without one.
	Command string
	// Fragment is the entry as a text, "" for a client without a file. Language is its format.
	Fragment, Language string
	// Place is where it goes, as a person writes it; Path and Real are absolute, and differ
	// where a link leads elsewhere.
	Place, Path, Real string
	// User says that the file serves every folder that the client is started in.
	User  bool
	State State
	// Trouble says why there is no entry, or why it is not written from here; "" else.
	Trouble string
	// Limit says how long the client waits for an answer, After what it needs once the
	// entry is there.
	Limit, After string
}

// Plan is the change of a client's file.
type Plan struct {
	Client Client
	// Diff is empty where nothing would change.
	Diff tool.FileDiff
	// Hash names exactly this change: the file, what it holds and what it would hold.
	Hash string
}

// Trouble is a reason, in words for the person, why something is not done. It wraps the cause.
type Trouble struct {
	// Client is the client that it is about.
	Client string
	Words  string
	cause  error
}

// Error returns the words.
func (t *Trouble) Error() string { return t.Words }

// Unwrap returns the cause.
func (t *Trouble) Unwrap() error { return t.cause }

// ErrUnknown says that there is no client of that name.
var ErrUnknown = errors.New("no such client")

// other is the row of any client that is not known.
const other = "other"

// Clients returns every client that is known, and a last one for all others.
func (p *Panel) Clients() []Client {
	f := p.facts()
	var out []Client
	for _, k := range kinds() {
		c, _, _, _ := p.look(k, f)
		out = append(out, c)
	}
	last := Client{ID: other, Name: "Any other MCP client", State: StateNone, Trouble: f.trouble()}
	if last.Trouble == "" {
		last.Command = shell(append([]string{f.Program}, f.words(true)...))
	}
	return append(out, last)
}

// ClientOf returns the id of the client whose name a caller gives, "" for one that is not
// known.
func ClientOf(caller string) string {
	for _, k := range kinds() {
		if k.is(caller) {
			return k.id
		}
	}
	return ""
}

// Plan says what writing the entry of a client would change. It returns ErrUnknown or a
// *Trouble.
func (p *Panel) Plan(id string) (Plan, error) {
	plan, _, _, err := p.plan(id)
	return plan, err
}

// Write writes the entry of a client if that is still the change of the hash; else it
// returns the change that it would be now, and written is false. It returns ErrUnknown or a
// *Trouble.
func (p *Panel) Write(id, hash string) (plan Plan, written bool, err error) {
	plan, file, content, err := p.plan(id)
	if err != nil || content == nil || plan.Hash != hash {
		return plan, false, err
	}
	switch err := p.files.Write(file, content); {
	case errors.Is(err, ErrChanged):
		plan, _, _, err := p.plan(id)
		return plan, false, err
	case err != nil:
		return Plan{}, false, &Trouble{Client: id, Words: words(err, plan.format()), cause: err}
	}
	plan.Client.State = StateCurrent
	return plan, true, nil
}

func (p Plan) format() format {
	if p.Client.Language == "toml" {
		return formatTOML
	}
	return formatJSON
}

func (p *Panel) plan(id string) (Plan, File, []byte, error) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.id == id })
	if i < 0 {
		return Plan{}, File{}, nil, ErrUnknown
	}
	c, file, content, err := p.look(all[i], p.facts())
	if c.Trouble != "" {
		return Plan{}, File{}, nil, &Trouble{Client: id, Words: c.Trouble, cause: err}
	}
	plan := Plan{Client: c}
	if content != nil {
		plan.Diff = diff(c, file, content)
		plan.Hash = change.Hash([]byte(strings.Join([]string{
			c.ID, file.Real, strconv.FormatBool(file.Exists), change.Hash(file.Content), change.Hash(content),
		}, "\x00")))
	}
	return plan, file, content, nil
}

func diff(c Client, file File, content []byte) tool.FileDiff {
	if !file.Exists {
		return change.Between(c.Place, nil, content)
	}
	old := change.File{Shape: change.ShapeOf(file.Content), Size: int64(len(file.Content)), Content: file.Content}
	return change.Between(c.Place, &old, content)
}

// look says how a client stands, with its file and what that would become.
func (p *Panel) look(k kind, f Facts) (c Client, file File, content []byte, err error) {
	c = Client{ID: k.id, Name: k.name, User: k.user, State: StateNone, Limit: k.limit, After: k.after, Language: "json"}
	if k.format == formatTOML {
		c.Language = "toml"
	}
	c.Place, c.Path = k.place(f, k.files[0])
	if c.Trouble = k.trouble(f); c.Trouble != "" {
		return c, file, nil, nil
	}
	c.Fragment = k.fragment(f)
	if k.command != nil {
		c.Command = k.command(f)
	}
	if !filepath.IsAbs(c.Path) {
		c.Trouble = "The home directory is not known, so the file has no place. Paste the text below by hand."
		return c, file, nil, nil
	}
	if c.Place, file, err = p.locate(k, f); err == nil {
		content, c.State, err = k.plan(f, file)
	}
	c.Path, c.Real = file.Path, file.Real
	if err != nil {
		c.State, c.Trouble = StateUnreadable, words(err, k.format)
	}
	return c, file, content, err
}

// locate reads the client's file: the first of its places that has one, else the first.
func (p *Panel) locate(k kind, f Facts) (place string, file File, err error) {
	within := f.Workspace
	if k.user {
		within = ""
	}
	for i, name := range k.files {
		at, path := k.place(f, name)
		found, err := p.files.Read(path, within)
		if err != nil {
			return at, File{Path: path, Real: path, Within: within}, err
		}
		if i == 0 || found.Exists {
			place, file = at, found
		}
		if found.Exists {
			break
		}
	}
	return place, file, nil
}

// place is where a file of the client goes, as a person writes it and in full.
func (k kind) place(f Facts, name string) (place, path string) {
	if k.user {
		return "~/" + name, filepath.Join(f.UserHome, name)
	}
	return name, filepath.Join(f.Workspace, name)
}
