package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"countersign/backend/event"
	"countersign/backend/host/process"
	"countersign/backend/host/workspace"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/shelf"
	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
	"countersign/tools"
)

// openShelves puts up the shelves for tool sets, which are filled when somebody looks.
func (e *Engine) openShelves() {
	reserved := tools.Reserved()
	path := searchPathOf(e.options.Environ)
	dotnet, noDotnet := toolset.FindDotnet(e.options.Program, path)
	e.shelves = shelf.New(shelf.Options{
		Trees: e.treesOf, Off: func() bool { return !e.Settings().External.On },
		Reserved: func(name string) bool {
			_, is := slices.BinarySearch(reserved, name)
			return is
		},
		Dotnet: e.assemblies(dotnet), NoDotnet: noDotnet, FoldCase: runtime.GOOS == "windows", SearchPath: path,
		Specs: func(s toolset.Entry, fingerprint string) []tool.Spec {
			return toolset.Specs(s, toolset.Facts{Home: e.options.Paths.Home, SearchPath: path, Fingerprint: fingerprint, Dotnet: dotnet})
		},
		Compile: e.registry.Compile, Book: e.store, Clock: e.options.Clock, Log: e.options.Log,
		Changed: func(shelf.Place) { e.toolsChanged() },
	})
}

// assemblies asks assemblies for their tools, each in a session of processes of its own: no
// person's session has to be there for that.
func (e *Engine) assemblies(dotnet *toolset.Dotnet) func(context.Context, toolset.Entry) ([]manifest.Described, []manifest.Note, error) {
	if dotnet == nil {
		return nil
	}
	return func(ctx context.Context, s toolset.Entry) ([]manifest.Described, []manifest.Note, error) {
		if e.machine == nil {
			return nil, nil, &manifest.Refusal{Note: manifest.Note{
				Field: "runner", Text: manifest.FileName + `: "runner" is dotnet. This program runs no programs on this system, so the set cannot be used. Use it on Linux.`,
			}}
		}
		programs := e.machine.Session(process.Options{Session: "tool-sets", Environ: e.options.Environ, Clock: e.options.Clock})
		described, notes, err := dotnet.List(ctx, programs, s)
		return described, notes, errors.Join(err, programs.Close(context.WithoutCancel(ctx)))
	}
}

// searchPathOf is the search path in an environment.
func searchPathOf(environ []string) string {
	path := ""
	for _, entry := range environ {
		if value, is := strings.CutPrefix(entry, "PATH="); is {
			path = value
		}
	}
	return path
}

// treesOf are the trees of a workspace under the settings of now.
func (e *Engine) treesOf(workspace string) []toolset.Tree {
	return toolset.Places{
		Home: e.options.Paths.Home, UserHome: e.options.Paths.UserHome, Workspace: workspace, Crystal: e.Settings().External.Crystal,
	}.Trees()
}

// toolsChanged tells that sets were loaded or look different: what waits may be another call now.
func (e *Engine) toolsChanged() {
	e.reconsider(e.desk.Watch())
	e.hub.Emit(event.Event{Type: event.ToolsChanged, At: e.options.Clock.Now()})
}

// lookRest is how long a desk that was opened is left to its page before it looks at tool sets that
// nobody has asked for yet.
const lookRest = time.Second

// lookAtSets begins to look at the sets of the desk's own workspace, so that they are there when
// somebody asks what can be called or what a grant is worth.
func (e *Engine) lookAtSets() {
	rest := time.NewTimer(lookRest)
	defer rest.Stop()
	select {
	case <-e.life.Done():
		return
	case <-rest.C:
	}
	if e.options.Workspace == "" {
		return
	}
	if place, err := e.place(e.life, SetPlace{}); err == nil {
		e.shelves.Now(place)
	}
}

// forgetSets has the sets of a trust root looked at anew, once somebody asks for them.
func (e *Engine) forgetSets(root string) {
	e.shelves.Forget(func(p shelf.Place) bool { return p.Trusted && workspace.TrustRoot(p.Workspace) == root })
}

// sessionSets are the tool sets of a session, as far as its workspace is trusted now.
type sessionSets struct{ s *Session }

func (x sessionSets) place(ctx context.Context) shelf.Place {
	return shelf.Place{Workspace: x.s.record.Workspace, Trusted: x.s.trusted(ctx)}
}

// Now returns what is loaded, nil before the first load has ended.
func (x sessionSets) Now() *registry.SetCatalog {
	return catalogOf(x.s.engine.shelves.Now(x.place(context.WithoutCancel(x.s.engine.life))))
}

// Loaded waits for the first load.
func (x sessionSets) Loaded(ctx context.Context) (*registry.SetCatalog, error) {
	loaded, err := x.s.engine.shelves.Loaded(ctx, x.place(ctx))
	return catalogOf(loaded), err
}

func catalogOf(l *shelf.Loaded) *registry.SetCatalog {
	if l == nil {
		return nil
	}
	return l.Catalog
}

// SetPlace says whose sets are meant. Workspace "" is the desk's own. Trust counts the workspace
// as trusted, whatever was answered.
type SetPlace struct {
	Workspace string
	Trust     bool
}

// SetRef names a set. Origin "" means the project before the home.
type SetRef struct {
	SetPlace
	Origin    toolset.Origin
	Directory string
}

// place finds the shelf of a workspace.
func (e *Engine) place(ctx context.Context, p SetPlace) (shelf.Place, error) {
	files, err := workspace.Open(cmp.Or(p.Workspace, e.options.Workspace), e.fileOptions())
	if err != nil {
		return shelf.Place{}, fmt.Errorf("%w: %w", ErrNoWorkspace, err)
	}
	root := files.Root()
	if err := files.Close(); err != nil {
		return shelf.Place{}, fmt.Errorf("close the workspace: %w", err)
	}
	return shelf.Place{Workspace: root, Trusted: p.Trust || e.trust.Trusted(ctx, workspace.TrustRoot(root))}, nil
}

func (e *Engine) ref(ctx context.Context, r SetRef) (shelf.Ref, error) {
	place, err := e.place(ctx, r.SetPlace)
	return shelf.Ref{Place: place, Origin: r.Origin, Directory: r.Directory}, err
}

// ToolSets are the tool sets of a workspace that are not built in.
type ToolSets struct {
	// Loading says that they were not looked at yet, Off that the settings have none looked for.
	Loading bool
	Off     bool
	shelf.Loaded
}

// ToolSets returns the tool sets of a workspace. With wait it waits until they were looked at.
func (e *Engine) ToolSets(ctx context.Context, p SetPlace, wait bool) (ToolSets, error) {
	place, err := e.place(ctx, p)
	if err != nil {
		return ToolSets{}, err
	}
	out := ToolSets{Off: !e.Settings().External.On}
	now := e.shelves.Now(place)
	if now == nil && wait {
		if now, err = e.shelves.Loaded(ctx, place); err != nil {
			return ToolSets{}, err
		}
	}
	if out.Loading = now == nil; !out.Loading {
		out.Loaded = *now
	}
	return out, nil
}

// ReloadSets looks at the tool sets of a workspace anew.
func (e *Engine) ReloadSets(ctx context.Context, p SetPlace) error {
	place, err := e.place(ctx, p)
	if err != nil {
		return err
	}
	_, err = e.shelves.Reload(ctx, place)
	return err
}

// EnableSet switches a set on or off in its manifest, and looks at the sets anew. The error is
// toolset.ErrNoSet, toolset.ErrUntrusted, a *manifest.Refusal for a manifest that is broken, or
// that of the file, which is as it was then.
func (e *Engine) EnableSet(ctx context.Context, r SetRef, on bool) (toolset.Entry, error) {
	ref, err := e.ref(ctx, r)
	if err != nil {
		return toolset.Entry{}, err
	}
	return e.shelves.Enable(ctx, ref, on)
}

// SetChange tells what became of a set since it was let in.
func (e *Engine) SetChange(ctx context.Context, r SetRef) (shelf.Change, error) {
	ref, err := e.ref(ctx, r)
	if err != nil {
		return shelf.Change{}, err
	}
	return e.shelves.Changes(ctx, ref)
}

// AcceptSet lets a set in as SetChange showed it, with the fingerprint that it told. The error is
// shelf.ErrMoved where the set changed once more meanwhile.
func (e *Engine) AcceptSet(ctx context.Context, r SetRef, fingerprint string) error {
	ref, err := e.ref(ctx, r)
	if err != nil {
		return err
	}
	return e.shelves.Accept(ctx, ref, fingerprint)
}

// specAt finds a tool as it is called in a workspace: a built-in one, else one of its sets as far
// as they are loaded.
func (e *Engine) specAt(ctx context.Context, at, name string) (*tool.Spec, bool) {
	if spec, ok := e.registry.Lookup(name); ok {
		return spec, true
	}
	return e.setsAt(ctx, at).Lookup(name)
}

// setsAt are the tools of the sets of a workspace, nil before they were looked at.
func (e *Engine) setsAt(ctx context.Context, at string) *registry.SetCatalog {
	return catalogOf(e.shelves.Now(shelf.Place{Workspace: at, Trusted: e.trust.Trusted(ctx, workspace.TrustRoot(at))}))
}

// EffectiveApproval is what the declaration of a tool's author comes to under rules: what the
// author says where authors are followed, else what the host does with any tool.
func EffectiveApproval(spec *tool.Spec, rules session.Rules) (declared, effective string) {
	const inherit, always = "inherit", "always"
	declared, effective = inherit, inherit
	if spec.Always {
		declared = always
	}
	if policy.Follows(spec.Always, spec.Origin, rules) {
		effective = always
	}
	return declared, effective
}
