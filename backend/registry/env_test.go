package registry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: CX-6, CX-29
func TestAToolIsToldOfItsCall(t *testing.T) {
	var env tool.Env
	var args tool.Args
	b := newBed(t, spec("math.test", func(s *tool.Spec) {
		s.Run = func(_ context.Context, e tool.Env, a tool.Args) (tool.Result, error) {
			env, args = e, a
			return tool.Result{}, nil
		}
	}))
	for _, preset := range session.Presets() {
		b.set(func(r *session.Rules) { r.Preset, r.Catalog = preset, tool.CatalogWork })
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusSucceeded, "")
		if env.Approval != string(preset) || env.Images {
			t.Errorf("%s: %q, images %v", preset, env.Approval, env.Images)
		}
		b.set(func(r *session.Rules) { r.Catalog = tool.CatalogPlan })
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusSucceeded, "")
		if env.Approval != "plan" {
			t.Errorf("plan: %q", env.Approval)
		}
	}
	b.context.Images = true
	for sent, written := range map[string]string{"": "{}", ` { "text" : "\u0061" } `: ` { "text" : "\u0061" } `} {
		want(t, b.call(t.Context(), "math.test", sent), tool.StatusSucceeded, "")
		if string(args.Written) != written || !env.Images {
			t.Errorf("%q was written as %q, images %v", sent, args.Written, env.Images)
		}
	}
}

// spec: CX-33, CX-34
func TestAToolThatKeepsItsTimeHasNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []time.Duration{time.Second, tool.NoTimeout} {
			one := spec("math.test", func(s *tool.Spec) {
				s.Class.Timeout = limit
				s.Run = func(ctx context.Context, _ tool.Env, _ tool.Args) (tool.Result, error) {
					time.Sleep(time.Hour)
					return tool.Result{}, ctx.Err()
				}
			})
			for _, keeps := range []bool{true, false} {
				one.Class.KeepsTime = keeps
				o := newBed(t, one).call(t.Context(), "math.test", `{}`)
				if keeps || limit == tool.NoTimeout {
					want(t, o, tool.StatusSucceeded, "")
				} else {
					want(t, o, tool.StatusFailed, tool.CodeTimeout)
				}
			}
		}
	})
}
