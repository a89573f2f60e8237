package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"countersign/app/desk"
)

// program is one run of the command line with its streams.
type program struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	// inside reports whether a command of ours started this program; nil means that none did.
	inside func() bool
	// places are the flags that every command takes.
	places places
}

// run runs a command line and returns its exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	code, sentence := endOf(root.ExecuteContext(ctx))
	if sentence != "" {
		fmt.Fprintln(p.stderr, sentence)
	}
	return code
}

func (p *program) root() *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "countersign",
		Short: "The approval desk for the tools of AI agents",
		Long: "The approval desk for the tools of AI agents. Without a command it opens the window;\n" +
			"a second start brings that one to the front.",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if showVersion {
				return p.printVersion(false)
			}
			return p.window()
		},
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	p.places.add(root)
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	root.AddCommand(
		p.serveCommand(), p.mcpCommand(), p.callCommand(), p.explainCommand(), p.toolsCommand(), p.sessionsCommand(),
		p.doctorCommand(), p.versionCommand(),
	)
	return root
}

// noArguments refuses words that a command does not take, without repeating them.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return refusal(fmt.Sprintf("There is no such command. See %s --help.", c.CommandPath()))
	}
	return nil
}

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return p.printVersion(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *program) printVersion(asJSON bool) error {
	if asJSON {
		return printJSON(p.stdout, map[string]string{"version": desk.Version()})
	}
	_, err := fmt.Fprintln(p.stdout, "countersign", desk.Version())
	return err
}
