package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend"
	"countersign/backend/shelf"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// oneSet are the flags of commands about one tool set.
type oneSet struct {
	source string
	trust  bool
}

func (o *oneSet) add(c *cobra.Command) {
	c.Flags().StringVar(&o.source, "source", "", "home or project: the set from there (default: the project before the home)")
	c.Flags().BoolVar(&o.trust, "trust-workspace", false, "trust the workspace for this run")
}

func (o *oneSet) ref(name string) (backend.SetRef, error) {
	switch o.source {
	case "", string(toolset.OriginHome), string(toolset.OriginProject):
	default:
		return backend.SetRef{}, refusal("--source takes home or project.")
	}
	return backend.SetRef{SetPlace: backend.SetPlace{Trust: o.trust}, Origin: toolset.Origin(o.source), Directory: name}, nil
}

func oneName(what string) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return refusal("Name one " + what + ".")
		}
		return nil
	}
}

func (p *program) toolsSwitchCommand(verb string, on bool) *cobra.Command {
	var o oneSet
	c := &cobra.Command{
		Use: verb + " NAME", Short: strings.ToUpper(verb[:1]) + verb[1:] + " a tool set in its manifest", Args: oneName("tool set"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.withSet(c, &o, args[0], func(ctx context.Context, e *desk.Engine, r backend.SetRef) error {
				set, err := e.EnableSet(ctx, r, on)
				if err != nil {
					return notSwitched(err)
				}
				return p.print("%sd: %s set %s in %s\n", strings.ToUpper(verb[:1])+verb[1:], string(set.Tree.Origin), set.Directory, desk.Visible(set.Path))
			})
		},
	}
	o.add(c)
	return c
}

func (p *program) toolsAcceptCommand() *cobra.Command {
	var o oneSet
	var fingerprint string
	c := &cobra.Command{
		Use: "accept NAME --fingerprint F", Short: "Accept the change of a tool set as tools show printed it", Args: oneName("tool set"),
		RunE: func(c *cobra.Command, args []string) error {
			if fingerprint == "" {
				return refusal("Give --fingerprint as countersign tools show printed it, so that nothing else is accepted.")
			}
			return p.withSet(c, &o, args[0], func(ctx context.Context, e *desk.Engine, r backend.SetRef) error {
				if err := e.AcceptSet(ctx, r, fingerprint); err != nil {
					return notSwitched(err)
				}
				return p.print("Accepted: %s\n", r.Directory)
			})
		},
	}
	o.add(c)
	c.Flags().StringVar(&fingerprint, "fingerprint", "", "what the set is made of now")
	return c
}

// withSet does something to one tool set that only a person may do.
func (p *program) withSet(c *cobra.Command, o *oneSet, name string, do func(context.Context, *desk.Engine, backend.SetRef) error) (err error) {
	if err := p.mayLoosen("countersign tools " + c.Name()); err != nil {
		return err
	}
	ref, err := o.ref(name)
	if err != nil {
		return err
	}
	e, err := p.openEngine(c.Context(), "tools", "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing(e.Close(c.Context()))) }()
	return do(c.Context(), e, ref)
}

func (p *program) print(format string, args ...any) error {
	if _, err := fmt.Fprintf(p.stdout, format, args...); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// notSwitched says why a set stays as it is.
func notSwitched(err error) error {
	refused, broken := errors.AsType[*manifest.Refusal](err)
	switch {
	case errors.Is(err, toolset.ErrNoSet):
		return refusal("There is no tool set of that name there. See countersign tools list. Built-in sets are switched on the desk, or by toolSets in config.json.")
	case errors.Is(err, toolset.ErrUntrusted):
		return refusal("That set is one of a workspace that you do not trust. Trust it on the desk, or say --trust-workspace.")
	case errors.Is(err, shelf.ErrMoved):
		return refusal("The set changed again since it was shown. Look at it anew with countersign tools show.")
	case broken:
		return &exit{code: exitFailed, sentence: "The file was left as it is. " + desk.Visible(refused.Text), cause: err}
	}
	return &exit{code: exitFailed, sentence: "The tool set was left as it is: its files cannot be read or written. The log in the home folder has the cause.", cause: err}
}

// printChanges prints what became of the sets of a name since they were let in.
func (p *program) printChanges(ctx context.Context, e *desk.Engine, found backend.ToolSets, name string, l *listing) error {
	for _, s := range found.Sets {
		origin := string(s.Tree.Origin)
		if !s.Changed || s.Directory != name || l.source != "" && l.source != origin {
			continue
		}
		change, err := e.SetChange(ctx, backend.SetRef{SetPlace: backend.SetPlace{Trust: l.trust}, Origin: s.Tree.Origin, Directory: name})
		if err != nil {
			return notSwitched(err)
		}
		if err := p.printChange(&change, origin, l.trust); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) printChange(c *shelf.Change, origin string, trust bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nChanged since %s:\n", c.Since.At.Format("2006-01-02 15:04 MST"))
	for line := range strings.Lines(c.Manifest.Unified) {
		b.WriteString(desk.Visible(strings.TrimSuffix(line, "\n")) + "\n")
	}
	for _, note := range c.Manifest.Notes {
		b.WriteString(desk.Visible(note) + "\n")
	}
	for _, one := range c.Programs {
		fmt.Fprintf(&b, "- %s\n+ %s\n", programText(one.Was), programText(one.Now))
	}
	fmt.Fprintf(&b, "To accept this: countersign tools accept %s --source %s --fingerprint %s%s\n", c.Set.Directory, origin, c.Fingerprint, told(trust, " --trust-workspace"))
	return p.print("%s", b.String())
}

func programText(one toolset.Program) string {
	switch {
	case one.Name == "":
		return "no program"
	case one.Path == "":
		return "program " + desk.Visible(one.Name) + ": not there"
	}
	return "program " + desk.Visible(one.Path) + " with the content " + one.SHA256
}
