package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend/config"
	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
	"countersign/tools"
)

func (p *program) toolsCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check DIR", Short: "Say whether a directory is a tool set that can be used, and what is wrong with it",
		Long: "Say whether a directory is a tool set that can be used, and what is wrong with it.\nNothing is run, and nothing is let in. It ends with 0 when the set can be used, else with 2.",
		Args: oneName("directory of a tool set"),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return refusal("That is no directory.")
			}
			found := toolset.Check(c.Context(), dir, tools.Reserved(), config.SearchPath())
			if err := p.printCheck(&found); err != nil {
				return err
			}
			if !found.Usable {
				return quiet(exitFailed)
			}
			return nil
		},
	}
}

func (p *program) printCheck(found *toolset.Checked) error {
	t := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, one := range found.Entry.Tools {
		catalogs := []string{}
		for _, c := range one.Catalogs {
			catalogs = append(catalogs, string(c))
		}
		fmt.Fprintf(t, "tool\t%s\t%s\tapproval %s\n", one.Name, strings.Join(catalogs, ","), one.Approval)
	}
	for _, one := range found.Programs {
		fmt.Fprintf(t, "program\t%s\n", strings.TrimPrefix(programText(one), "program "))
	}
	for _, n := range found.Notes {
		fmt.Fprintf(t, "problem\t%s\n", desk.Visible(n.Text))
	}
	if found.Usable {
		fmt.Fprintf(t, "The set %s can be used.\n", found.Entry.Directory)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	return nil
}

func (p *program) toolsNewCommand() *cobra.Command {
	var source string
	c := &cobra.Command{
		Use: "new NAME", Short: "Write a tool set that works, to begin with",
		Long: "Write a tool set that works, to begin with: a manifest with two tools, and the shell script that they run.\n" +
			"It is written into your home, or with --source project into the workspace. What is there is never written over.",
		Args: oneName("tool set to be made"),
		RunE: func(_ *cobra.Command, args []string) error { return p.newSet(args[0], source) },
	}
	c.Flags().StringVar(&source, "source", string(toolset.OriginHome), "home or project: where it is written")
	return c
}

func (p *program) newSet(name, source string) error {
	if !manifest.LegalDirectory(name) {
		return refusal(`The name of a tool set has 1 to 64 letters, digits, "_", "." and "-" and begins with a letter.`)
	}
	places := toolset.Places{}
	switch toolset.Origin(source) {
	case toolset.OriginProject:
		dir, err := p.places.directory()
		if err != nil {
			return err
		}
		places.Workspace = dir
	case toolset.OriginHome:
		paths, err := config.Locate(p.places.home)
		if err != nil {
			return refusal(desk.Sentence(err))
		}
		if err := paths.Prepare(); err != nil {
			return &exit{code: exitFailed, sentence: "The home folder cannot be made. Make room, or give another with --home.", cause: err}
		}
		places.Home = paths.Home
	default:
		return refusal("--source takes home or project.")
	}
	dir := filepath.Join(places.Trees()[0].Tools, name)
	err := toolset.WriteExample(dir)
	switch {
	case errors.Is(err, fs.ErrExist):
		return refusal("There is something of that name already, and it was left as it is. Take another name.")
	case err != nil:
		return &exit{code: exitFailed, sentence: "The tool set could not be written. Make the folder writable, or free space on its disk.", cause: err}
	}
	return p.print("Written: %s\nTry it:  countersign call %s_greet '{\"name\": \"World\"}' --preset full --trust-workspace%s\n",
		desk.Visible(dir), toolset.ExamplePrefix(name), told(p.places.home != "" || p.places.workspace != "", ", with the --home and --workspace that you gave"))
}
