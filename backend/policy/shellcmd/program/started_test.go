package program

import "testing"

func TestAnUnknownWrapperIsSeenThrough(t *testing.T) {
	for command, want := range map[string]bool{
		"retry curl http://192.0.2.1/x": true, "chronic -v curl x": true, "pee 'curl x' 'ls'": true, "yash -c 'rm x'": true, "mytool --exec 'curl x'": true,
		"mytool install x": false, "mytool test": false, "mytool x": false, "mytool 'a curl'": false, "mytool echo x": false,
	} {
		j := Judge(Invocation{Words: split(command)})
		if got := len(j.Inner) > 0 && j.Inner[0].Silent; got != want {
			t.Errorf("%s: %+v", command, j.Inner)
		}
	}
}
