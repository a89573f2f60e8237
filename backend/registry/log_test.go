package registry_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/session"
	"countersign/backend/spill"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// spec: KH-17
func TestATextThatGrowsIsRecordedAsItIsAtTheEndOfItsCall(t *testing.T) {
	for _, row := range []struct {
		name string
		run  func(ctx context.Context, out tool.Output) (tool.Log, error)
		want []session.Output
	}{
		{"closed", func(ctx context.Context, out tool.Output) (tool.Log, error) {
			l, err := out.Log(ctx, "bash")
			_, _ = l.Write([]byte("text"))
			return l, err
		}, []session.Output{{Path: "bash-CALL.txt", Bytes: 4}}},
		{"became the log of a process", func(ctx context.Context, out tool.Output) (tool.Log, error) {
			l, err := out.Log(ctx, "bash")
			_, _ = l.Write([]byte("text"))
			_ = l.Rename("p1.log")
			return nil, err
		}, []session.Output{{Path: "p1.log", Bytes: 4}}},
		{"began under its name", func(ctx context.Context, out tool.Output) (tool.Log, error) {
			return out.NamedLog(ctx, "p1.log")
		}, []session.Output{{Path: "p1.log"}}},
		{"got nothing", func(ctx context.Context, out tool.Output) (tool.Log, error) {
			return out.Log(ctx, "bash")
		}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBed(t, spec("demo.run", func(s *tool.Spec) {
				s.Run = func(ctx context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
					l, err := row.run(ctx, env.Host.Output)
					if l != nil {
						err = l.Close()
					}
					return tool.Result{Content: []tool.Part{tool.TextPart("ran")}}, err
				}
			}))
			dir := t.TempDir()
			store, err := spill.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			b.context.Output = func(id string) tool.Output { return store.For("s1", id) }
			want(t, b.call(t.Context(), "demo_run", "{}"), tool.StatusSucceeded, "")
			got := b.journal.Outputs()
			for i := range got {
				got[i].Path = strings.ReplaceAll(filepath.Base(got[i].Path), got[i].InvocationID, "CALL")
			}
			if d := cmp.Diff(row.want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(session.Output{}, "SessionID", "InvocationID", "CreatedAt")); d != "" {
				t.Error(d)
			}
		})
	}
}
