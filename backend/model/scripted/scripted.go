// Package scripted is a provider whose model is a file: a task written down as steps,
// each with what to say, which tools to call and where to go on by how the calls ended.
// It goes through the same loop as any other provider and keeps no state: where a
// conversation stands is read from its messages.
package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"countersign/backend/model"
	"countersign/backend/schema"
)

// Task is the content of a task file.
type Task struct {
	// Title says what the task is about.
	Title string `json:"title"`
	// Images says that the model that the task stands for can be given images.
	Images bool   `json:"images"`
	Steps  []Step `json:"steps"`
}

// Step is one reply.
type Step struct {
	ID    string `json:"id"`
	Say   string `json:"say"`
	Calls []Call `json:"calls"`
	// Next names the step that follows, by the worst status among the calls; "default"
	// serves every status that is not named. Without a match the task is done.
	Next map[string]string `json:"next"`
}

// Call is one tool call of a step.
type Call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

const (
	maxFile   = 1 << 20
	anyStatus = "default"
)

// worst orders statuses: of several calls the first one listed decides where to go on.
var worst = [...]string{"cancelled", "uncertain", "denied", "unavailable", "failed", "succeeded"}

// Provider plays a task.
type Provider struct {
	task  Task
	steps map[string]int
	name  string
}

// Load reads a task file. It refuses a step that is named twice, leads nowhere or
// calls nothing by name.
func Load(path string) (*Provider, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the task file: %w", err)
	}
	p, err := Parse(b)
	if err != nil {
		return nil, err
	}
	p.name = "scripted: " + strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return p, nil
}

// Parse reads a task.
func Parse(b []byte) (*Provider, error) {
	if len(b) > maxFile {
		return nil, errors.New("the task file is larger than 1 MiB")
	}
	if _, err := schema.ReadObject(b); err != nil {
		return nil, fmt.Errorf("task file: %w", err)
	}
	p := &Provider{steps: map[string]int{}, name: "scripted"}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&p.task); err != nil {
		return nil, fmt.Errorf("task file: %w", err)
	}
	if len(p.task.Steps) == 0 {
		return nil, errors.New("the task file has no steps")
	}
	for i, s := range p.task.Steps {
		if _, twice := p.steps[s.ID]; twice || s.ID == "" {
			return nil, fmt.Errorf("task file: step %d has no id of its own", i+1)
		}
		p.steps[s.ID] = i
	}
	return p, p.check()
}

func (p *Provider) check() error {
	for _, s := range p.task.Steps {
		for status, next := range s.Next {
			if _, ok := p.steps[next]; !ok {
				return fmt.Errorf("task file: step %q goes on to a step that is not there", s.ID)
			}
			if status != anyStatus && !known(status) {
				return fmt.Errorf("task file: step %q goes on by a status that is not one", s.ID)
			}
		}
		for _, c := range s.Calls {
			if c.Tool == "" {
				return fmt.Errorf("task file: step %q calls a tool without a name", s.ID)
			}
		}
	}
	return nil
}

func known(status string) bool {
	for _, w := range worst {
		if w == status {
			return true
		}
	}
	return false
}

// Name returns the name of the task file.
func (p *Provider) Name() string { return p.name }

// Title returns what the task is about.
func (p *Provider) Title() string { return p.task.Title }

// TakesImages reports whether the model that the task stands for can be given images.
func (p *Provider) TakesImages() bool { return p.task.Images }

// Reply returns the step that follows from the conversation.
func (p *Provider) Reply(ctx context.Context, r model.Request) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	at, n := p.where(r.Messages)
	if at < 0 {
		return model.Reply{Text: "This task is done."}, nil
	}
	step := p.task.Steps[at]
	reply := model.Reply{Text: step.Say}
	for i, c := range step.Calls {
		arguments := c.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		id := step.ID + "-" + strconv.Itoa(n) + "-" + strconv.Itoa(i+1)
		reply.Calls = append(reply.Calls, model.Call{ID: id, Name: c.Tool, Arguments: arguments})
	}
	return reply, nil
}

// where walks the conversation since the last user message and returns the next step, -1
// when the task is done, and how many replies the conversation has had.
func (p *Provider) where(messages []model.Message) (step, replies int) {
	start := 0
	for i, m := range messages {
		if m.Role == model.RoleUser {
			start = i + 1
		}
		if m.Role == model.RoleAssistant {
			replies++
		}
	}
	at := 0
	for i := start; i < len(messages); i++ {
		if messages[i].Role != model.RoleAssistant {
			continue
		}
		if at < 0 {
			return -1, replies
		}
		at = p.next(at, messages[i+1:])
	}
	return at, replies
}

func (p *Provider) next(at int, after []model.Message) int {
	step := p.task.Steps[at]
	seen := map[string]bool{}
	for _, m := range after {
		if m.Role != model.RoleTool {
			break
		}
		seen[m.Status] = true
	}
	for _, status := range worst {
		if seen[status] {
			if next, ok := step.Next[status]; ok {
				return p.steps[next]
			}
			break
		}
	}
	if next, ok := step.Next[anyStatus]; ok {
		return p.steps[next]
	}
	return -1
}
