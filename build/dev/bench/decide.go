package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// pipelineGoal is how long a decision about a line of twenty commands may take, from its text.
const pipelineGoal = 100 * time.Microsecond

var pipelineLine = regexp.MustCompile(`(?m)^BenchmarkDecidePipeline\S*\s+\d+\s+(\d+) ns/op`)

// deciding measures a decision about a line of twenty commands, by the benchmark that lies
// with the rules: reading it, judging every word, and the chain of the rules.
func deciding(ctx context.Context) ([]row, error) {
	var out bytes.Buffer
	test := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkDecidePipeline$", "-benchtime", "2000x", "./backend/policy")
	test.Stdout, test.Stderr = &out, os.Stderr
	if err := test.Run(); err != nil {
		return nil, fmt.Errorf("run the benchmark of decisions: %w", err)
	}
	m := pipelineLine.FindStringSubmatch(out.String())
	if m == nil {
		return nil, fmt.Errorf("the benchmark of decisions printed nothing that can be read")
	}
	ns, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("read the figure of decisions: %w", err)
	}
	took := time.Duration(ns)
	return []row{{
		what: "decision, 20 commands", figure: fmt.Sprintf("%.0f us", float64(took.Nanoseconds())/1000), limit: "-",
		goal: fmt.Sprintf("%d us", pipelineGoal.Microseconds()), held: holds(took <= pipelineGoal),
	}}, nil
}
