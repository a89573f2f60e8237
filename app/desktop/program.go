package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend/config"
	"countersign/backend/mcp"
	"countersign/backend/store"
)

// program is one run of the window with its streams and flags.
type program struct {
	stdout, stderr io.Writer
	interrupts     *interrupts
	places         desk.Places
	model          string
	// patience is how long a start tries to get the desk's place; 0 is takeTime.
	patience time.Duration
}

// run runs a command line and returns its exit code: 0 for an orderly end, 1 when the
// window could not open.
func (p *program) run(ctx context.Context, args []string) int {
	c := p.command()
	c.SetArgs(args)
	err := c.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, errSaid) {
		fmt.Fprintln(p.stderr, err)
	}
	if err != nil {
		return 1
	}
	return 0
}

func (p *program) command() *cobra.Command {
	var showVersion bool
	c := &cobra.Command{
		Use:   "countersign-desktop",
		Short: "The approval desk in a window",
		Long: "Open the desk of this home in a window. A second start brings it to the front.\n" +
			"Agents that start countersign mcp join it, and their calls are decided there.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &desk.Refusal{Words: "The window takes no words but flags. See countersign-desktop --help."}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if showVersion {
				_, err := fmt.Fprintln(p.stdout, "countersign-desktop", desk.Version())
				return err
			}
			return p.open(c.Context())
		},
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	c.SetOut(p.stdout)
	c.SetErr(p.stderr)
	f := c.Flags()
	f.StringVar(&p.places.Home, "home", "", "where everything is kept (default: COUNTERSIGN_HOME, else ~/.countersign)")
	f.StringVar(&p.places.Workspace, "workspace", "", "the folder to work in (default: the current one)")
	f.StringVar(&p.model, "model", "", "the built-in agent's model: scripted:FILE plays a task file")
	f.BoolVar(&showVersion, "version", false, "print the version")
	return c
}

// errNoDisplay says that there is nowhere to open a window.
var errNoDisplay = &desk.Refusal{Words: "There is no screen to open a window on. Start the desk for a browser with: countersign serve"}

// errSaid ends a program that has said already why.
var errSaid = errors.New("said")

func (p *program) open(ctx context.Context) error {
	if !config.HasDisplay() {
		return errNoDisplay
	}
	d, words, hasDisplay, err := p.takeAndOpenDisplay(ctx)
	if err == nil && d == nil {
		if words != "" {
			fmt.Fprintln(p.stdout, words)
		}
		return nil
	}
	switch {
	case err != nil && hasDisplay:
		return p.explain(ctx, err)
	case err != nil:
		fmt.Fprintln(p.stderr, desk.Sentence(err))
		return errSaid
	case !hasDisplay:
		return errors.Join(errNoDisplay, end(d))
	}
	return p.show(ctx, d)
}

// takeAndOpenDisplay becomes the desk of the home while the libraries of the window begin,
// each of which takes about as long. From then on the thread of its caller is GTK's.
func (p *program) takeAndOpenDisplay(ctx context.Context) (d *desk.Desk, words string, hasDisplay bool, err error) {
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		d, words, err = p.take(ctx)
	}()
	runtime.LockOSThread()
	hasDisplay = openDisplay()
	<-taken
	return d, words, hasDisplay, err
}

// A start that meets another one at the desk's place tries again for a moment: a desk
// that begins does not answer yet, and one that ends gives the place up.
const (
	takeTime = 3 * time.Second
	takePace = 50 * time.Millisecond
)

// take becomes the desk of the home. Where one runs already, that one comes to the front:
// then there is no desk here, and words say where it is if it is no window.
func (p *program) take(ctx context.Context) (d *desk.Desk, words string, err error) {
	paths, err := config.Locate(p.places.Home)
	if err != nil {
		return nil, "", &desk.Refusal{Words: desk.Sentence(err), Cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(p.patience, takeTime))
	defer cancel()
	for {
		if words, err := mcp.Front(ctx, paths.Home); err == nil {
			return nil, words, nil
		}
		d, err = desk.Open(context.WithoutCancel(ctx), p.places, desk.Opening{Name: "desktop", Model: p.model})
		if !errors.Is(err, store.ErrDeskTaken) {
			return d, "", err
		}
		select {
		case <-ctx.Done():
			return nil, "", err
		case <-time.After(takePace):
		}
	}
}
