package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"countersign/backend/config"
	"countersign/backend/hook"
	"countersign/backend/host/process"
	"countersign/backend/registry"
)

// Why a hook is not run.
var (
	errNoMachine   = errors.New("programs cannot be run here")
	errInWorkspace = errors.New("its program lies in the workspace, where an agent may write")
	errGivenFile   = errors.New("it is given a file of the workspace, where an agent may write")
	errNotBelow    = errors.New("its program does not lie below the home folder, where its path says")
)

// hooks are those of the settings of the moment.
func (e *Engine) hooks() registry.Hooks {
	now := e.file.Settings().Hooks
	return registry.Hooks{BeforeCall: e.hooksOf(now.BeforeCall), AfterResult: e.hooksOf(now.AfterResult)}
}

func (e *Engine) hooksOf(list []config.Hook) (out []registry.Hook) {
	for _, h := range list {
		out = append(out, registry.Hook{Name: h.Name, Ask: func(ctx context.Context, s *registry.Context, question []byte) ([]byte, error) {
			return e.askHook(ctx, h, s, question)
		}})
	}
	return out
}

func (e *Engine) askHook(ctx context.Context, h config.Hook, s *registry.Context, question []byte) ([]byte, error) {
	program, err := HookProgram(e.options.Paths, h)
	switch {
	case err != nil:
		return nil, err
	case e.machine == nil:
		return nil, errNoMachine
	case below(s.Workspace, program) || below(s.TrustRoot, program):
		return nil, errInWorkspace
	case givenFile(s.Workspace, s.Workspace, h.Run[1:]) || givenFile(s.TrustRoot, s.Workspace, h.Run[1:]):
		return nil, errGivenFile
	}
	out, err := e.machine.Filter(ctx, process.Filter{
		Program: append([]string{program}, h.Run[1:]...), Dir: s.Workspace, Session: s.SessionID,
		Environ: e.options.Environ, Input: question, Most: hook.MaxReply,
	})
	if err != nil {
		return nil, fmt.Errorf("run the hook: %w", err)
	}
	return out, nil
}

// HookProgram is the file that a hook runs, found anew each time: what the path leads to may
// have changed. Its error says why it could not be run.
func HookProgram(p config.Paths, h config.Hook) (string, error) {
	program, err := process.Program(p.Program(h))
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(h.Run[0]) && !below(p.Home, program) {
		return "", errNotBelow
	}
	return program, nil
}

// givenFile reports whether a program that runs in a folder is given a file below dir, such as a
// script for an interpreter, also as the value of an option. A folder is none: hooks may be told
// where to look.
func givenFile(dir, in string, arguments []string) bool {
	for _, text := range arguments {
		_, value, _ := strings.Cut(text, "=")
		for _, path := range []string{text, value} {
			if path == "" {
				continue
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(in, path)
			}
			real, err := process.Given(path)
			if err != nil || real != "" && (below(dir, real) || below(dir, path)) {
				return true
			}
		}
	}
	return false
}

// below reports whether a file lies in a folder, at any depth.
func below(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && dir != "" && filepath.IsLocal(rel)
}
