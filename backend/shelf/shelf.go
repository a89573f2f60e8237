package shelf

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"countersign/backend/registry"
	"countersign/backend/tool"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// Place is a workspace, and whether the person trusts it: of one that is not trusted no set of
// the project is read.
type Place struct {
	Workspace string
	Trusted   bool
}

// Options are what shelves are made of.
type Options struct {
	// Trees are those of a workspace under the settings of now, in which a set can be switched.
	// Off says that none of them is looked through for tools.
	Trees func(workspace string) []toolset.Tree
	Off   func() bool
	// Reserved reports whether a name belongs to a tool that is built in.
	Reserved func(name string) bool
	// Dotnet asks the assembly of a set for its tools, which runs code of the set; nil where
	// dotnet sets cannot run on this machine, for which NoDotnet is the error of FindDotnet.
	Dotnet   func(ctx context.Context, e toolset.Entry) ([]manifest.Described, []manifest.Note, error)
	NoDotnet error
	FoldCase bool
	// SearchPath is the search path of the environment that programs inherit.
	SearchPath string
	// Specs makes the tools of a set that is made of what fingerprint names.
	Specs func(e toolset.Entry, fingerprint string) []tool.Spec
	// Compile registers tools, as registry.Registry does.
	Compile func([]tool.Spec) (*registry.SetCatalog, []registry.LeftOut)
	Book    Book
	Clock   tool.Clock
	Log     *slog.Logger
	// Changed is told of a place whose sets were loaded, or look different on disk. It must not
	// block.
	Changed func(Place)
}

// Shelves are the sets of all places that were asked for. They are safe for concurrent use.
type Shelves struct {
	options Options
	life    context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup

	mu     sync.Mutex
	places map[Place]*shelf
}

// New makes shelves, with nothing on them. The caller closes them.
func New(o Options) *Shelves {
	s := &Shelves{options: o, places: map[Place]*shelf{}}
	s.life, s.stop = context.WithCancel(context.Background())
	s.work.Go(s.watch)
	return s
}

// Close ends every load and waits for it.
func (s *Shelves) Close() {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	s.work.Wait()
}

// shelf is what is loaded of one place.
type shelf struct {
	place Place
	// first is closed when the first load has ended.
	first chan struct{}

	// loading lets one load go on at a time.
	loading sync.Mutex

	mu  sync.Mutex
	now *Loaded
	// wanted counts the loads that were asked for, done is the last that ended.
	wanted, done int
	// look is how the trees looked before the last load, seen how they looked last.
	look, seen string
}

// Now returns what is loaded of a place; nil until the first load has ended, which this begins.
// It never waits.
func (s *Shelves) Now(p Place) *Loaded {
	b := s.at(p)
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

// Loaded waits until a place was looked at for the first time. Its error is the end of ctx, or
// of the shelves.
func (s *Shelves) Loaded(ctx context.Context, p Place) (*Loaded, error) {
	b := s.at(p)
	if b == nil {
		return nil, errClosed
	}
	select {
	case <-b.first:
		return s.Now(p), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.life.Done():
		return nil, errClosed
	}
}

var errClosed = fmt.Errorf("%w: the tool sets are closed", context.Canceled)

// Reload looks at a place anew and returns what it found.
func (s *Shelves) Reload(ctx context.Context, p Place) (*Loaded, error) {
	b := s.at(p)
	if b == nil {
		return nil, errClosed
	}
	done := make(chan struct{})
	s.mu.Lock()
	s.begin(b, func() { close(done) })
	s.mu.Unlock()
	select {
	case <-done:
		return s.Now(p), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.life.Done():
		return nil, errClosed
	}
}

// ReloadAll looks at every place anew, without waiting for it.
func (s *Shelves) ReloadAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.places {
		s.begin(b, func() {})
	}
}

// Forget takes everything off the shelves of which gone says so: what is asked for again is
// looked at anew.
func (s *Shelves) Forget(gone func(Place) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.places {
		if gone(p) {
			delete(s.places, p)
		}
	}
}

// at returns the shelf of a place, and begins to fill it where it is new; nil once the shelves
// are closed.
func (s *Shelves) at(p Place) *shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.places[p]
	if b == nil && s.life.Err() == nil {
		b = &shelf{place: p, first: make(chan struct{})}
		s.places[p] = b
		s.begin(b, func() { close(b.first) })
	}
	return b
}

// begin starts a load, which finds at least what is there now, and calls done after it. The
// caller holds mu, so that nothing begins once the shelves are closed.
func (s *Shelves) begin(b *shelf, done func()) {
	if s.life.Err() != nil {
		return
	}
	b.mu.Lock()
	b.wanted++
	mine := b.wanted
	b.mu.Unlock()
	s.work.Go(func() {
		b.loading.Lock()
		defer b.loading.Unlock()
		defer done()
		b.mu.Lock()
		newest, have := b.wanted, b.done >= mine
		b.mu.Unlock()
		if have {
			// A load that began after this one was asked for has ended already.
			return
		}
		s.load(b, newest)
	})
}

// load fills a shelf. A load that is cut short leaves what was there.
func (s *Shelves) load(b *shelf, upTo int) {
	trees := s.trees(b.place)
	look := toolset.Look(trees, b.place.Trusted)
	loaded, err := s.build(s.life, b.place, trees)
	if err != nil {
		if s.life.Err() == nil {
			s.options.Log.Error("the tool sets could not be loaded", "cause", err)
		}
		return
	}
	b.mu.Lock()
	b.now, b.done, b.look, b.seen = loaded, upTo, look, look
	b.mu.Unlock()
	s.options.Changed(b.place)
}

// trees are those of a place that are looked through.
func (s *Shelves) trees(p Place) []toolset.Tree {
	if s.options.Off() {
		return nil
	}
	return s.options.Trees(p.Workspace)
}

// Lookup finds a tool of a set by its name, in the given place or else in any that is loaded.
func (s *Shelves) Lookup(name string, first Place) (*tool.Spec, bool) {
	s.mu.Lock()
	all := make([]*shelf, 0, len(s.places))
	for p, b := range s.places {
		if all = append(all, b); p == first {
			all[0], all[len(all)-1] = b, all[0]
		}
	}
	s.mu.Unlock()
	for _, b := range all {
		b.mu.Lock()
		now := b.now
		b.mu.Unlock()
		if now == nil {
			continue
		}
		if spec, ok := now.Catalog.Lookup(name); ok {
			return spec, true
		}
	}
	return nil, false
}

// pace is how often it is looked whether manifests changed on disk.
const pace = 2 * time.Second

// watch looks from time to time how the trees of all places look, and tells of a change. What a
// person has let in meanwhile in another program, such as a set that was switched there, is loaded.
func (s *Shelves) watch() {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	answered, known := s.lastAnswer()
	for {
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
		if last, ok := s.lastAnswer(); ok {
			if known && !last.Equal(answered) {
				s.ReloadAll()
			}
			answered, known = last, true
		}
		s.mu.Lock()
		all := make([]*shelf, 0, len(s.places))
		for _, b := range s.places {
			all = append(all, b)
		}
		s.mu.Unlock()
		for _, b := range all {
			s.lookAt(b)
		}
	}
}

// lastAnswer is when a person last let a set in; ok is false where nobody can tell now.
func (s *Shelves) lastAnswer() (at time.Time, ok bool) {
	at, err := s.options.Book.LastAnswer(s.life)
	if err != nil && s.life.Err() == nil {
		s.options.Log.Warn("what was let in of tool sets could not be read", "cause", err)
	}
	return at, err == nil
}

func (s *Shelves) lookAt(b *shelf) {
	look := toolset.Look(s.trees(b.place), b.place.Trusted)
	b.mu.Lock()
	differs := b.now != nil && look != b.seen
	if differs {
		next := *b.now
		next.Stale = look != b.look
		b.now, b.seen = &next, look
	}
	b.mu.Unlock()
	if differs {
		s.options.Changed(b.place)
	}
}
