// Package backend is the engine: Open puts the store, the pipeline, the approvals and
// the host together, and an Engine is what the doors (the page, MCP, the command line)
// and the built-in agent reach it through. It decides nothing itself.
package backend
