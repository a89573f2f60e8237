package glob_test

import (
	"testing"

	"countersign/tools/glob"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-3, KH-41
func TestGlobAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Searching, glob.Spec())
}
