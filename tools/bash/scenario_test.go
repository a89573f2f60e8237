package bash_test

import (
	"testing"

	"countersign/tools/bash"
	"countersign/tools/process"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-3, KH-42, KH-44, KH-45, KH-46, KH-47, KH-56
func TestBashAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Running, bash.Spec(), process.Spec())
}
