package grep_test

import (
	"testing"

	"countersign/tools/grep"
	"countersign/tools/read"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-3, KH-39, KH-40
func TestGrepAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Searching, grep.Spec(), read.Spec())
}
