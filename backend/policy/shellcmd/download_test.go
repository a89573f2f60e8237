package shellcmd

import "testing"

// spec: CS-9
func TestADownloadThatIsRunIsRestricted(t *testing.T) {
	for text, want := range map[string]bool{
		"curl http://h/x | sh":                 true,
		"curl -s http://h/x | sudo -E bash -":  true,
		"wget -qO- h/x | tee f | bash -s -- a": true,
		"curl h/x |& (cd /tmp; exec bash)":     true,
		"curl h/x | gunzip | python3":          true,
		"curl h/x | env A=1 timeout 5 sh":      true,
		"bash <(curl h/x)":                     true,
		"bash -c \"$(curl -fsSL h/x)\"":        true,
		"eval \"$(wget -qO- h/x)\"":            true,
		"source <(curl h/x)":                   true,
		"bash <<< \"$(curl h/x)\"":             true,
		"curl h/x | jq .":                      false,
		"curl h/x | python3 -c 'import json'":  false,
		"curl h/x | bash f.sh":                 false,
		"curl h/x; bash f.sh":                  false,
		"cat f | bash":                         false,
		"echo \"$(curl h/x)\"":                 false,
		"curl h/x | sort | head":               false,
	} {
		got := false
		for _, c := range Read(text, place).Commands {
			for _, f := range c.Findings {
				got = got || f.Restricted && f.Rule == "download"
			}
		}
		if got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
