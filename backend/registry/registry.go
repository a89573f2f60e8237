package registry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync/atomic"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Registry is the registered tools and the pipeline over them. It is safe for
// concurrent use.
type Registry struct {
	catalog *catalog
	reasons map[tool.Code]tool.Reason
	journal Journal
	desk    *approval.Desk
	clock   tool.Clock
	ids     approval.IDs
	log     *slog.Logger
	observe func(ctx context.Context, step Step)
	hooks   func() Hooks
	ruled   atomic.Pointer[ruled]
}

// Options are what a registry is made of.
type Options struct {
	Specs []tool.Spec
	// Reasons are the codes that tools of sets may end with, beside those of the pipeline.
	Reasons []tool.Reason
	Journal Journal
	// Desk is where calls wait. Nil where nobody can ever be asked.
	Desk  *approval.Desk
	Clock tool.Clock
	IDs   approval.IDs
	Log   *slog.Logger
	// Hooks gives the operator's programs that look at calls; nil for none.
	Hooks func() Hooks
	// Observe, if given, is told of every step that a call has finished, and for the
	// step of approval also when a call begins to wait. It runs on the call's goroutine.
	Observe func(ctx context.Context, step Step)
}

// New registers the specs. It refuses, with every reason at once, whatever is missing,
// unknown or contradictory in them. It does no I/O.
func New(o Options) (*Registry, error) {
	reasons := map[tool.Code]tool.Reason{}
	for _, r := range tool.Reasons() {
		reasons[r.Code] = r
	}
	c, err := register(o.Specs, reasons)
	if err != nil {
		return nil, err
	}
	for _, reason := range o.Reasons {
		if old, known := reasons[reason.Code]; known && old != reason {
			return nil, fmt.Errorf("reason code %q of tool sets has another meaning already", reason.Code)
		}
		reasons[reason.Code] = reason
	}
	if o.Journal == nil || o.Clock == nil || o.IDs == nil || o.Log == nil {
		return nil, errors.New("a registry needs a journal, a clock, ids and a log")
	}
	return &Registry{
		catalog: c, reasons: reasons, journal: o.Journal, desk: o.Desk, clock: o.Clock, ids: o.IDs,
		log: o.Log, observe: o.Observe, hooks: o.Hooks,
	}, nil
}

// Lookup returns the newest version of a built-in tool by id or wire name.
func (r *Registry) Lookup(name string) (*tool.Spec, bool) {
	e := r.catalog.latest[name]
	if e == nil {
		return nil, false
	}
	return e.spec, true
}

// Specs returns the newest version of every built-in tool, sorted by id.
func (r *Registry) Specs() []*tool.Spec { return (&SetCatalog{tools: r.catalog}).Specs() }

// Reason returns what a code means. A code that nobody registered means a failed run.
func (r *Registry) Reason(c tool.Code) tool.Reason {
	if reason, ok := r.reasons[c]; ok {
		return reason
	}
	reason := r.reasons[tool.CodeExecutionFailed]
	reason.Code = c
	return reason
}

// Reasons returns every registered reason by its code.
func (r *Registry) Reasons() map[tool.Code]tool.Reason { return maps.Clone(r.reasons) }

// Advertised returns the tools that a caller is offered under these rules: the built-in ones,
// then those of sets, which may be nil.
func (r *Registry) Advertised(rules session.Rules, sets *SetCatalog) []*tool.Spec {
	var out []*tool.Spec
	for _, spec := range append(r.Specs(), sets.Specs()...) {
		if enabled(spec, rules) {
			out = append(out, spec)
		}
	}
	return out
}

func enabled(spec *tool.Spec, rules session.Rules) bool {
	return inCatalog(spec, rules) && setOn(spec, rules)
}

func inCatalog(spec *tool.Spec, rules session.Rules) bool {
	return !spec.Deprecated && spec.Offered(rules.Catalog)
}

func setOn(spec *tool.Spec, rules session.Rules) bool {
	return rules.Offers(spec.Set, spec.Source == tool.SourceBuiltin)
}

// Standing is what an ordinary call of a tool would get.
type Standing struct {
	// SetOn and InCatalog say whether callers are offered the tool; when one is false a
	// call is refused before policy is asked.
	SetOn     bool
	InCatalog bool
	// Foreseen is what policy says of an ordinary call, and Decision why.
	Foreseen policy.Foreseen
	Decision tool.Decision
}

// Offered reports whether callers are offered the tool.
func (s *Standing) Offered() bool { return s.SetOn && s.InCatalog }

// Standing foresees an ordinary call of a tool by the same rules that Dispatch goes by.
func (r *Registry) Standing(spec *tool.Spec, rules session.Rules, scopes []string) Standing {
	outcome, foreseen := policy.ForeseeTool(spec, rules, scopes)
	return Standing{SetOn: setOn(spec, rules), InCatalog: inCatalog(spec, rules), Foreseen: foreseen, Decision: outcome.Decision}
}
