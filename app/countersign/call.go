package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend"
	"countersign/backend/schema"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// callFlags are the flags of call and explain.
type callFlags struct {
	deciding deciding
	stdin    bool
	textOnly bool
	allow    []string
}

func (p *program) callCommand() *cobra.Command {
	var f callFlags
	c := &cobra.Command{
		Use:   "call TOOL [JSON | -]",
		Short: "Take one call through the whole pipeline and print its outcome",
		Long: "Take one call through the whole pipeline and print its outcome as one line of JSON.\n" +
			"Without JSON the arguments are {}; - reads them from standard input.\n" +
			"With --stdin each line {\"id\":…,\"tool\":…,\"arguments\":{…}} is a call, and each gives one line.\n" +
			"Nobody is asked: what would ask is denied.",
		Args: func(_ *cobra.Command, args []string) error { return f.check(args, 1) },
		RunE: func(c *cobra.Command, args []string) error { return p.each(c, &f, args, "call", p.runCall) },
	}
	f.deciding.add(c)
	c.Flags().BoolVar(&f.stdin, "stdin", false, "read calls from standard input, one JSON object a line")
	c.Flags().BoolVar(&f.textOnly, "text-only", false, "as for a model that takes no images: a tool that answers with one fails")
	return c
}

func (p *program) explainCommand() *cobra.Command {
	var f callFlags
	c := &cobra.Command{
		Use:   "explain TOOL JSON",
		Short: "Print what would be decided about a call, and why, without running it",
		Args:  func(_ *cobra.Command, args []string) error { return f.check(args, 2) },
		RunE:  func(c *cobra.Command, args []string) error { return p.each(c, &f, args, "explain", p.runExplain) },
	}
	f.deciding.add(c)
	c.Flags().BoolVar(&f.stdin, "stdin", false, "read calls from standard input, one JSON object a line")
	c.Flags().StringArrayVar(&f.allow, "allow", nil, "a grant for this run only, in its printed form (repeatable)")
	return c
}

// check counts the arguments: none with --stdin, else a tool and up to one JSON text.
func (f *callFlags) check(args []string, least int) error {
	switch {
	case f.stdin && len(args) > 0:
		return refusal("With --stdin the calls come from standard input: give no tool.")
	case !f.stdin && (len(args) < least || len(args) > 2):
		if least == 2 {
			return refusal("Give a tool and its arguments as JSON, or --stdin.")
		}
		return refusal("Give a tool and, if it takes any, its arguments as JSON, or --stdin.")
	}
	return nil
}

// caller is one session of an engine, as call and explain use it.
type caller struct {
	engine  *desk.Engine
	session *backend.Session
}

// each opens one session, hands it every call of the command line or of standard input, in
// order, and ends with the worst code.
func (p *program) each(c *cobra.Command, f *callFlags, args []string, name string, do func(context.Context, *caller, envelope) (int, error)) (err error) {
	ctx := c.Context()
	if err := f.deciding.read(c, p.hasSet); err != nil {
		return err
	}
	if err := p.checkLoosening(c); err != nil {
		return err
	}
	if slices.ContainsFunc(f.allow, func(rule string) bool { return strings.TrimSpace(rule) == "" }) {
		return refusal("--allow takes a grant in its printed form, for example 'git log *'.")
	}
	e, err := p.openEngine(ctx, name, f.deciding.clock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing(e.Close(ctx))) }()
	rules := f.deciding.rules(e.Rules())
	s, err := e.OpenSession(ctx, backend.SessionRequest{
		Workspace: e.Workspace(), Caller: session.Caller{Kind: session.CallerCommandLine, Name: tool.Mark("countersign " + name), Version: tool.Mark(desk.Version())},
		Rules: &rules, TrustWorkspace: f.deciding.trust, Allow: f.allow, Images: !f.textOnly,
		// What is only explained is no part of the history.
		Unstored: name == "explain",
	})
	if err != nil {
		return refusal(desk.Sentence(err))
	}
	defer s.Close()
	code, err := p.feed(ctx, f, args, func(v envelope) (int, error) { return do(ctx, &caller{e, s}, v) })
	if err != nil {
		return err
	}
	if ok, words := storeHealth(e); !ok {
		return &exit{code: code, sentence: words}
	}
	return quiet(code)
}

func storeHealth(e *desk.Engine) (ok bool, words string) {
	h := e.Store().Health()
	return h.OK, h.Words
}

// closing is what an end that was not orderly means for the exit code: what was printed
// stands, but the story may not be whole.
func closing(err error) error {
	if err == nil {
		return nil
	}
	return &exit{code: exitFailed, sentence: "Countersign could not end in order. The log in the home folder has the cause."}
}

// feed reads the calls and returns the worst code.
func (p *program) feed(ctx context.Context, f *callFlags, args []string, do func(envelope) (int, error)) (int, error) {
	if !f.stdin {
		v, err := p.single(ctx, args)
		if err != nil {
			return 0, err
		}
		return do(v)
	}
	code := exitOK
	err := eachLine(ctx, p.stdin, func(l line) error {
		got, err := do(readEnvelope(l))
		code = worst(code, got)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return exitCancelled, nil
	case err != nil:
		return 0, &exit{code: exitFailed, sentence: desk.Sentence(err)}
	}
	return code, nil
}

// single is the call of the command line. A wait for standard input that is cut short
// leaves a call without arguments, which then ends as cancelled.
func (p *program) single(ctx context.Context, args []string) (envelope, error) {
	v := envelope{id: json.RawMessage(`"1"`), tool: args[0], arguments: []byte("{}")}
	if len(args) < 2 {
		return v, nil
	}
	v.arguments = []byte(args[1])
	if args[1] == "-" {
		text, err := readAll(ctx, p.stdin)
		switch {
		case ctx.Err() != nil:
			text = nil
		case err != nil:
			return v, refusal("Standard input could not be read.")
		}
		v.arguments = text
	}
	if len(v.arguments) > schema.MaxBytes {
		v.wrong = "The arguments are larger than 16 MiB."
	}
	return v, nil
}

func (p *program) runCall(ctx context.Context, c *caller, v envelope) (int, error) {
	o := refusedLine(v, c.engine.Reasons())
	if v.wrong == "" {
		o = c.session.Call(ctx, v.call(), nil)
	}
	return exitOf(o.Status), printJSON(p.stdout, outcomeOf(v.id, o))
}

func (p *program) runExplain(ctx context.Context, c *caller, v envelope) (int, error) {
	if v.wrong != "" {
		r := c.engine.Reasons()[tool.CodeArgumentsInvalid]
		return exitOf(r.Status), printJSON(p.stdout, explainLine{ID: v.id, Tool: v.tool, Status: r.Status, ReasonCode: r.Code})
	}
	e := c.session.Explain(ctx, v.call())
	code := exitOK
	if e.Decision == nil {
		code = exitOf(e.Status)
	}
	return code, printJSON(p.stdout, explanationOf(v.id, e))
}
