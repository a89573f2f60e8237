package policy

import "countersign/backend/tool"

// capabilityOrder is the order in which capabilities are printed.
var capabilityOrder = [...]tool.Capability{
	tool.CapProcessExecute, tool.CapNetworkAccess, tool.CapGitModify, tool.CapFileRead, tool.CapFileWrite,
	tool.CapFileReadOutside, tool.CapFileWriteOutside,
}

const (
	canExecute = 1 << iota
	canReach
	canChangeGit
	canRead
	canWrite
	canReadOutside
	canWriteOutside
	allBits = 1<<iota - 1
)

// capabilitySets holds the list of every combination, so that a decision shares one
// instead of making its own. Nothing may append to them: they are cut to their length.
var capabilitySets = func() (sets [allBits + 1][]tool.Capability) {
	for bits := range sets {
		list := []tool.Capability{}
		for i, c := range capabilityOrder {
			if bits&(1<<i) != 0 {
				list = append(list, c)
			}
		}
		sets[bits] = list[:len(list):len(list)]
	}
	return sets
}()

// capabilities says what the call is able to do, from its class and what it names.
func capabilities(v *view) []tool.Capability { return capabilitySets[capabilityBits(v)] }

// reaches reports whether the call could carry something off this machine.
func reaches(v *view) bool { return capabilityBits(v)&canReach != 0 }

func capabilityBits(v *view) int {
	bits := 0
	switch v.Effect {
	case tool.EffectNone:
	case tool.EffectWorkspaceRead:
		bits |= canRead
	case tool.EffectWorkspaceWrite:
		bits |= canWrite
	case tool.EffectCodeExecution, tool.EffectPrivileged:
		bits |= canExecute
	case tool.EffectPackageInstall:
		bits |= canExecute | canReach
	case tool.EffectNetworkRead, tool.EffectSandboxNetwork, tool.EffectExternalMessage, tool.EffectExternalWrite,
		tool.EffectExternalDelete, tool.EffectFinancial, tool.EffectPublication:
		bits |= canReach
	case tool.EffectCredentialAccess, tool.EffectHostAccess:
	}
	if len(v.Target.Touches) > 0 {
		bits &^= canRead | canWrite
	}
	if v.Target.Runs() {
		bits |= canExecute
	}
	if v.Target.URL != "" {
		bits |= canReach
	}
	for i := range v.Target.Touches {
		bits |= touchBit(&v.Target.Touches[i])
	}
	if v.read != nil {
		bits |= commandBits(v.read)
	}
	return bits
}

func touchBit(t *tool.Touch) int {
	if nowhere(t) {
		return 0
	}
	inside := t.Path.Zone == tool.ZoneWorkspace || t.Path.Zone == tool.ZoneOutput
	switch {
	case t.Access == tool.AccessRead && inside:
		return canRead
	case t.Access == tool.AccessRead:
		return canReadOutside
	case inside:
		return canWrite
	}
	return canWriteOutside
}
