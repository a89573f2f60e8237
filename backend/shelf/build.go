package shelf

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"countersign/backend/registry"
	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// Loaded is what one look at a place found. It never changes.
type Loaded struct {
	At time.Time
	// Sets stand in the order in which they hide each other and take names.
	Sets  []Set
	Notes []toolset.Note
	// Catalog holds the tools that can be called.
	Catalog *registry.SetCatalog
	// Stale says that the manifests look different on disk since.
	Stale bool
}

// Set is a set that was found.
type Set struct {
	toolset.Entry
	// Specs are its tools that can be called. Those of a set that changed are what they were.
	Specs []*tool.Spec
	// Changed says that the set is not what the person let in, so that its calls are refused.
	Changed bool
}

// Accepted is what the person let in of a set.
type Accepted struct {
	// Path is the directory of the set.
	Path        string
	Origin      toolset.Origin
	Directory   string
	Fingerprint string
	Print       toolset.Print
	At          time.Time
	// By says how: BySight or ByPerson.
	By string
}

// How a set was let in.
const (
	// BySight is one that was found for the first time, in the home or in a workspace that is
	// trusted.
	BySight = "sight"
	// ByPerson is one whose change a person looked at and accepted.
	ByPerson = "person"
)

// Book remembers what the person let in, for all programs of a home. Each method is durable when
// it returns.
type Book interface {
	// Accepted returns what was let in of the set in a directory; found is false where nothing
	// was.
	Accepted(ctx context.Context, path string) (a Accepted, found bool, err error)
	// Accept lets a set in as it is now.
	Accept(ctx context.Context, a Accepted) error
	// LastAnswer is when a person last let a set in, in any program; the zero time where none did.
	LastAnswer(ctx context.Context) (time.Time, error)
	// Sight lets a set in that was found for the first time, and returns what is let in of it
	// after that: of a set that was found before, what was let in then.
	Sight(ctx context.Context, a Accepted) (Accepted, error)
}

const changedNote = "The set changed since you let it in, so its calls are refused. Look at the change and accept it, or put the files back."

// build looks at the sets of a place.
func (s *Shelves) build(ctx context.Context, p Place, trees []toolset.Tree) (*Loaded, error) {
	o := toolset.Options{Trees: trees, Trusted: p.Trusted, Reserved: s.options.Reserved, NoDotnet: s.options.NoDotnet, FoldCase: s.options.FoldCase}
	if s.options.Dotnet != nil {
		o.Dotnet = s.ask
	}
	inventory, err := toolset.Scan(ctx, o)
	if err != nil {
		return nil, err
	}
	out := &Loaded{At: s.options.Clock.Now(), Notes: inventory.Notes}
	prints := s.prints(ctx, inventory.Entries)
	var specs []tool.Spec
	for i := range inventory.Entries {
		set := Set{Entry: inventory.Entries[i]}
		made, note, err := s.toolsOf(ctx, &set, prints[i])
		if err != nil {
			return nil, err
		}
		if note != "" {
			out.Notes = append(out.Notes, set.Note(manifest.Note{Text: note}))
		}
		out.Sets, specs = append(out.Sets, set), append(specs, made...)
	}
	var left []registry.LeftOut
	out.Catalog, left = s.options.Compile(specs)
	for _, l := range left {
		s.options.Log.Warn("a tool of a set was left out", "set", l.Set, "tool", l.ID, "cause", l.Cause)
	}
	out.settle(left)
	return out, nil
}

// printed is what a set is made of, or why nobody can tell.
type printed struct {
	toolset.Print
	err error
}

// prints reads what the sets that are loaded are made of.
func (s *Shelves) prints(ctx context.Context, sets []toolset.Entry) []printed {
	out := make([]printed, len(sets))
	toolset.Several(ctx, len(sets), func(i int) {
		if sets[i].Status == toolset.StatusLoaded {
			out[i].Print, out[i].err = sets[i].Print(ctx, s.options.SearchPath)
		}
	})
	return out
}

// toolsOf makes the tools of a set that is loaded, as the person let it in. Its error is the end
// of ctx; whatever else is wrong leaves the set out.
func (s *Shelves) toolsOf(ctx context.Context, set *Set, now printed) (specs []tool.Spec, note string, err error) {
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case set.Status != toolset.StatusLoaded:
		return nil, "", nil
	case now.err != nil:
		s.options.Log.Warn("a tool set could not be read", "set", set.Directory, "cause", now.err)
		set.Status = toolset.StatusSkipped
		return nil, "The program of the set cannot be read. Make it one that you may read, and reload.", nil
	}
	print := now.Print
	let, err := s.sight(ctx, set.Entry, print)
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		s.options.Log.Error("what a tool set is made of could not be recorded", "set", set.Directory, "cause", err)
		set.Status = toolset.StatusUnavailable
		return nil, "What the set is made of could not be recorded, so nobody could tell when it changes. Make room for the home folder, and reload.", nil
	}
	entry := set.Entry
	if let.Fingerprint != print.Fingerprint() {
		set.Changed, note = true, changedNote
		entry = s.asItWas(entry, let)
	}
	specs = s.options.Specs(entry, let.Fingerprint)
	for i := range specs {
		specs[i].Intact = s.intact(entry, let.Fingerprint)
		specs[i].Always = slices.ContainsFunc(entry.Tools, func(t manifest.Tool) bool {
			return t.Name == specs[i].ID && t.Approval == manifest.ApprovalAlways
		})
	}
	return specs, note, nil
}

// sight lets a set in that was found for the first time.
func (s *Shelves) sight(ctx context.Context, e toolset.Entry, print toolset.Print) (Accepted, error) {
	return s.options.Book.Sight(ctx, Accepted{
		Path: e.Path, Origin: e.Tree.Origin, Directory: e.Directory, Fingerprint: print.Fingerprint(), Print: print,
		At: s.options.Clock.Now(), By: BySight,
	})
}

// ask asks the assembly of a set for its tools if the set is what the person let in. Code of one
// that changed does not run, not even to say what it is.
func (s *Shelves) ask(ctx context.Context, e toolset.Entry) ([]manifest.Described, []manifest.Note, error) {
	print, err := toolset.PrintOf(ctx, e, s.options.SearchPath)
	if err != nil || !bytes.Equal(print.Manifest, e.Manifest) {
		return nil, nil, fmt.Errorf("%w: %w", toolset.ErrUnasked, cmp.Or(err, errors.New("its manifest is being written")))
	}
	let, err := s.sight(ctx, e, print)
	if err != nil || let.Fingerprint != print.Fingerprint() {
		return nil, nil, fmt.Errorf("%w: %w", toolset.ErrUnasked, cmp.Or(err, errors.New("it changed")))
	}
	return s.options.Dotnet(ctx, e)
}

// asItWas is a set as the person let it in. What it says of itself since, nobody is told before
// the person has read it.
func (s *Shelves) asItWas(e toolset.Entry, let Accepted) toolset.Entry {
	was, _, err := manifest.Parse(e.Directory, let.Print.Manifest)
	if err != nil {
		// An older program took it; this one does not, and offers nothing of it.
		was = &manifest.Set{Runner: manifest.RunnerExec}
	}
	e.Set, e.Manifest = was, let.Print.Manifest
	e.Tools = slices.DeleteFunc(slices.Clone(was.Tools), func(t manifest.Tool) bool { return s.options.Reserved(t.Name) })
	return e
}

// settle puts the tools that were registered to their sets, and notes what was left out.
func (l *Loaded) settle(left []registry.LeftOut) {
	type key struct{ origin, directory string }
	of := map[key]*Set{}
	for i := range l.Sets {
		if set := &l.Sets[i]; set.Status == toolset.StatusLoaded {
			of[key{string(set.Tree.Origin), set.Directory}] = set
		}
	}
	for _, spec := range l.Catalog.Specs() {
		if set := of[key{spec.Origin, spec.Set}]; set != nil {
			set.Specs = append(set.Specs, spec)
		}
	}
	for _, one := range left {
		set := of[key{one.Origin, one.Set}]
		if set == nil {
			continue
		}
		l.Notes = append(l.Notes, set.Note(manifest.Note{Text: `"` + one.ID + `" cannot be registered, so this tool is left out. The log in the home folder says why.`}))
		set.Tools = slices.DeleteFunc(slices.Clone(set.Tools), func(t manifest.Tool) bool { return t.Name == one.ID })
		if len(set.Tools) == 0 && len(set.Specs) == 0 {
			set.Status = toolset.StatusSkipped
		}
	}
}

// intact makes the check that a set is still made of what fingerprint names, and that this is
// what the person let in last. Whatever cannot be found out counts as changed.
func (s *Shelves) intact(e toolset.Entry, fingerprint string) func(context.Context) error {
	return func(ctx context.Context) error {
		now, err := toolset.PrintOf(ctx, e, s.options.SearchPath)
		if err != nil {
			return tool.Errorf(tool.CodePolicySetChanged, "look at the tool set: %w", err)
		}
		if now.Fingerprint() != fingerprint {
			return tool.Errorf(tool.CodePolicySetChanged, "the tool set is made of something else")
		}
		let, found, err := s.options.Book.Accepted(ctx, e.Path)
		if err != nil {
			return tool.Errorf(tool.CodePolicySetChanged, "read what was let in of the tool set: %w", err)
		}
		if !found || let.Fingerprint != fingerprint {
			return tool.Errorf(tool.CodePolicySetChanged, "something else of the tool set was let in")
		}
		return nil
	}
}
