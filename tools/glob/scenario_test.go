package glob_test

import (
	"flag"
	"testing"

	"countersign/tools/glob"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-3, KH-41
func TestGlobAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, *update, scenariotest.Searching, glob.Spec())
}
