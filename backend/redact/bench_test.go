package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"countersign/backend/redact"
)

// texts are what redaction is measured on: a source file, the output of a program, a file
// of settings full of secrets.
func texts() map[string]string {
	var source, output, secrets strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&source, "func (t *Token) Next%d(ctx context.Context, name string) (string, error) {\n\tif err := t.check(ctx, name); err != nil {\n\t\treturn \"\", fmt.Errorf(\"next token: %%w\", err)\n\t}\n\treturn t.values[name], nil\n}\n\n", i)
		fmt.Fprintf(&output, "2026-01-31T12:00:%02dZ INFO  request done method=GET path=/api/v1/things/%d status=200 duration=%dms\n", i%60, i, i%900)
		fmt.Fprintf(&secrets, "SERVICE_%d_PASSWORD=walrus4secret%d\nURL_%d=https://bob:walrus4@host.example/\nTOKEN_%d=%s\n", i, i, i, i, "gh"+"p_"+tail36)
	}
	return map[string]string{"source": source.String(), "output": output.String(), "secrets": secrets.String()}
}

func BenchmarkText(b *testing.B) {
	for name, text := range texts() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				redact.Text(text, "7f3a")
			}
		})
	}
}
