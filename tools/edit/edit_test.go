package edit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"countersign/backend/tool"
	"countersign/tools/edit"
	"countersign/tools/scenariotest"
)

// session is a session with the tool whose calls it makes.
type session struct {
	*scenariotest.Session
	spec tool.Spec
}

func newSession(t *testing.T) *session {
	t.Helper()
	return &session{scenariotest.NewSession(t), edit.Spec()}
}

func arguments(path, old, new string) tool.Args {
	b, err := json.Marshal(map[string]string{"file_path": path, "old_string": old, "new_string": new})
	if err != nil {
		panic(err)
	}
	return tool.Args{Canonical: b}
}

func (s *session) edit(ctx context.Context, path, old, new string) (tool.Result, error) {
	s.T.Helper()
	return s.spec.Run(ctx, s.Env(path), arguments(path, old, new))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// spec: KH-2, KH-33, KH-55
func TestSchemaTakesWhatTheContractNames(t *testing.T) {
	scenariotest.Schema(t, edit.Spec(), 4, map[string]bool{
		`{"file_path":"a","old_string":"","new_string":""}`:                                                         true,
		`{"file_path":"a","old_string":"a","new_string":"b","replace_all":true}`:                                    true,
		`{"file_path":"a","old_string":"` + strings.Repeat("é", 2_097_152) + `","new_string":""}`:                   true,
		`{"file_path":"a","old_string":"` + strings.Repeat("é", 2_097_153) + `","new_string":""}`:                   false,
		`{"file_path":"a","old_string":"","new_string":"` + strings.Repeat("é", 2_097_153) + `"}`:                   false,
		`{"file_path":"a","old_string":"a"}`:                                                                        false,
		`{"file_path":"a","new_string":"a"}`:                                                                        false,
		`{"old_string":"a","new_string":"b"}`:                                                                       false,
		`{"file_path":"","old_string":"a","new_string":"b"}`:                                                        false,
		`{"file_path":"a","old_string":1,"new_string":"b"}`:                                                         false,
		`{"file_path":"a","old_string":"a","new_string":"b","replace_all":"true"}`:                                  false,
		`{"file_path":"a","old_string":"a","new_string":"b","count":1}`:                                             false,
		`{"file_path":"` + strings.Repeat("a/", 10_000) + `","old_string":"a","new_string":"b","replace_all":true}`: false,
	})
}

// spec: KH-22, KH-31, KH-33, KH-58
func TestAnEditChangesAsEveryToolMust(t *testing.T) {
	scenariotest.Changing(t, edit.Spec(), func(path, text string) tool.Args { return arguments(path, "old", text) })
}

// Edits of one file wait for each other, and each knows what the one before has written.
//
// spec: KH-33
func TestEditsOfOneFileAreAllDone(t *testing.T) {
	s := newSession(t)
	var text, want strings.Builder
	const n = 12
	for i := range n {
		fmt.Fprintf(&text, "value %d = old\n", i)
		fmt.Fprintf(&want, "value %d = new\n", i)
	}
	s.Has("a", text.String())
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := s.edit(t.Context(), "a", fmt.Sprintf("value %d = old", i), fmt.Sprintf("value %d = new", i)); err != nil {
				t.Errorf("edit %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if got := s.Holds("a"); got != want.String() {
		t.Errorf("holds %q", got)
	}
}

// spec: KH-33
func TestWhoWaitsForAFileCanLetGo(t *testing.T) {
	s := newSession(t)
	s.Has("a", "old")
	held, release := make(chan struct{}), make(chan struct{})
	s.Mark = func(context.Context) error {
		close(held)
		<-release
		return nil
	}
	first := make(chan error, 1)
	go func() {
		_, err := s.edit(t.Context(), "a", "old", "new")
		first <- err
	}()
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.edit(ctx, "a", "new", "newer"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(release)
	if err := <-first; err != nil || s.Holds("a") != "new" {
		t.Errorf("%v, holds %q", err, s.Holds("a"))
	}
}

// shelf is versions that were kept.
type shelf []string

func (v *shelf) Keep(_ context.Context, real string, content []byte) {
	*v = append(*v, filepath.Base(real)+" "+string(content))
}

// spec: KH-36
func TestWhatIsReplacedIsKeptFirst(t *testing.T) {
	s := newSession(t)
	s.Has("a", "one\r\n")
	var kept shelf
	s.Mark = func(context.Context) error {
		if len(kept) != 1 || kept[0] != "a one\r\n" {
			t.Errorf("before the effect %q was kept", kept)
		}
		return nil
	}
	env := s.Env("a")
	env.Host.Versions = &kept
	if _, err := s.spec.Draw(t.Context(), env, arguments("a", "one", "two")); err != nil || len(kept) != 0 {
		t.Errorf("a preview: %v, kept %q", err, kept)
	}
	if _, err := s.spec.Run(t.Context(), env, arguments("a", "nothing", "two")); err == nil || len(kept) != 0 {
		t.Errorf("a refusal: %v, kept %q", err, kept)
	}
	if _, err := s.spec.Run(t.Context(), env, arguments("a", "one", "two")); err != nil || len(kept) != 1 {
		t.Errorf("%v, kept %q", err, kept)
	}
}
