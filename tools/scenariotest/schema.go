package scenariotest

import (
	"testing"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

// Schema holds the schema of a tool to its number of parameters and to arguments that it
// takes or does not take.
func Schema(t *testing.T, spec tool.Spec, parameters int, takes map[string]bool) {
	t.Helper()
	s, err := schema.Compile(spec.ID, spec.Input)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Properties) != parameters {
		t.Errorf("%d parameters", len(s.Properties))
	}
	for arguments, ok := range takes {
		v, err := schema.Read([]byte(arguments))
		if err == nil {
			err = s.Validate(v)
		}
		if (err == nil) != ok {
			t.Errorf("%.60s: %v", arguments, err)
		}
	}
}
