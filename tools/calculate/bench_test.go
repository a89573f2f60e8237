package calculate

import (
	"testing"

	"countersign/backend/tool"
)

func benchmarkRun(b *testing.B, expression string) {
	spec := Spec()
	args := tool.Args{Canonical: argumentsOf(b, expression)}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := spec.Run(ctx, tool.Env{}, args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCalculateSmall(b *testing.B) { benchmarkRun(b, "17 * 23") }

func BenchmarkCalculateThird(b *testing.B) { benchmarkRun(b, "1/3") }

func BenchmarkCalculateFunctions(b *testing.B) { benchmarkRun(b, "exp(ln(2.5)) + log10(7)^0.3") }

func BenchmarkEvaluateSmall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := evaluate("17 * 23"); err != nil {
			b.Fatal(err)
		}
	}
}
