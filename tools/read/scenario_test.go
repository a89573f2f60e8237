package read_test

import (
	"flag"
	"path/filepath"
	"testing"

	"countersign/backend/host/workspace"
	"countersign/backend/tool"
	"countersign/tools/read"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, root, home string, clock tool.Clock) tool.Files {
	t.Helper()
	w, err := workspace.Open(root, workspace.Options{Home: home, OutputDir: filepath.Join(home, "output"), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// spec: KH-4, KH-7, KH-8, KH-9, KH-10, KH-20, KH-21, KH-23, KH-24, KH-25, KH-26, KH-27, KH-56
func TestReadAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, *update, open, read.Spec())
}
