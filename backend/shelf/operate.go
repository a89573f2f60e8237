package shelf

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"countersign/backend/change"
	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// Ref names a set. Origin "" means the first that is found: project before home.
type Ref struct {
	Place
	Origin    toolset.Origin
	Directory string
}

// ErrMoved says that a set changed once more since its change was shown.
var ErrMoved = errors.New("the tool set changed again since it was shown")

// Change is what became of a set since the person let it in.
type Change struct {
	Set toolset.Entry
	// Fingerprint names what the set is made of now: it is what an answer accepts.
	Fingerprint string
	// Same says that nothing changed.
	Same bool
	// Since is when what is in force was let in.
	Since Accepted
	// Manifest is the change of the file. Its text is the author's.
	Manifest tool.FileDiff
	// Programs are those that are or were run, in the order of the manifests.
	Programs []ProgramChange
}

// ProgramChange is a program of a set as it was let in and as it is now. A zero value means that
// the set does not name it then.
type ProgramChange struct{ Was, Now toolset.Program }

// Enable switches a set on or off in its manifest, and looks at the place anew. What the set was
// let in as moves with it, as far as it was let in at all: nothing but the switch changed.
func (s *Shelves) Enable(ctx context.Context, r Ref, on bool) (toolset.Entry, error) {
	e, err := s.find(r)
	if err != nil {
		return e, err
	}
	let, found, err := s.options.Book.Accepted(ctx, e.Path)
	if err != nil {
		return e, fmt.Errorf("read what was let in of the set: %w", err)
	}
	before, err := toolset.PrintOf(ctx, e, s.options.SearchPath)
	known := err == nil && found && before.Fingerprint() == let.Fingerprint
	changed, err := toolset.Enable(e, on)
	if err != nil {
		return e, err
	}
	if changed && known {
		next, err := manifest.Enable(e.Directory, before.Manifest, on)
		if err != nil {
			return e, err
		}
		// What somebody else wrote meanwhile is not let in with it.
		err = s.accept(ctx, e, toolset.Print{Manifest: next, Programs: before.Programs}.Fingerprint())
		if err != nil && !errors.Is(err, ErrMoved) {
			return e, err
		}
	}
	_, err = s.Reload(ctx, r.Place)
	return e, err
}

// Changes tells what became of a set since the person let it in.
func (s *Shelves) Changes(ctx context.Context, r Ref) (Change, error) {
	e, err := s.find(r)
	if err != nil {
		return Change{}, err
	}
	now, err := toolset.PrintOf(ctx, e, s.options.SearchPath)
	if err != nil {
		return Change{}, fmt.Errorf("look at the set: %w", err)
	}
	let, found, err := s.options.Book.Accepted(ctx, e.Path)
	if err != nil {
		return Change{}, fmt.Errorf("read what was let in of the set: %w", err)
	}
	out := Change{Set: e, Fingerprint: now.Fingerprint(), Since: let}
	if out.Same = !found || let.Fingerprint == out.Fingerprint; out.Same {
		return out, nil
	}
	was := let.Print.Manifest
	old := change.File{Shape: change.ShapeOf(was), Size: int64(len(was)), Content: was}
	out.Manifest = change.Between(manifest.FileName, &old, now.Manifest)
	out.Programs = programChanges(let.Print.Programs, now.Programs)
	return out, nil
}

func programChanges(was, now []toolset.Program) []ProgramChange {
	var out []ProgramChange
	for _, old := range was {
		one := ProgramChange{Was: old}
		if i := slices.IndexFunc(now, func(p toolset.Program) bool { return p.Name == old.Name }); i >= 0 {
			one.Now = now[i]
		}
		if one.Was != one.Now {
			out = append(out, one)
		}
	}
	for _, p := range now {
		if !slices.ContainsFunc(was, func(old toolset.Program) bool { return old.Name == p.Name }) {
			out = append(out, ProgramChange{Now: p})
		}
	}
	return out
}

// Accept lets a set in as Changes showed it: fingerprint is the one that it told. Its error is
// ErrMoved where the set changed once more.
func (s *Shelves) Accept(ctx context.Context, r Ref, fingerprint string) error {
	e, err := s.find(r)
	if err != nil {
		return err
	}
	if err := s.accept(ctx, e, fingerprint); err != nil {
		return err
	}
	_, err = s.Reload(ctx, r.Place)
	return err
}

// accept writes down what a set is made of now, if that is what a fingerprint names.
func (s *Shelves) accept(ctx context.Context, e toolset.Entry, fingerprint string) error {
	now, err := toolset.PrintOf(ctx, e, s.options.SearchPath)
	if err != nil {
		return fmt.Errorf("look at the set: %w", err)
	}
	if now.Fingerprint() != fingerprint {
		return ErrMoved
	}
	err = s.options.Book.Accept(ctx, Accepted{
		Path: e.Path, Origin: e.Tree.Origin, Directory: e.Directory, Fingerprint: now.Fingerprint(), Print: now,
		At: s.options.Clock.Now(), By: ByPerson,
	})
	if err != nil {
		return fmt.Errorf("record what was accepted of the set: %w", err)
	}
	return nil
}

func (s *Shelves) find(r Ref) (toolset.Entry, error) {
	return toolset.Find(s.options.Trees(r.Workspace), r.Origin, r.Directory, r.Trusted)
}
