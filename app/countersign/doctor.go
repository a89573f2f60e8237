package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend/config"
	"countersign/backend/mcp"
	"countersign/frontend"
)

// finding is what doctor found about one thing, and what to do about it.
type finding struct {
	Name string `json:"name"`
	// State is ok, note or problem. Only a problem keeps the program from working.
	State string `json:"state"`
	Text  string `json:"text"`
	Do    string `json:"do"`
}

const (
	stateOK      = "ok"
	stateNote    = "note"
	stateProblem = "problem"
)

func (p *program) doctorCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor", Short: "Say what is there, what is missing, and what to do", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			found := p.examine(c.Context())
			if err := printFindings(p.stdout, found, asJSON); err != nil {
				return err
			}
			for _, f := range found {
				if f.State == stateProblem {
					return quiet(exitUsage)
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printFindings(w io.Writer, found []finding, asJSON bool) error {
	if asJSON {
		return printJSON(w, map[string]any{"checks": found})
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range found {
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.State, f.Name, desk.Visible(f.Text))
		if f.Do != "" {
			fmt.Fprintf(t, "\t\t%s\n", desk.Visible(f.Do))
		}
	}
	return t.Flush()
}

// examine looks at everything. It makes no home: looking must not change what it sees.
func (p *program) examine(ctx context.Context) []finding {
	out := []finding{{Name: "version", State: stateOK, Text: desk.Version()}}
	paths, err := config.Locate(p.places.home)
	if err != nil {
		return append(out, finding{"home", stateProblem, desk.Sentence(err), "Set HOME, or give --home."})
	}
	out = append(out, p.examineWorkspace(), examineSearch(), examineCommands(), examineAssemblies())
	switch _, err := os.Stat(paths.Home); {
	case errors.Is(err, fs.ErrNotExist):
		return append(out, examineNoHome(paths.Home), examineWindow(), examinePage())
	case err != nil || !desk.UsableHome(paths.Home):
		return append(out, finding{"home", stateProblem, paths.Home + " is not a folder that can be opened.", "Move it away, or give another with --home."}, examineWindow(), examinePage())
	}
	out = append(out, finding{"home", stateOK, paths.Home, ""}, examineSettings(paths))
	out = append(out, examineHooks(paths)...)
	out = append(out, p.examineStore(ctx), examineDesk(ctx, paths), examineWindow(), examinePage())
	return out
}

// examineNoHome says whether a home that is not there could be made. Only making a folder
// shows that: permissions do not tell of a disk that is full or for reading only.
func examineNoHome(home string) finding {
	dir := filepath.Dir(home)
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dir = filepath.Dir(dir)
	}
	probe, err := os.MkdirTemp(dir, ".countersign-doctor-")
	if err == nil {
		err = os.Remove(probe)
	}
	if err != nil {
		return finding{"home", stateProblem, home + " is not there and cannot be made: no folder can be made in " + dir + ".",
			"Change who may write there, free space on that disk, or give another home with --home."}
	}
	return finding{"home", stateNote, home + " is not there yet.", "It is made when a command first needs it."}
}

func (p *program) examineWorkspace() finding {
	dir, err := p.places.directory()
	if err != nil {
		return finding{"workspace", stateProblem, desk.Sentence(err), "Give a folder with --workspace."}
	}
	if f, err := os.Open(dir); err != nil {
		return finding{"workspace", stateProblem, dir + " may not be read.", "Change its permissions, or give another folder with --workspace."}
	} else {
		_ = f.Close()
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		return finding{"workspace", stateOK, dir + " (the trust question is asked for this folder)", ""}
	}
	return finding{"workspace", stateOK, dir, ""}
}

func examineSettings(paths config.Paths) finding {
	f, err := config.Load(paths)
	if err != nil {
		return finding{"settings", stateProblem, desk.Sentence(err), "Mend " + paths.File() + ", or move it away to start from the defaults."}
	}
	if unknown := f.Unknown(); len(unknown) > 0 {
		return finding{"settings", stateNote, paths.File() + " has keys that are not known and do nothing: " + quoted(unknown),
			"Look at their spelling; keys of a later version may stay."}
	}
	unknown := slices.DeleteFunc(slices.Clone(f.Settings().Rules.Sets), func(name string) bool { return slices.Contains(builtinSets, name) })
	if len(unknown) > 0 {
		return finding{"settings", stateNote, paths.File() + " switches on tool sets that are not known: " + quoted(unknown),
			"Look at their spelling; the known ones are " + strings.Join(builtinSets, ", ") + "."}
	}
	if _, err := os.Stat(paths.File()); err != nil {
		return finding{"settings", stateOK, "the defaults; there is no config.json", ""}
	}
	return finding{"settings", stateOK, paths.File(), ""}
}

func quoted(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, strconv.Quote(name))
	}
	return strings.Join(out, ", ")
}

// examineStore opens the history as every other command does.
func (p *program) examineStore(ctx context.Context) finding {
	e, err := p.openEngine(ctx, "doctor", "")
	if err != nil {
		return finding{"history", stateProblem, desk.Sentence(err), "Until then no call can run."}
	}
	ok, words := storeHealth(e)
	if err := e.Close(ctx); err != nil || !ok {
		return finding{"history", stateProblem, words, "Until then no call can run."}
	}
	return finding{"history", stateOK, "can be read and written", ""}
}

func examineDesk(ctx context.Context, paths config.Paths) finding {
	conn, err := mcp.Dial(ctx, paths.Home)
	switch {
	case errors.Is(err, mcp.ErrNoDesk):
		return finding{"desk", stateNote, "none is running", "Start one with countersign, or with countersign serve. Without it, what would ask is denied."}
	case err != nil:
		return finding{"desk", stateProblem, "its socket cannot be reached", "Look at who owns the home folder, and start the desk again."}
	}
	_ = conn.Close()
	return finding{"desk", stateOK, "running", ""}
}

func examineWindow() finding {
	path, err := windowPath()
	if err == nil {
		_, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return finding{"window", stateNote, windowName + " does not lie beside this program", "The desk is then a page in a browser: countersign serve."}
	case !config.HasDisplay():
		return finding{"window", stateNote, "there is no screen to open it on", "The desk is then a page in a browser: countersign serve."}
	}
	return finding{"window", stateOK, path, ""}
}

func examinePage() finding {
	if _, err := fs.Stat(frontend.Assets(), "index.html"); err != nil {
		return finding{"page", stateProblem, "this program was built without its page", "Build it with make build."}
	}
	return finding{"page", stateOK, "built in", ""}
}
