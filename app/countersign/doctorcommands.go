package main

import (
	"countersign/backend/config"
	"countersign/backend/host/process"
)

// examineCommands looks for what bash and process need.
func examineCommands() finding {
	m, err := process.NewMachine()
	if err == nil {
		err = m.Close()
	}
	return commandsFinding(err, process.Shell(config.Environment()))
}

// commandsFinding tells what commands are run with. err is why none can be.
func commandsFinding(err error, shell string) finding {
	const without = ", so bash and process are not available"
	switch {
	case err != nil:
		return finding{"commands", stateNote, "commands cannot be run here" + without + ": " + err.Error(), process.Hint}
	case shell == "":
		return finding{"commands", stateNote, "there is no bash" + without, process.NoShell}
	}
	return finding{"commands", stateOK, "run with " + shell, ""}
}
