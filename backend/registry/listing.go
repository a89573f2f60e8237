package registry

import (
	"cmp"
	"slices"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"
)

// How much of a command line is listed on its card, which has its text whole as well.
const (
	maxSteps = 500
	maxMarks = 24
)

// listing tells what was read of the command line, nil for a call without one.
func (c *run) listing() *approval.Listing {
	r := c.reading
	if r == nil || c.target.Command == "" {
		return nil
	}
	out := &approval.Listing{Parsed: r.Parsed, Dynamic: r.Dynamic, Why: tool.Mark(r.Why)}
	depths := make([]int, len(r.Commands))
	for i := range r.Commands {
		command := &r.Commands[i]
		depths[i] = depthOf(r, depths, i)
		s := approval.Step{
			Part: i, Depth: depths[i], Shown: tool.Mark(command.Shown), Dynamic: command.Dynamic, Background: command.Background,
		}
		s.Marks, s.Left = c.marks(i, command)
		for k := range command.Findings {
			out.Privileged = out.Privileged || command.Findings[k].Effect == program.Privileged
		}
		switch {
		case command.Shown == "" && len(s.Marks) == 0:
		case len(out.Steps) == maxSteps:
			out.Left++
		default:
			out.Steps = append(out.Steps, s)
		}
	}
	return out
}

// depthOf is how many listed commands a command stands in. Those stand before it.
func depthOf(r *shellcmd.Reading, depths []int, i int) int {
	of := r.Commands[i].Of
	if of < 0 || of >= i {
		return 0
	}
	if r.Commands[of].Shown == "" {
		return depths[of]
	}
	return depths[of] + 1
}

// marks are what a command does: the files and machines that it names, and what else was found
// about it. Those that matter most come first, since not all may have room.
func (c *run) marks(i int, command *shellcmd.Command) (out []approval.Mark, left int) {
	wrote, reached := false, len(command.Hosts) > 0
	for k := range c.target.Touches {
		if t := &c.target.Touches[k]; t.Command == i+1 {
			wrote = wrote || t.Access != tool.AccessRead
			out = addMark(out, c.touchMark(t))
		}
	}
	for _, host := range command.Hosts {
		out = addMark(out, approval.Mark{Effect: string(program.Reaches), Subject: tool.Mark(host)})
	}
	for k := range command.Findings {
		f := &command.Findings[k]
		// The file or the machine says it better.
		if !f.Restricted && (f.Effect == program.Writes && wrote || f.Effect == program.Reaches && reached) {
			continue
		}
		out = addMark(out, approval.Mark{
			Effect: string(f.Effect), Words: tool.Mark(f.Words), Restricted: f.Restricted || f.Effect == program.Privileged,
		})
	}
	slices.SortStableFunc(out, func(a, b approval.Mark) int { return weight(b) - weight(a) })
	if len(out) > maxMarks {
		out, left = out[:maxMarks], len(out)-maxMarks
	}
	return out, left
}

func addMark(list []approval.Mark, m approval.Mark) []approval.Mark {
	if slices.Contains(list, m) {
		return list
	}
	return append(list, m)
}

func weight(m approval.Mark) int {
	switch {
	case m.Restricted:
		return 2
	case m.Outside:
		return 1
	}
	return 0
}

// touchMark tells of a file that a command names.
func (c *run) touchMark(t *tool.Touch) approval.Mark {
	m := approval.Mark{Effect: "writes", Subject: tool.Mark(cmp.Or(t.Path.Rel, t.Path.Real)), Tree: t.Tree}
	switch {
	case t.Access == tool.AccessRead:
		m.Effect = "reads"
	case t.Removes:
		m.Effect = "removes"
	}
	if policy.Nowhere(t) {
		return m
	}
	m.Outside = t.Path.Zone != tool.ZoneWorkspace && t.Path.Zone != tool.ZoneOutput
	m.Restricted = policy.HoldOf(t.Path, t.Access, pathclass.Place{Workspace: c.s.Workspace, OwnHome: c.s.OwnHome}) > pathclass.Free
	return m
}
