package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"countersign/app/desk"
)

// places are where a command works.
type places struct{ home, workspace string }

func (p *places) add(c *cobra.Command) {
	c.PersistentFlags().StringVar(&p.home, "home", "", "where everything is kept (default: COUNTERSIGN_HOME, else ~/.countersign)")
	c.PersistentFlags().StringVar(&p.workspace, "workspace", "", "the folder to work in (default: the current one)")
}

func (p *places) desk() desk.Places { return desk.Places{Home: p.home, Workspace: p.workspace} }

// directory is the absolute path of the workspace.
func (p *places) directory() (string, error) {
	dir, err := p.desk().Directory()
	return dir, unstarted(err)
}

// openEngine opens the engine of the home for a command that is no desk. The caller
// closes it.
func (p *program) openEngine(ctx context.Context, name, clock string) (*desk.Engine, error) {
	e, err := desk.OpenEngine(ctx, p.places.desk(), desk.Opening{Name: name, Clock: clock, Notice: p.notice})
	return e, unstarted(err)
}

// notice tells the person something that cannot wait.
func (p *program) notice(words string) { _, _ = fmt.Fprintln(p.stderr, "countersign: "+words) }

// unstarted ends with the words of a Refusal; nil and any other error stay.
func unstarted(err error) error {
	if r, ok := errors.AsType[*desk.Refusal](err); ok {
		return &exit{code: exitUsage, sentence: r.Words, cause: r.Cause}
	}
	return err
}
