package desk

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"countersign/backend/config"
)

func TestTheLogHidesSecretsWhereverTheyStand(t *testing.T) {
	const secret = "hunter2dragon"
	var b bytes.Buffer
	log := slog.New(discreet{slog.NewTextHandler(&b, nil)})
	log.Info("password="+secret, "n", 3, "cause", errors.New("dial https://bob:"+secret+"@host.example/x"))
	log.With("url", "https://h.example/?api_key="+secret).WithGroup("g").Info("asked", slog.Group("inner", "password", secret), "list", []string{"--token", secret})
	got := b.String()
	if strings.Contains(got, secret) {
		t.Errorf("the log holds a secret:\n%s", got)
	}
	for _, want := range []string{"[redacted]", "n=3", "https://bob:", "@host.example/x", "h.example", "g.inner.password="} {
		if !strings.Contains(got, want) {
			t.Errorf("the log does not hold %q:\n%s", want, got)
		}
	}
}

func TestTheLogOfAProgramIsDiscreet(t *testing.T) {
	paths, err := config.Locate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log, f := OpenLog(paths, "program")
	log.Info("call ended", "cause", "password=hunter2dragon")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(f.Name())
	if err != nil || strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), "[redacted]") {
		t.Errorf("%s %v", text, err)
	}
}
