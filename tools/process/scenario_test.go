package process_test

import (
	"testing"

	"countersign/tools/bash"
	"countersign/tools/process"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-49, KH-50, KH-51, KH-53, KH-56
func TestProcessAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Running, bash.Spec(), process.Spec())
}
