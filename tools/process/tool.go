package process

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"countersign/backend/running"
	"countersign/backend/tool"
)

// callLimit is how long a call may take: ending a tree takes the longest, and sending text
// to a program that reads slowly.
const callLimit = 30 * time.Second

var (
	//go:embed input.json
	inputSchema []byte
	//go:embed description.md
	description string
)

// Spec returns the tool process. It uses the host's files, output and processes.
func Spec() tool.Spec {
	return tool.Spec{
		ID:          "process",
		Version:     "1.0.0",
		Source:      tool.SourceBuiltin,
		Set:         "coding",
		Description: strings.TrimSpace(description),
		Input:       inputSchema,
		Class:       running.Class(callLimit, tool.TimeoutKill),
		Catalogs:    []tool.Catalog{tool.CatalogWork},
		Preview:     tool.PreviewCommand,
		Bounding:    running.Bounding(),
		Needs:       tool.NeedProcesses,
		Reasons:     running.Reasons(tool.CodeSpawn, tool.CodeNoProcess, tool.CodeEnded, tool.CodeNoInput, tool.CodeNotTaken),
		Effect:      effect,
		Target:      target,
		Draw:        draw,
		Run:         run,
	}
}

// The actions.
const (
	start = "start"
	list  = "list"
	read  = "read"
	write = "write"
	stop  = "stop"
)

type input struct {
	Action  string      `json:"action"`
	Command string      `json:"command"`
	ID      string      `json:"id"`
	Input   string      `json:"input"`
	Offset  json.Number `json:"offset"`
}

// decode reads the arguments. Line breaks of Windows in a command become those that the
// shell knows.
func decode(args tool.Args) (in input, err error) {
	err = args.Decode(&in)
	in.Command = strings.ReplaceAll(in.Command, "\r\n", "\n")
	return in, err
}

// effect is what the action does. What cannot be read counts as the most.
func effect(args tool.Args) tool.SideEffect {
	in, err := decode(args)
	if err == nil && (in.Action == list || in.Action == read || in.Action == stop) {
		return tool.EffectNone
	}
	return tool.EffectCodeExecution
}

// missing says that an action lacks a parameter, in the words of a schema.
func missing(name, action string) error {
	return tool.Errorf(tool.CodeArgumentsInvalid, "%s without %s", action, name).WithText(
		`Invalid input for tool "process": parameter "` + name + `" is required for action "` + action +
			`". Please rewrite the input so it satisfies the expected schema.`)
}

// target says what would be run, and refuses an action that lacks a parameter. Those that
// another action would take mean nothing.
func target(args tool.Args) (tool.TargetRequest, error) {
	in, err := decode(args)
	switch {
	case err != nil:
		return tool.TargetRequest{}, err
	case in.Action == start && strings.TrimSpace(in.Command) == "":
		return tool.TargetRequest{}, missing("command", in.Action)
	case in.Action == start:
		return tool.TargetRequest{Command: in.Command}, nil
	case in.Action != list && in.ID == "":
		return tool.TargetRequest{}, missing("id", in.Action)
	case in.Action == write && in.Input == "":
		return tool.TargetRequest{}, missing("input", in.Action)
	case in.Action == write:
		return tool.TargetRequest{Input: in.Input}, nil
	}
	return tool.TargetRequest{}, nil
}

func draw(_ context.Context, env tool.Env, args tool.Args) (tool.Preview, error) {
	in, err := decode(args)
	if err != nil {
		return tool.Preview{}, err
	}
	if err := present(env); err != nil {
		return tool.Preview{}, err
	}
	switch in.Action {
	case start:
		return tool.Preview{Verb: "Run a command in the background", About: []tool.About{
			{Label: "Runs in", Text: tool.Mark(tool.ShowPath(env.Host.Files.Root()))},
			{Label: "Runs until", Text: tool.Mark("it ends by itself, is stopped, or the session ends.")},
		}}, nil
	case write:
		p, err := in.writable(env)
		if err != nil {
			return tool.Preview{}, err
		}
		return tool.Preview{Verb: "Send input to " + p.ID, About: about(p)}, nil
	case list:
		return tool.Preview{Verb: "List the processes of this session"}, nil
	}
	p, err := in.find(env)
	switch {
	case err != nil:
		return tool.Preview{}, err
	case in.Action == stop:
		return tool.Preview{Verb: "Stop " + p.ID, About: about(p)}, nil
	}
	return tool.Preview{Verb: "Read what " + p.ID + " printed", About: about(p)}, nil
}

// about are the facts of a process that an action is about.
func about(p tool.Process) []tool.About {
	return []tool.About{{Label: "Process", Text: tool.Mark(p.Command)}, {Label: "Runs in", Text: tool.Mark(tool.ShowPath(p.Dir))}}
}

func present(env tool.Env) error {
	if env.Host.Files == nil || env.Host.Processes == nil || env.Host.Clock == nil {
		return running.Unavailable(env.Host)
	}
	return nil
}

func run(ctx context.Context, env tool.Env, args tool.Args) (res tool.Result, err error) {
	in, err := decode(args)
	if err != nil {
		return tool.Result{}, err
	}
	if err := present(env); err != nil {
		return tool.Result{}, err
	}
	switch in.Action {
	case start:
		res, err = in.start(ctx, env)
		res.Trust = env.CommandTrust()
		return res, err
	case list:
		return in.list(env), nil
	case read:
		res, err = in.read(ctx, env)
	case write:
		res, err = in.write(ctx, env)
	case stop:
		return in.stop(ctx, env)
	default:
		err = tool.Errorf(tool.CodeArgumentsInvalid, "an unknown action")
	}
	// Nobody knows where the text of a program comes from.
	res.Trust = tool.TrustExternalUntrusted
	return res, err
}

// find returns a process of the session, or says which there are.
func (in input) find(env tool.Env) (tool.Process, error) {
	all := env.Host.Processes.List()
	var active []string
	for _, p := range all {
		if p.ID == in.ID {
			return p, nil
		}
		if !p.Status.Ended() {
			active = append(active, p.ID+" ("+running.Name(p.Command)+", "+string(p.Status)+")")
		}
	}
	text := `No process "` + running.Name(in.ID) + `". `
	if len(active) == 0 {
		text += "None is active. "
	} else {
		text += "Active: " + strings.Join(active[:min(len(active), activeNamed)], ", ") + ". "
	}
	return tool.Process{}, tool.Errorf(tool.CodeNoProcess, "no such process").
		WithText(text + `Use {"action":"list"} to see all.`)
}

// activeNamed is how many processes are named to a caller that knows none of them.
const activeNamed = 20

// result is a result about a process.
func (in input) result(text, title string, p tool.Process) tool.Result {
	extra := map[string]any{
		"action": in.Action, "status": string(p.Status), "cwd": tool.ShowPath(p.Dir),
	}
	if p.LogPath != "" {
		extra["log"] = p.LogPath
	}
	return tool.Result{
		Content:  []tool.Part{tool.TextPart(text)},
		Metadata: tool.Metadata{Title: title, ProcessID: p.ID, ExitCode: p.Ending.Code, Extra: extra},
	}
}

// logWords say where all of the output is.
func logWords(p tool.Process) string {
	if p.LogPath == "" {
		return ""
	}
	return " Full log: " + p.LogPath
}
