// Package model is the seam to whatever proposes tool calls: a language model behind
// an adapter, or a script. It holds the contract and nothing of any provider.
package model

import (
	"context"
	"encoding/json"
)

// Role says who speaks in a request.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of the conversation as a provider receives it.
type Message struct {
	Role  Role
	Text  string
	Calls []Call
	// CallID, Status and IsError belong to a tool's message.
	CallID  string
	Status  string
	IsError bool
}

// Call is a tool call that a reply asks for.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage
}

// Tool is a tool as it is offered to a provider.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
}

// Request is everything a provider needs for its next reply.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
}

// Reply is what a provider says next. A reply without calls ends the turn.
type Reply struct {
	Text  string
	Calls []Call
}

// Provider gives replies. It may be asked for several sessions at once.
type Provider interface {
	// Name is shown beside what it says.
	Name() string
	// Reply returns the next reply. It ends with ctx's error when ctx ends.
	Reply(ctx context.Context, r Request) (Reply, error)
}
