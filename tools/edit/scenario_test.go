package edit_test

import (
	"testing"

	"countersign/tools/edit"
	"countersign/tools/read"
	"countersign/tools/scenariotest"
	"countersign/tools/write"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spec: KH-1, KH-4, KH-7, KH-8, KH-9, KH-21, KH-22, KH-33, KH-34, KH-35, KH-36, KH-37, KH-38, KH-56, KH-57, KH-58
func TestEditAnswersAsItsContractSays(t *testing.T) {
	scenariotest.Run(t, scenariotest.Files, read.Spec(), write.Spec(), edit.Spec())
}
