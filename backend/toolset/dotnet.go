package toolset

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"countersign/backend/tool"
)

// Dotnet runs assemblies: a runtime of this machine, and the host program that it runs, which
// loads one assembly. Each listing and each call is a process of its own, so that one that hangs
// can be ended and none sees what another left behind.
type Dotnet struct {
	// Runtime and Host are absolute paths.
	Runtime, Host string
	// ListLimit is how long an assembly may take to say which tools it has.
	ListLimit time.Duration
	// MaxAnswer bounds what is read of one answer, in bytes.
	MaxAnswer int
}

// The limits where nobody says otherwise. Constructors have no business taking long, and an image
// of the largest size as base64 has room in an answer, with what stands beside it.
const (
	listLimit = 20 * time.Second
	maxAnswer = 32 << 20
)

// dotnetFolder is the directory of the host program, beside our own.
const dotnetFolder = "dotnet-host"

// Why assemblies cannot be run.
var (
	// ErrNoHost says that the host program does not lie beside our own.
	ErrNoHost = errors.New("this program was built without the host that loads assemblies")
	// ErrNoRuntime says that there is no runtime for it.
	ErrNoRuntime = errors.New("no runtime for assemblies is installed")
)

// FindDotnet looks for the host program beside the program self, and for the runtime that it was
// built for on the search path. A current .NET is taken before Mono. Its error is ErrNoHost or
// ErrNoRuntime.
func FindDotnet(self, searchPath string) (*Dotnet, error) {
	err := ErrNoHost
	for _, one := range []struct{ runtime, host string }{
		{"dotnet", filepath.Join("net", "countersign-dotnet-host.dll")},
		{"mono", filepath.Join("mono", "countersign-dotnet-host.exe")},
	} {
		host := filepath.Join(filepath.Dir(self), dotnetFolder, one.host)
		if self == "" || !isFile(host) {
			continue
		}
		err = ErrNoRuntime
		if path, missing := onPath(one.runtime, searchPath); missing == nil {
			return &Dotnet{path, host, listLimit, maxAnswer}, nil
		}
	}
	return nil, err
}

// DotnetRemedy is what a person can do about an error of FindDotnet.
func DotnetRemedy(err error) string {
	if errors.Is(err, ErrNoHost) {
		return "Install mono-mcs or the .NET SDK, and build this program again."
	}
	return "Install mono-runtime or .NET, and start this program again."
}

// question is a line that the host program reads.
type question struct {
	Do    string   `json:"do"`
	Types []string `json:"types"`
	// What follows is of calls alone.
	Type      string `json:"type"`
	Name      string `json:"name"`
	CallID    string `json:"callId"`
	Arguments string `json:"arguments"`
	Images    bool   `json:"images"`
	// The facts that a tool can ask its host for.
	Workspace   string `json:"workspace"`
	Session     string `json:"session"`
	Approval    string `json:"approval"`
	GlobalData  string `json:"globalData"`
	ProjectData string `json:"projectData"`
}

// reply is a line that it prints.
type reply struct {
	Tools []struct {
		Type, Name, Description, Schema string
		Text, Images                    bool
	}
	Omitted []struct{ Type, Reason string }
	// Status, Text and Images are the result of a call.
	Status, Text string
	Images       []any
	Error        *struct{ Kind, Detail string }
}

// The kinds of error that the host program tells apart beyond a tool that cannot be made.
const (
	kindAssembly   = "assembly"
	kindDependency = "dependency"
	kindType       = "type"
	kindTool       = "tool"
	kindException  = "exception"
	kindAnswer     = "answer"
)

// line is the question as the host program reads it.
func (q question) line() []byte {
	if q.Types == nil {
		q.Types = []string{}
	}
	// Texts, lists of them and truth values can always be written.
	line, _ := json.Marshal(q)
	return append(line, '\n')
}

// replyOf reads the one line that a host program printed; nil where it printed none.
func replyOf(out *tool.Printed) *reply {
	line, _, whole := bytes.Cut(out.Start, []byte{'\n'})
	var r reply
	if !whole || json.Unmarshal(line, &r) != nil {
		return nil
	}
	return &r
}

// request is a run of the host program for an assembly.
func (d *Dotnet) request(assembly string, q question) tool.ProgramRequest {
	return tool.ProgramRequest{
		Argv: []string{d.Runtime, d.Host, assembly}, Without: prefix, Input: q.line(), Capture: d.MaxAnswer,
	}
}

// assembly is the file of a dotnet set. Links are followed, and must not leave the directory.
func (e Entry) assembly() (string, error) {
	file, err := inside(e.Path, e.Set.Assembly)
	if err == nil && !isFile(file) {
		err = ErrNotFound
	}
	return file, err
}
