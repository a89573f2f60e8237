package toolset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/toolset/manifest"
)

// Options are what a scan is made with.
type Options struct {
	Trees []Tree
	// Trusted says that the person trusts the workspace. Without it the sets of the project are
	// named and nothing of them is read.
	Trusted bool
	// Reserved reports whether a name belongs to a tool that is built in.
	Reserved func(name string) bool
	// Dotnet asks the assembly of a dotnet set for its tools, with notes about those that it
	// leaves out; nil where such sets cannot run, for which NoDotnet is the error of FindDotnet.
	// It runs code of the set. ErrUnasked leaves the set as it is, without tools.
	Dotnet   func(ctx context.Context, e Entry) ([]manifest.Described, []manifest.Note, error)
	NoDotnet error
	// FoldCase says that the file system takes names that differ only in case for one.
	FoldCase bool
}

// ErrUnasked says that the assembly of a set is not asked for its tools, since nobody let it in.
var ErrUnasked = errors.New("the assembly is not let in")

// found is a set while a scan works on it.
type found struct {
	Entry
	rank  int
	notes []Note
	// unasked says that the tools of the set are not known.
	unasked bool
}

// Scan looks at the trees. What it cannot read becomes a note, never an error: a broken set must
// not keep anything else from starting. It ends early when ctx does.
func Scan(ctx context.Context, o Options) (Inventory, error) {
	var all []*found
	var out Inventory
	for rank, tree := range o.Trees {
		sets, note := list(tree)
		if note != nil {
			out.Notes = append(out.Notes, *note)
		}
		for _, f := range sets {
			f.rank = rank
			all = append(all, f)
		}
	}
	// The order in which sets hide each other and take names: trees, then directories by their bytes.
	slices.SortFunc(all, func(a, b *found) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Directory, b.Directory))
	})
	o.overlay(all)
	o.read(ctx, all)
	if err := ctx.Err(); err != nil {
		return Inventory{}, fmt.Errorf("look at the tool sets: %w", err)
	}
	o.name(all)
	for _, f := range all {
		out.Entries = append(out.Entries, f.Entry)
		out.Notes = append(out.Notes, f.notes...)
	}
	return out, nil
}

// overlay settles which sets are looked at: those of an untrusted workspace are not, and hide
// none; of one name the first hides the rest.
func (o Options) overlay(all []*found) {
	first := map[string]*found{}
	for _, f := range all {
		switch {
		case !manifest.LegalDirectory(f.Directory):
			f.Status = StatusSkipped
			f.note(manifest.Note{Text: `A tool set's directory has 1 to 64 letters, digits, "_", "." and "-" and begins with a letter. Rename the directory.`})
			continue
		case f.Tree.Origin == OriginProject && !o.Trusted:
			f.Status = StatusUntrusted
			continue
		}
		key := f.Directory
		if o.FoldCase {
			key = strings.ToLower(key)
		}
		if by := first[key]; by != nil {
			f.Status, f.HiddenBy = StatusHidden, &by.Tree
			continue
		}
		first[key] = f
	}
}

// read reads the manifests that are looked at, several at a time, until ctx ends.
func (o Options) read(ctx context.Context, all []*found) {
	Several(ctx, len(all), func(i int) {
		if all[i].Status == "" {
			all[i].read(ctx, o)
		}
	})
}

// read reads the manifest of a set.
func (f *found) read(ctx context.Context, o Options) {
	data, note := f.open()
	if note != nil {
		f.Status = StatusSkipped
		f.note(*note)
		return
	}
	set, notes, err := manifest.Parse(f.Directory, data)
	if err != nil {
		f.Status = StatusSkipped
		f.note(noteOf(err))
		return
	}
	f.Set, f.Manifest = set, data
	if !set.Enabled {
		// Nobody is told of what an author or operator switched off.
		f.Status = StatusDisabled
		return
	}
	for _, n := range notes {
		f.note(n)
	}
	f.Status, f.Tools = StatusLoaded, slices.Clone(set.Tools)
	if set.Runner == manifest.RunnerDotnet {
		f.ask(ctx, o)
	}
}

// ask asks the assembly of a dotnet set for its tools.
func (f *found) ask(ctx context.Context, o Options) {
	if o.Dotnet == nil {
		f.Status = StatusUnavailable
		f.note(manifest.Note{Field: "runner", Text: fmt.Sprintf(`%s: "runner" is dotnet, and %v. %s`, manifest.FileName, o.NoDotnet, DotnetRemedy(o.NoDotnet))})
		return
	}
	described, notes, err := o.Dotnet(ctx, f.Entry)
	if errors.Is(err, ErrUnasked) {
		f.unasked = true
		return
	}
	if err == nil {
		var more []manifest.Note
		f.Tools, more, err = f.Set.Describe(described)
		notes = append(notes, more...)
	}
	for _, n := range notes {
		f.note(n)
	}
	if err != nil {
		f.Status = StatusSkipped
		f.note(noteOf(err))
	}
}

// name leaves out tools whose name is taken: by a tool that is built in, or by a set that comes
// first. A set without a tool is left out whole.
func (o Options) name(all []*found) {
	owner := map[string]*found{}
	for _, f := range all {
		if f.Status != StatusLoaded || f.unasked {
			continue
		}
		f.Tools = slices.DeleteFunc(f.Tools, func(t manifest.Tool) bool {
			if o.Reserved(t.Name) {
				f.note(f.taken(t.Name, "is the name of a built-in tool"))
				return true
			}
			if by := owner[t.Name]; by != nil {
				f.note(f.taken(t.Name, "is offered by the "+string(by.Tree.Origin)+" set "+by.Directory+" already"))
				return true
			}
			owner[t.Name] = f
			return false
		})
		if len(f.Tools) == 0 {
			f.Status = StatusSkipped
			f.note(manifest.Note{Text: manifest.FileName + ": The file offers no tool that can be used. Mend what the other notes say."})
		}
	}
}

// taken is the note of a tool whose name belongs to another.
func (f *found) taken(name, words string) manifest.Note {
	if f.Set.Runner == manifest.RunnerDotnet {
		return manifest.Note{Field: "assembly", Text: manifest.FileName + `: "` + name + `" ` + words + ", so this tool is left out. Give it another name in the assembly."}
	}
	i := slices.IndexFunc(f.Set.Tools, func(t manifest.Tool) bool { return t.Name == name })
	field := "tools." + strconv.Itoa(i) + ".name"
	remedy := "Rename the tool."
	if len(f.Set.Tools) == 1 && name == f.Directory {
		field, remedy = "", `Rename the directory, or name the tool in a "tools" list.`
	}
	return manifest.Note{Field: field, Text: manifest.FileName + `: "` + name + `" ` + words + ", so this tool is left out. " + remedy}
}

func (f *found) note(n manifest.Note) {
	f.notes = append(f.notes, f.Note(n))
}

// legible is a name of a directory as it may be shown anywhere: what is not plain is escaped.
func legible(name string) string {
	quoted := strconv.QuoteToASCII(name)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
