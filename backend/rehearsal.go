package backend

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"countersign/backend/config"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

const (
	// rehearseDays is how far back a rehearsal looks, and MaxRehearsed how many calls, the
	// latest first.
	rehearseDays = 30
	MaxRehearsed = 2000
	// rehearsePage is how many calls one step looks at, and rehearseStep for how long: a step
	// ends soon, so that whoever waits for it can stop.
	rehearsePage = 100
	rehearseStep = 300 * time.Millisecond
	// rehearseFresh is for how long what was worked out of past calls is used again.
	rehearseFresh = time.Minute
)

// Unjudged says why a past call cannot be judged again.
type Unjudged string

// The reasons.
const (
	// UnjudgedTool means that there is no such tool any more, or that it takes other arguments.
	UnjudgedTool Unjudged = "tool"
	// UnjudgedFolder means that the folder of the session is not there any more.
	UnjudgedFolder Unjudged = "folder"
	// UnjudgedPath means that a path of the call cannot be resolved any more.
	UnjudgedPath Unjudged = "path"
	// UnjudgedArguments means that the arguments were too large, or were not kept.
	UnjudgedArguments Unjudged = "arguments"
)

// RehearsalMark is how far a rehearsal has come. The zero value is its beginning.
type RehearsalMark struct {
	Last   store.DecidedCall
	Looked int
}

// Rehearsal is what a change of settings would do to calls like those of the last thirty days,
// as far as one step of it came.
type Rehearsal struct {
	// Loosens says that the change is not stricter than what is in force in every part.
	Loosens bool
	// Total is how many calls there are, up to one more than MaxRehearsed, and Looked how many
	// were looked at up to the end of this step.
	Total, Looked int
	// Flips are the calls of this step that would be decided otherwise, the latest first, and
	// Unjudged counts those that cannot be judged any more.
	Flips    []Flip
	Unjudged map[Unjudged]int
	// Next is where to go on, nil at the end.
	Next *RehearsalMark
}

// Flip is a past call that a change of settings decides otherwise. Both verdicts are of calls
// that are made now, so that nothing but the change is between them; Call tells what became
// of it then.
type Flip struct {
	Call store.DecidedCall
	// Text is the command, the path or the host, as eyes see it; a path below the workspace begins
	// there.
	Text       tool.Untrusted
	Now, Would tool.Verdict
	// Code is why it would be denied.
	Code tool.Code
}

// Rehearse judges past calls under the settings in force and under those that a patch would
// make, as far as one step comes. It changes nothing, asks nobody and runs nothing; of files
// it looks up those that the calls name.
func (e *Engine) Rehearse(ctx context.Context, p config.Patch, from RehearsalMark) (Rehearsal, error) {
	next, err := e.file.Would(p)
	if err != nil {
		return Rehearsal{}, err
	}
	r := rehearsing{engine: e, now: e.Rules(), would: next.Rules, places: map[string]*rehearsalPlace{}}
	defer r.close()
	out := Rehearsal{Loosens: looser(r.now, r.would), Looked: from.Looked, Unjudged: map[Unjudged]int{}}
	if r.now.Equal(r.would) {
		return out, nil
	}
	began := e.options.Clock.Now()
	since := began.AddDate(0, 0, -rehearseDays)
	if out.Total, err = e.store.CountDecided(ctx, since, MaxRehearsed+1); err != nil {
		return Rehearsal{}, err
	}
	calls, err := e.store.Decided(ctx, since, from.Last, min(rehearsePage, MaxRehearsed-from.Looked))
	if err != nil {
		return Rehearsal{}, err
	}
	for i, c := range calls {
		if err := r.judge(ctx, c, &out); err != nil {
			return Rehearsal{}, err
		}
		out.Looked++
		last := i == len(calls)-1
		if last && len(calls) < rehearsePage || out.Looked >= MaxRehearsed {
			return out, nil
		}
		if last || e.options.Clock.Now().Sub(began) > rehearseStep {
			out.Next = &RehearsalMark{Last: store.DecidedCall{Num: c.Num, At: c.At}, Looked: out.Looked}
			return out, nil
		}
	}
	return out, nil
}

// looser reports whether rules may let anything through that others stop. An entry in the list
// of hosts opens one and shuts all others, so every change of it counts.
func looser(now, would session.Rules) bool {
	limits := now
	limits.Sets = now.SetsOn()
	tight := would.Tightened(limits)
	return tight.Preset != would.Preset || tight.Catalog != would.Catalog || tight.Profile != would.Profile || tight.ReadOnly != would.ReadOnly ||
		len(tight.SetsOn()) != len(would.SetsOn()) || !slices.Equal(now.AllowedDomains, would.AllowedDomains) ||
		would.Authors.Home && !now.Authors.Home || would.Authors.Project && !now.Authors.Project
}

// rehearsing is one step of a rehearsal.
type rehearsing struct {
	engine     *Engine
	now, would session.Rules
	places     map[string]*rehearsalPlace
}

// rehearsalPlace is a session as its calls are judged in it.
type rehearsalPlace struct {
	limits  session.Rules
	grants  []policy.Grant
	trusted bool
	// here is nil where the folder is not there any more.
	here *registry.Context
	done func()
}

func (r *rehearsing) close() {
	for _, p := range r.places {
		if p.done != nil {
			p.done()
		}
	}
}

// place opens a session for judging.
func (r *rehearsing) place(ctx context.Context, id string) (*rehearsalPlace, error) {
	if p := r.places[id]; p != nil {
		return p, nil
	}
	record, err := r.engine.store.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &rehearsalPlace{limits: record.Limits}
	r.places[id] = p
	if p.grants, err = r.engine.desk.Grants(ctx, id, record.Workspace); err != nil {
		return nil, err
	}
	p.here, p.done, err = r.engine.explainer(ctx, record)
	if errors.Is(err, ErrNoWorkspace) {
		return p, nil
	}
	if err == nil {
		p.trusted = p.here.Trusted(ctx)
	}
	return p, err
}

// judge holds one call against both rules.
func (r *rehearsing) judge(ctx context.Context, c store.DecidedCall, out *Rehearsal) error {
	p, err := r.place(ctx, c.SessionID)
	if err != nil {
		return err
	}
	facts, why := r.engine.rehearsed.facts(ctx, r.engine, p, c)
	if err := ctx.Err(); err != nil {
		return err
	}
	if why != "" {
		out.Unjudged[why]++
		return nil
	}
	facts.Trusted, facts.Grants, facts.Now = p.trusted, p.grants, r.engine.options.Clock.Now()
	now, would := r.engine.registry.Rejudge(p.here, facts, r.now.Tightened(p.limits)), r.engine.registry.Rejudge(p.here, facts, r.would.Tightened(p.limits))
	if now.Verdict == would.Verdict {
		return nil
	}
	out.Flips = append(out.Flips, Flip{
		Call: c, Text: subject(c.SessionID, &facts.Target, facts.Workspace+"/"), Now: now.Verdict, Would: would.Verdict, Code: would.ReasonCode,
	})
	return nil
}

// rehearsed keeps for a while what policy would be asked about past calls: another choice is
// then rehearsed without looking up their files again.
type rehearsed struct {
	mu    sync.Mutex
	began time.Time
	known map[string]rehearsedCall
}

type rehearsedCall struct {
	facts policy.Facts
	why   Unjudged
}

func (k *rehearsed) facts(ctx context.Context, e *Engine, p *rehearsalPlace, c store.DecidedCall) (policy.Facts, Unjudged) {
	now := e.options.Clock.Now()
	k.mu.Lock()
	if k.known == nil || now.Sub(k.began) >= rehearseFresh || len(k.known) > 2*MaxRehearsed {
		k.began, k.known = now, map[string]rehearsedCall{}
	}
	one, found := k.known[c.ID]
	k.mu.Unlock()
	if !found {
		one.facts, one.why = e.factsOf(ctx, p, c)
		if ctx.Err() == nil {
			k.mu.Lock()
			k.known[c.ID] = one
			k.mu.Unlock()
		}
	}
	return one.facts, one.why
}

// factsOf works out what policy would be asked about a past call, with what its session had
// read by then.
func (e *Engine) factsOf(ctx context.Context, p *rehearsalPlace, c store.DecidedCall) (policy.Facts, Unjudged) {
	name := c.ToolID
	if name == "" {
		name = c.Wanted
	}
	_, builtin := e.registry.Lookup(name)
	switch {
	case !builtin && p.here == nil:
		return policy.Facts{}, UnjudgedTool
	case c.Arguments == nil && builtin:
		return policy.Facts{}, UnjudgedArguments
	case p.here == nil:
		return policy.Facts{}, UnjudgedFolder
	}
	if !builtin {
		loaded, err := p.here.Sets.Loaded(ctx)
		if _, there := loaded.Lookup(name); err != nil || !there {
			return policy.Facts{}, UnjudgedTool
		}
	}
	if c.Arguments == nil {
		return policy.Facts{}, UnjudgedArguments
	}
	facts, err := e.registry.FactsOf(ctx, p.here, tool.Call{Name: name, Arguments: c.Arguments})
	if own, coded := errors.AsType[*tool.Error](err); coded && own.Code == tool.CodeArgumentsInvalid {
		return policy.Facts{}, UnjudgedTool
	}
	if err != nil {
		return policy.Facts{}, UnjudgedPath
	}
	facts.Origin = c.Origin
	return facts, ""
}
