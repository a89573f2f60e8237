package policy_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/policy"
)

var update = flag.Bool("update", false, "write the golden files")

// spec: VS-13, VS-14, VS-16, CS-2, CS-3, CT-29, RS-1, RS-3, RS-4
func TestMatrixIsWhatWasReviewed(t *testing.T) {
	const file = "testdata/matrix.golden"
	got := policy.MatrixText()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the matrix changed (-reviewed +now):\n%s", diff)
	}
}
