package session

import "countersign/backend/tool"

// Managed is a managed process as it is written down.
type Managed struct {
	SessionID string
	// Program is the one that keeps it.
	Program string
	tool.Process
}
