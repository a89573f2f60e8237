package program

// special finds what a row cannot say of its program by the name that the table uses; nil
// where there is no such thing.
func special(name string) func(*judging, *scan) {
	return map[string]func(*judging, *scan){
		"again":       againSpecial,
		"assignments": assignmentsSpecial,
		"awk":         awkSpecial,
		"cd":          cdSpecial,
		"clean":       cleanSpecial,
		"clock":       clockSpecial,
		"config":      configSpecial,
		"copyto":      copytoSpecial,
		"dd":          ddSpecial,
		"env":         envSpecial,
		"eval":        evalSpecial,
		"fetched":     fetchedSpecial,
		"find":        findSpecial,
		"flock":       flockSpecial,
		"git":         gitSpecial,
		"inplace":     inplaceSpecial,
		"interpreter": interpreterSpecial,
		"join":        joinSpecial,
		"make":        makeSpecial,
		"mode":        modeSpecial,
		"module":      moduleSpecial,
		"multicall":   multicallSpecial,
		"push":        pushSpecial,
		"remote":      remoteSpecial,
		"remove":      removeSpecial,
		"resolves":    resolvesSpecial,
		"runuser":     runuserSpecial,
		"script":      scriptSpecial,
		"sed":         sedSpecial,
		"shell":       shellSpecial,
		"signal":      signalSpecial,
		"socat":       socatSpecial,
		"tar":         tarSpecial,
		"trap":        trapSpecial,
		"types":       typesSpecial,
		"xargs":       xargsSpecial,
	}[name]
}
