package write_test

import (
	"testing"

	"countersign/tools/read"
	"countersign/tools/scenariotest"
	"countersign/tools/write"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-4, KH-7, KH-8, KH-9, KH-21, KH-22, KH-28, KH-29, KH-30, KH-31, KH-32, KH-56, KH-58, KH-63
func TestWriteAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Files, read.Spec(), write.Spec())
}
