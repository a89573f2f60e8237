package main

import (
	"strings"
	"testing"

	"countersign/backend/toolset"
)

func TestDoctorTellsWhetherAssembliesCanBeRun(t *testing.T) {
	b := newBench(t)
	if got := b.run(t, nil, "doctor"); !strings.Contains(got.stdout, "built without the host that loads assemblies") || got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := assembliesFinding(nil, toolset.ErrNoRuntime); got.State != stateNote || !strings.Contains(got.Do, "mono-runtime") {
		t.Errorf("%+v", got)
	}
	if got := assembliesFinding(&toolset.Dotnet{Runtime: "/r", Host: "/h"}, nil); got.State != stateOK || got.Text != "/r runs /h" {
		t.Errorf("%+v", got)
	}
}
