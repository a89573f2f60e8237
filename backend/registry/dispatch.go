package registry

import (
	"context"
	"slices"
	"time"

	"countersign/backend/approval"
	"countersign/backend/bound"
	"countersign/backend/policy"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Context is the session that a call belongs to, as the pipeline sees it. One value
// serves every call of a session; it is safe for concurrent calls.
type Context struct {
	SessionID string
	Turn      string
	Workspace string
	TrustRoot string
	UserHome  string
	OwnHome   string
	Host      tool.Host
	// Sets are the tool sets of the workspace; nil where there are none.
	Sets Sets
	// Rules and Trusted give the settings of the moment.
	Rules   func() session.Rules
	Trusted func(ctx context.Context) bool
	// Caller gives who calls, as far as it has said; nil where nobody has.
	Caller func() session.Caller
	// Scopes are what the caller holds.
	Scopes []string
	// Allow are grants in their printed form that hold for this program run only. Their
	// kind follows the tool that is called.
	Allow []string
	// Asks says that a person can be asked.
	Asks bool
	// AskTrust waits for the answer to the trust question of the workspace and reports
	// whether it is trusted now. revise is asked whenever the rules may have changed, and its
	// error ends the wait. Nil where nobody can be asked.
	AskTrust func(ctx context.Context, revise func(context.Context) error) (bool, error)
	// MaxHold is how long a call is held for a person before it ends as pending; 0 sets no
	// limit.
	MaxHold time.Duration
	// Output makes the output store of one call; nil keeps nothing.
	Output func(invocationID string) tool.Output
	// Images says that the caller can be given images.
	Images bool
	// Reviewer judges calls before a person is asked, in the presets that have it asked.
	// Transcript gives it what the session was about, the oldest turn first. Without both the
	// person is asked.
	Reviewer   Reviewer
	Transcript func(ctx context.Context) ([]Turn, error)
	// Notes are appended to results about new files.
	Notes  []tool.ResultNote
	Memory *Memory
	// Progress tells the caller about a call that takes time.
	Progress func(text string)
	// Says is told what the tool itself says while it runs, such as the last line that its
	// program printed; nil tells nobody.
	Says func(text string)
	// Grows is told of a text that the call begins in the output store; nil tells nobody.
	Grows func(l tool.Log)
	// Begun is told the id of the call as soon as it is stored.
	Begun func(invocationID string)
}

// run is one call on its way through the pipeline.
type run struct {
	s *Context
	// keep is the call's context without its end: what must be stored is stored.
	keep  context.Context
	call  tool.Call
	inv   session.Invocation
	entry *entry
	value any
	args  tool.Args
	// text is the JSON that value was read from.
	text []byte
	// asked is what the caller sent, nil while that is what would run; changedBy and
	// rewrittenBy say who made something else of it, all of them and who looked at it last.
	asked       *sent
	changedBy   []tool.Layer
	rewrittenBy tool.Layer
	effect      tool.SideEffect
	// hooked is what the hooks said of the call, and heard the arguments that they were last
	// told; dry says that they are not to be asked.
	hooked []policy.Hook
	heard  []byte
	dry    bool
	// renewed says that the set of the tool changed since the call was last asked for, so that
	// it has another definition now.
	renewed bool
	// scopes are what the caller held when it made the call.
	scopes []string
	target tool.Target
	// reading is what the command of target would do; nil without one.
	reading *shellcmd.Reading
	// secrets are the parts of the command that eyes do not see.
	secrets []policy.Secret
	rules   session.Rules
	policy  policy.Outcome
	// facts are what policy was asked.
	facts policy.Facts
	pins  []tool.Pin
	// kept is what the answer kept of the changes that the card showed; nil is all.
	kept []tool.Kept
	// answered is the request whose answer allowed the call, if a person was asked.
	answered string
	// handed says why the reviewer left the call to the person, "" before it was asked.
	handed string
	// card is the approved request that lets the call run, until something says otherwise.
	card   string
	stored bool
	// claimed and marked say how far the call has come.
	claimed bool
	marked  bool
	// entered says that the tool was run, worked that it did what was asked.
	entered bool
	worked  bool
	result  tool.Result
	outputs []session.Output
	logs    []log
	outcome tool.Outcome
	began   time.Time
	// at holds the times that inv points to.
	at struct{ authorized, started, marked, ended time.Time }
}

// pipeline is the one path of every call.
var pipeline = [...]struct {
	step Step
	do   func(*Registry, context.Context, *run) error
}{
	{StepResolve, (*Registry).resolve},
	{StepEnabled, (*Registry).checkEnabled},
	{StepScopes, (*Registry).checkScopes},
	{StepValidate, (*Registry).validate},
	{StepNormalise, (*Registry).normalise},
	{StepPolicy, (*Registry).decide},
	{StepApproval, (*Registry).approve},
	{StepIntent, (*Registry).persistIntent},
	{StepClaim, (*Registry).claim},
	{StepExecute, (*Registry).execute},
	{StepResult, (*Registry).checkResult},
	{StepBound, (*Registry).bound},
	{StepPersist, (*Registry).persist},
	{StepRender, (*Registry).render},
}

// Dispatch runs a call through the fourteen steps and returns how it ended. It never
// returns without an outcome, and no outcome but succeeded means that the tool did
// what was asked. A context that ends is a cancellation, which wins over every other
// end except an effect that is not known.
func (r *Registry) Dispatch(ctx context.Context, s *Context, call tool.Call) tool.Outcome {
	c := &run{s: s, keep: context.WithoutCancel(ctx), call: call, began: r.clock.Now(), rules: s.Rules(), scopes: slices.Clone(s.Scopes)}
	defer r.settled(c)
	if err := r.propose(c); err != nil {
		return r.end(ctx, c, err)
	}
	for i := range pipeline {
		if err := ctx.Err(); err != nil && !c.claimed {
			return r.end(ctx, c, err)
		}
		if err := r.take(ctx, c, i); err != nil {
			return r.end(ctx, c, err)
		}
		r.finished(ctx, pipeline[i].step)
	}
	return c.outcome
}

// settled has the waiting calls of the session judged again when files were read or changed:
// their cards may show something else now.
func (r *Registry) settled(c *run) {
	if r.desk != nil && (c.marked || len(c.result.Files) > 0) {
		r.desk.ReconsiderSession(c.s.SessionID)
	}
}

// take takes one step. A panic in it ends the call and nothing else.
func (r *Registry) take(ctx context.Context, c *run, i int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(v)
		}
	}()
	return pipeline[i].do(r, ctx, c)
}

func (r *Registry) finished(ctx context.Context, step Step) {
	if r.observe != nil {
		r.observe(ctx, step)
	}
}

// propose stores the call as it came, before anything is known about it.
func (r *Registry) propose(c *run) error {
	c.inv = session.Invocation{
		ID: r.ids.NewID(), SessionID: c.s.SessionID, CallID: c.call.ID, Turn: c.s.Turn,
		Name: tool.Mark(clip(c.call.Name)), State: session.StateProposed, Attempt: 1,
		OriginTrust: c.s.Memory.Origin(), ProposedAt: c.began, Raw: c.call.Arguments,
	}
	if len(c.inv.Raw) > maxArguments {
		c.inv.Raw = nil
	}
	if err := r.journal.Propose(c.keep, c.inv); err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "propose the call: %w", err)
	}
	c.stored = true
	if c.s.Begun != nil {
		c.s.Begun(c.inv.ID)
	}
	return nil
}

// maxArguments is the largest argument text of a call, in bytes.
const maxArguments = 8 << 20

// maxName is the longest tool name that is kept of a call to an unknown tool, in bytes.
const maxName = 256

func clip(name string) string { return bound.Head(name, maxName) }

// Explanation is what a call would meet, without running it.
type Explanation struct {
	ID     string
	Tool   string
	Target tool.Target
	// Decision is nil when the call would end before policy; Status and ReasonCode then
	// say how.
	Decision   *tool.Decision
	Status     tool.Status
	ReasonCode tool.Code
	// Dynamic says that nobody can tell beforehand what the call would run.
	Dynamic bool
	// Reading is what the command of the call would do; nil without one.
	Reading *shellcmd.Reading
}

// Explain takes a call through the steps up to policy. It stores nothing and asks
// nobody: of hooks it says only that they would be asked.
func (r *Registry) Explain(ctx context.Context, s *Context, call tool.Call) Explanation {
	c := &run{s: s, dry: true, call: call, began: r.clock.Now(), rules: s.Rules(), scopes: slices.Clone(s.Scopes)}
	out := Explanation{ID: call.ID, Tool: clip(call.Name)}
	for i := range pipeline[:StepPolicy] {
		err := r.take(ctx, c, i)
		if c.entry != nil {
			out.Tool = c.entry.spec.ID
		}
		if err != nil && c.policy.Decision.Verdict == "" {
			code := codeOf(err)
			out.Status, out.ReasonCode = r.Reason(code).Status, code
			return out
		}
	}
	decision := c.policy.Decision
	out.Decision, out.Target, out.Dynamic, out.Reading = &decision, c.target, c.policy.Dynamic, c.reading
	return out
}

// deskFor returns the desk where c may be asked for, nil where nobody can be asked.
func (r *Registry) deskFor(c *run) *approval.Desk {
	if !c.s.Asks {
		return nil
	}
	return r.desk
}
