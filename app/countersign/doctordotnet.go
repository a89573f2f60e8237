package main

import (
	"os"

	"countersign/backend/config"
	"countersign/backend/toolset"
)

// examineAssemblies looks for what runs tool sets that are assemblies.
func examineAssemblies() finding {
	self, _ := os.Executable()
	return assembliesFinding(toolset.FindDotnet(self, config.SearchPath()))
}

func assembliesFinding(found *toolset.Dotnet, err error) finding {
	if err != nil {
		return finding{"assemblies", stateNote, err.Error() + ", so tool sets with the runner dotnet are unavailable", toolset.DotnetRemedy(err)}
	}
	return finding{"assemblies", stateOK, found.Runtime + " runs " + found.Host, ""}
}
