package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend"
	"countersign/backend/toolset"
)

// format says how data is printed.
type format struct {
	asJSON bool
	name   string
}

func (f *format) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&f.name, "format", "", "table, text or json (default: a table, or all there is to say of one tool)")
}

// read settles the format: --json is short for --format json.
func (f *format) read() error {
	switch {
	case f.asJSON && f.name != "" && f.name != "json":
		return refusal("--json and another --format exclude each other.")
	case f.asJSON:
		f.name = "json"
	case f.name != "" && f.name != "table" && f.name != "text" && f.name != "json":
		return refusal("--format takes table, text or json.")
	}
	return nil
}

func (p *program) toolsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "tools", Short: "List, switch, check and make tool sets", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return refusal("Say list, show, enable, disable, accept, check or new. See countersign tools --help.")
		},
	}
	c.AddCommand(
		p.toolsListCommand(), p.toolsShowCommand(), p.toolsSwitchCommand("enable", true), p.toolsSwitchCommand("disable", false),
		p.toolsAcceptCommand(), p.toolsCheckCommand(), p.toolsNewCommand(),
	)
	return c
}

// listing are the flags of tools list and tools show.
type listing struct {
	format format
	source string
	trust  bool
}

func (l *listing) add(c *cobra.Command) {
	l.format.add(c)
	c.Flags().StringVar(&l.source, "source", "", "home or project: only sets from there")
	c.Flags().BoolVar(&l.trust, "trust-workspace", false, "trust the workspace for this run")
}

func (l *listing) read() error {
	if l.source != "" && l.source != "home" && l.source != "project" {
		return refusal("--source takes home or project.")
	}
	return l.format.read()
}

func (p *program) toolsListCommand() *cobra.Command {
	var l listing
	c := &cobra.Command{
		Use: "list", Short: "List the tool sets with their tools", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return p.printTools(c, &l, "") },
	}
	l.add(c)
	return c
}

func (p *program) toolsShowCommand() *cobra.Command {
	var l listing
	c := &cobra.Command{
		Use: "show NAME", Short: "Show one tool set, or one tool by its id or wire name",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return refusal("Name one tool set or one tool.")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return p.printTools(c, &l, args[0]) },
	}
	l.add(c)
	return c
}

func (p *program) printTools(c *cobra.Command, l *listing, name string) (err error) {
	if err := l.read(); err != nil {
		return err
	}
	if err := p.checkLoosening(c); err != nil {
		return err
	}
	e, err := p.openEngine(c.Context(), "tools", "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing(e.Close(c.Context()))) }()
	found, err := e.ToolSets(c.Context(), backend.SetPlace{Trust: l.trust}, true)
	if err != nil {
		return unlooked(err)
	}
	specs := specsOf(e.Specs(), found)
	catalog := catalogOf(e).withSets(found, e.Rules()).from(l.source)
	if name != "" {
		var found bool
		if catalog, found = catalog.only(name); !found {
			return refusal("There is no tool set and no tool of that name. See countersign tools list.")
		}
	}
	switch l.format.name {
	case "json":
		return printJSON(p.stdout, catalog)
	case "text":
		return printToolText(p.stdout, catalog)
	case "":
		if spec, s := catalog.single(name, specs); spec != nil {
			return describe(p.stdout, spec, s, catalog.Notes)
		}
	}
	if err := printToolTable(p.stdout, catalog); err != nil || name == "" || l.format.name != "" {
		return err
	}
	return p.printChanges(c.Context(), e, found, name, l)
}

// unlooked says that the tool sets could not be looked at.
func unlooked(err error) error {
	return &exit{code: exitFailed, sentence: "The tool sets could not be looked at. The log in the home folder has the cause.", cause: err}
}

// toolRows are the fields of each tool, as the table and the text print them.
func toolRows(c catalogLine) [][]string {
	rows := [][]string{{"SET", "ORIGIN", "STATUS", "TOOL", "WIRE", "CATALOGS", "APPROVAL", "EFFECT", "RISK"}}
	for _, s := range c.Sets {
		if len(s.Tools) == 0 {
			rows = append(rows, []string{desk.Visible(s.Directory), originText(s), s.Status, "-", "-", "-", "-", "-", "-"})
		}
		for _, t := range s.Tools {
			catalogs := []string{}
			for _, c := range t.Catalogs {
				catalogs = append(catalogs, string(c))
			}
			rows = append(rows, []string{
				desk.Visible(s.Directory), originText(s), s.Status, desk.Visible(t.ID), desk.Visible(t.Wire), strings.Join(catalogs, ","),
				approvalText(s.Origin, t.Approval), string(t.Class.SideEffect), string(t.Class.Risk),
			})
		}
	}
	return rows
}

// originText is where a set comes from, with the tree where that is not our own.
func originText(s setLine) string {
	if s.Tree == toolset.FolderCrystal {
		return s.Origin + " " + s.Tree
	}
	return s.Origin
}

// approvalText is what an author declared and what takes effect. A built-in tool has no
// author but us: the preset decides.
func approvalText(origin string, a approvalLine) string {
	if origin == originBuiltin {
		return "-"
	}
	return a.Declared + "/" + a.Effective
}

// printToolTable prints a table with a line under its head.
func printToolTable(w io.Writer, c catalogLine) error {
	rows := toolRows(c)
	rule := make([]string, len(rows[0]))
	for i, head := range rows[0] {
		rule[i] = strings.Repeat("-", len(head))
	}
	rows = append(rows[:1], append([][]string{rule}, rows[1:]...)...)
	return printRows(w, rows, c.Notes)
}

// printToolText prints the same fields, aligned, without a head: one tool a line.
func printToolText(w io.Writer, c catalogLine) error { return printRows(w, toolRows(c)[1:], c.Notes) }

func printRows(w io.Writer, rows [][]string, notes []noteLine) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	for _, n := range notes {
		fmt.Fprintf(t, "note\t%s\t%s\t%s\n", desk.Visible(n.Set), desk.Visible(n.Field), desk.Visible(n.Text))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}
