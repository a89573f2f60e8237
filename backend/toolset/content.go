package toolset

import (
	"context"

	"countersign/backend/tool"
)

// content is the answer of a program whose output is one JSON object.
func (f finished) content(context.Context, tool.Env) (tool.Result, error) {
	return tool.Result{}, tool.Errorf(tool.CodeOutputInvalid, "no content is read")
}
