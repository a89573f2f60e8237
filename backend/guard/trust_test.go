package guard

import (
	"testing"

	"countersign/backend/tool"
)

func TestNobodyVouchesForAFileOutsideTheWorkspace(t *testing.T) {
	for zone, want := range map[tool.Zone]tool.Trust{
		tool.ZoneWorkspace: "", tool.ZoneOutside: tool.TrustExternalUntrusted, tool.ZoneOutput: tool.TrustExternalUntrusted,
		tool.ZoneOwnHome: tool.TrustExternalUntrusted, "": tool.TrustExternalUntrusted,
	} {
		if got := Trust(tool.Path{Zone: zone}); got != want {
			t.Errorf("%q: got %q", zone, got)
		}
	}
}
