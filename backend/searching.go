package backend

import (
	"fmt"

	"countersign/backend/host/process"
	"countersign/backend/host/search"
	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/tool"
)

// findSearch looks for the program that searches. Without it the engine works all the
// same; the tools that need it say what is missing.
func (e *Engine) findSearch() {
	found, err := search.Find(e.options.Program)
	e.search = found.Path
	switch {
	case err != nil:
		e.options.Log.Warn("searching is not available", "cause", err)
	case !found.Shipped:
		e.options.Log.Warn("ripgrep does not lie beside the program, so the system's is used", "path", found.Path)
	}
}

// Availability says whether a tool can work on this machine, and if not why.
func (e *Engine) Availability(spec *tool.Spec) (bool, string) {
	if spec.Needs == tool.NeedSearch && e.search == "" {
		return false, fmt.Sprintf("%s. %s", search.ErrMissing, search.Hint)
	}
	if spec.Needs == tool.NeedProcesses && e.machine != nil && e.shell == "" {
		return false, "There is no bash on this machine. " + process.NoShell
	}
	if (spec.Needs == tool.NeedProcesses || spec.Needs == tool.NeedPrograms) && e.machine == nil {
		return false, "Programs cannot be run on this system. The log says what is missing."
	}
	return true, ""
}

// searcher searches for a session.
func (s *Session) searcher() tool.Search {
	return &search.Searcher{Program: s.engine.search, Workspace: s.files.Root(), Held: s.held, HeldByName: s.heldByName, Restricted: s.restricted}
}

// held reports whether a read of the real path would need an answer that a call on root
// did not: policy judged root alone, and what lies below it may be stricter. What the
// workspace handle cannot place is held too.
func (s *Session) held(root tool.Path, real string) bool {
	p, err := s.files.Resolve(real)
	if err != nil || p.Real != real {
		return true
	}
	return s.hold(p) > s.hold(root)
}

// heldByName is held for a path that is known to be real.
func (s *Session) heldByName(root, p tool.Path) bool { return s.hold(p) > s.hold(root) }

func (s *Session) restricted(root tool.Path) bool { return s.hold(root) > pathclass.Free }

func (s *Session) hold(p tool.Path) pathclass.Hold { return s.engine.hold(s.record.Workspace, p) }

// hold is how strictly policy holds a read of a path by a session in a workspace.
func (e *Engine) hold(workspace string, p tool.Path) pathclass.Hold {
	return policy.ReadHold(p, pathclass.Place{Workspace: workspace, OwnHome: e.options.Paths.Home})
}
