package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"countersign/backend/config"
	"countersign/backend/hook"
	"countersign/backend/host/process"
	"countersign/backend/registry"
)

// Why a hook is not run.
var (
	errNoMachine   = errors.New("programs cannot be run here")
	errInWorkspace = errors.New("its program lies in the workspace, where an agent may write")
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

// below reports whether a file lies in a folder, at any depth.
func below(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && dir != "" && filepath.IsLocal(rel)
}
