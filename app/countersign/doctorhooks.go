package main

import (
	"countersign/backend"
	"countersign/backend/config"
)

// examineHooks says of every hook whether it can be run. One that cannot denies every call, or
// withholds every result, so it is a problem.
func examineHooks(paths config.Paths) (out []finding) {
	f, err := config.Load(paths)
	if err != nil {
		return nil
	}
	now := f.Settings().Hooks
	for _, event := range []struct {
		name, without string
		hooks         []config.Hook
	}{
		{"before a call", "every call is denied", now.BeforeCall},
		{"after a result", "every result is withheld", now.AfterResult},
	} {
		for _, h := range event.hooks {
			program, err := backend.HookProgram(paths, h)
			if err != nil {
				out = append(out, finding{"hook", stateProblem, h.Name + ", " + event.name + ", cannot be run, so " + event.without + ": " + err.Error(),
					"Mend " + paths.Program(h) + ", or take the hook out of " + paths.File() + "."})
				continue
			}
			out = append(out, finding{"hook", stateOK, h.Name + ", " + event.name + ": " + program, ""})
		}
	}
	return out
}
