package bridge

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"countersign/backend"
	"countersign/backend/shelf"
	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// SetKeeper is what the page needs of the engine for tool sets that are not built in. The zero
// SetPlace is the desk's own workspace.
type SetKeeper interface {
	// ToolSets returns the sets as they were last looked at; it waits for the first look only
	// where that is asked for.
	ToolSets(ctx context.Context, p backend.SetPlace, wait bool) (backend.ToolSets, error)
	// ReloadSets looks at them anew.
	ReloadSets(ctx context.Context, p backend.SetPlace) error
	// EnableSet switches a set in its manifest.
	EnableSet(ctx context.Context, r backend.SetRef, on bool) (toolset.Entry, error)
	// SetChange tells what became of a set since it was let in, AcceptSet lets it in as that told.
	SetChange(ctx context.Context, r backend.SetRef) (shelf.Change, error)
	AcceptSet(ctx context.Context, r backend.SetRef, fingerprint string) error
}

// maxSetName bounds what a request may name a set, in bytes.
const maxSetName = 255

// ReloadSets looks at the folders of tool sets anew, and returns what there is now.
func (a *API) ReloadSets() (CatalogView, error) {
	return respond(a, "ReloadSets", func(ctx context.Context) (CatalogView, error) {
		if err := a.engine.ReloadSets(ctx, backend.SetPlace{}); err != nil {
			return CatalogView{}, err
		}
		return a.catalog(ctx)
	})
}

// SetDrift tells what became of a set since a person let it in.
func (a *API) SetDrift(r SetRef) (SetDrift, error) {
	return respond(a, "SetDrift", func(ctx context.Context) (SetDrift, error) {
		ref, err := setRef(r.Source, r.Name)
		if err != nil {
			return SetDrift{}, err
		}
		c, err := a.engine.SetChange(ctx, ref)
		if err != nil {
			return SetDrift{}, setFault(err)
		}
		return driftOf(c), nil
	})
}

// AcceptSet lets a set in as SetDrift showed it.
func (a *API) AcceptSet(r SetAcceptance) error {
	return perform(a, "AcceptSet", func(ctx context.Context) error {
		ref, err := setRef(r.Source, r.Name)
		switch {
		case err != nil:
			return err
		case r.Fingerprint == "" || len(r.Fingerprint) > maxID:
			return invalid("fingerprint", "is not one that was shown")
		}
		return setFault(a.engine.AcceptSet(ctx, ref, r.Fingerprint))
	})
}

func setRef(source, name string) (backend.SetRef, error) {
	origin := toolset.Origin(source)
	switch {
	case origin != toolset.OriginHome && origin != toolset.OriginProject:
		return backend.SetRef{}, invalid("source", "is neither home nor project")
	case name == "" || len(name) > maxSetName:
		return backend.SetRef{}, invalid("name", "is no tool set")
	}
	return backend.SetRef{Origin: origin, Directory: name}, nil
}

// setFault says in words what kept a set from being switched or accepted.
func setFault(err error) error {
	refusal, isRefusal := errors.AsType[*manifest.Refusal](err)
	switch {
	case errors.Is(err, toolset.ErrNoSet):
		return Fault(CodeNotFound, "This tool set is not there any more. Reload to see what is.")
	case errors.Is(err, toolset.ErrUntrusted):
		return Fault(CodeUnavailable, "This workspace is not trusted, so its tool sets are left alone. Trust it first, in Approvals or in Settings.")
	case errors.Is(err, shelf.ErrMoved):
		return Fault(CodeUnavailable, "The tool set changed once more meanwhile, so it was not accepted. Look at the change again.")
	case isRefusal:
		return Fault(CodeUnavailable, "The manifest cannot be read, so nothing was changed. "+clip(refusal.Note.Text))
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist):
		return Fault(CodeUnavailable, "The manifest cannot be written, so nothing was changed. Look at the rights of its folder, then try again.")
	}
	return err
}

// switchExternal switches a set in its manifest. What waits of a set that goes off ends.
func (a *API) switchExternal(ctx context.Context, c SetChange) (Effect, error) {
	ref, err := setRef(c.Source, c.Set)
	if err != nil {
		return Effect{}, err
	}
	_, err = a.engine.EnableSet(ctx, ref, c.On)
	return Effect{}, setFault(err)
}

func driftOf(c shelf.Change) SetDrift {
	out := SetDrift{Fingerprint: c.Fingerprint, Same: c.Same}
	if c.Same {
		return out
	}
	out.Since = stampOf(&c.Since.At)
	if c.Manifest.Unified != "" {
		out.Diffs = diffRows([]tool.FileDiff{c.Manifest}, nil)
	}
	for _, p := range c.Programs {
		name := p.Now.Name
		if name == "" {
			name = p.Was.Name
		}
		out.Programs = append(out.Programs, ProgramDrift{
			Name: name, WasPath: p.Was.Path, NowPath: p.Now.Path,
			WasHash: p.Was.SHA256[:min(shortHash, len(p.Was.SHA256))], NowHash: p.Now.SHA256[:min(shortHash, len(p.Now.SHA256))],
		})
	}
	return out
}

// external lists the sets that are not built in, in the order in which they hide each other.
func (a *API) external(sets *backend.ToolSets, totals map[string]ToolTotal) []SetRow {
	notes := map[toolset.NoteKey][]SetNote{}
	for _, n := range sets.Notes {
		notes[n.NoteKey] = append(notes[n.NoteKey], SetNote{Field: n.Field, Text: n.Text})
	}
	hides := hidden(sets.Sets)
	var out []SetRow
	for i := range sets.Sets {
		set := &sets.Sets[i]
		row := SetRow{
			Name: set.Directory, Source: string(set.Tree.Origin), Origin: string(set.Tree.Origin),
			Key: string(set.Tree.Origin) + "/" + set.Tree.Folder + "/" + set.Directory, Status: string(set.Status),
			Enabled: set.Set == nil || set.Set.Enabled, Changed: set.Changed,
			Notes: notes[set.NoteKey()], Hides: strings.Join(hides[place{set.Tree, strings.ToLower(set.Directory)}], " and "),
			Folder: shortFolder(set.Path, a.userHome, a.workspace), Manifest: filepath.Join(set.Path, manifest.FileName),
			Switchable: set.Status == toolset.StatusLoaded || set.Status == toolset.StatusDisabled || set.Status == toolset.StatusUnavailable,
		}
		if set.HiddenBy != nil {
			row.HiddenBy = hiding(*set.HiddenBy, set.Tree)
		}
		var calls int64
		for _, spec := range set.Specs {
			one := a.toolRow(spec, totals[spec.ID])
			one.Runs = commandOf(set.Set, spec.ID)
			row.Tools = append(row.Tools, one)
			calls += totals[spec.ID].Calls
		}
		row.Calls = strconv.FormatInt(calls, 10)
		out = append(out, row)
	}
	return out
}

// commandOf is what every call of a tool of an exec set begins with.
func commandOf(set *manifest.Set, name string) []string {
	if set == nil {
		return nil
	}
	for _, t := range set.Tools {
		if t.Name == name {
			return slices.Concat(set.Command, t.Command)
		}
	}
	return nil
}

// place is where a set lies, by a name in which case does not count.
type place struct {
	tree      toolset.Tree
	directory string
}

// hidden says by each set that hides others whose those are.
func hidden(all []shelf.Set) map[place][]string {
	out := map[place][]string{}
	for i := range all {
		if all[i].HiddenBy == nil {
			continue
		}
		by := place{*all[i].HiddenBy, strings.ToLower(all[i].Directory)}
		if words := hiding(all[i].Tree, by.tree); !slices.Contains(out[by], words) {
			out[by] = append(out[by], words)
		}
	}
	return out
}

// hiding names a tree beside another: by its folder where both are of one origin.
func hiding(t, beside toolset.Tree) string {
	if t.Origin == beside.Origin {
		return t.Folder
	}
	return string(t.Origin)
}

// shortFolder is a folder as a person knows it: below the workspace, or below their home.
func shortFolder(path, home, workspace string) string {
	if rel, err := filepath.Rel(workspace, path); err == nil && workspace != "" && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(home, path); err == nil && home != "" && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return path
}
