package main

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"

	"countersign/backend/redact"
)

const (
	goalRedact   = 100 // MB a second
	redactRounds = 15
)

// redacting measures how fast a copy for eyes is made of three kinds of text, by processor
// time: a program's source, what a server prints, and settings in which every line has a
// secret.
func redacting(context.Context) ([]row, error) {
	var source, printed, settings strings.Builder
	for i := range 40000 {
		fmt.Fprintf(&source, "func (t *Token) Next%d(ctx context.Context, name string) (string, error) {\n\tif err := t.check(ctx, name); err != nil {\n\t\treturn \"\", fmt.Errorf(\"next token: %%w\", err)\n\t}\n\treturn t.values[name], nil\n}\n\n", i)
		fmt.Fprintf(&printed, "2026-01-31T12:00:%02dZ INFO  request done method=GET path=/api/v1/things/%d status=200 duration=%dms\n", i%60, i, i%900)
		fmt.Fprintf(&settings, "SERVICE_%d_PASSWORD=hunter2secret%d\nURL_%d=https://bob:hunter2@host.example/\n", i, i, i)
	}
	var rows []row
	for _, t := range []struct{ what, text string }{
		{"source", source.String()}, {"output of a server", printed.String()}, {"settings, a secret a line", settings.String()},
	} {
		var took []time.Duration
		for range redactRounds {
			start := spentBy(syscall.RUSAGE_SELF, true)
			redact.Text(t.text, "7f3a")
			took = append(took, spentBy(syscall.RUSAGE_SELF, true)-start)
		}
		speed := float64(len(t.text)) / 1e6 / middle(took).Seconds()
		rows = append(rows, row{
			what: fmt.Sprintf("copy for eyes of %.0f MB, %s", float64(len(t.text))/1e6, t.what), figure: fmt.Sprintf("%.0f MB/s", speed),
			limit: "-", goal: fmt.Sprintf("%d MB/s", goalRedact), held: holds(speed >= goalRedact),
		})
	}
	return rows, nil
}
