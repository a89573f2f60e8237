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

// The goals of finding the best block for 40 lines in a file of 50,000.
const (
	blockWorst   = 100 * time.Millisecond
	blockTypical = 5 * time.Millisecond
	blockBytes   = 64 << 20
)

var blockLine = regexp.MustCompile(`(?m)^BenchmarkBlock/([a-z]+)\S*\s+\d+\s+(\d+) ns/op\s+(\d+) B/op`)

// editing measures how edit finds a block, by the benchmark that lies with it: in a file
// as they are, and in files that are made to be hard.
func editing(ctx context.Context) ([]row, error) {
	var out bytes.Buffer
	test := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkBlock$", "-benchtime", "20x", "./tools/edit")
	test.Stdout, test.Stderr = &out, os.Stderr
	if err := test.Run(); err != nil {
		return nil, fmt.Errorf("run the benchmark of edit: %w", err)
	}
	var rows []row
	for _, m := range blockLine.FindAllStringSubmatch(out.String(), -1) {
		ns, _ := strconv.ParseInt(m[2], 10, 64)
		memory, _ := strconv.ParseInt(m[3], 10, 64)
		took, goal := time.Duration(ns), blockWorst
		if m[1] == "typical" {
			goal = blockTypical
		}
		rows = append(rows, row{
			what:   "best block, 40 lines in 50,000, " + m[1],
			figure: fmt.Sprintf("%.1f ms, %.1f MB", took.Seconds()*1000, float64(memory)/(1<<20)),
			limit:  "-", goal: fmt.Sprintf("%v, %d MB", goal, blockBytes>>20), held: holds(took <= goal && memory <= blockBytes),
		})
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the benchmark of edit printed nothing that can be read")
	}
	return rows, nil
}
