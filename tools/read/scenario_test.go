package read_test

import (
	"testing"

	"countersign/tools/read"
	"countersign/tools/scenariotest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-4, KH-7, KH-8, KH-9, KH-10, KH-20, KH-21, KH-23, KH-24, KH-25, KH-26, KH-27, KH-56
func TestReadAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Files, read.Spec())
}
