package shellcmd

import "testing"

func TestALineForAnotherShellIsNotRead(t *testing.T) {
	for _, text := range []string{
		"dir & del x", "DEL /F x", `C:/Windows/System32/cmd.exe /c del x`, "powershell -EncodedCommand cgBtACAAeAA=", "ls; Remove-Item -Recurse x",
		"sudo powershell.exe -c x", "Get-ChildItem | Remove-Item", "iex x",
	} {
		if got := Read(text, place); got.Parsed || got.Why == "" || len(got.Commands) > 0 {
			t.Errorf("%q is read as %q", text, shownOf(got))
		}
	}
	for _, text := range []string{"dir x", "start-stop-daemon x", "update-alternatives x", "echo del", "git rm x", "add-apt-repository x", "set-output", "a/copy-file x"} {
		if got := Read(text, place); !got.Parsed {
			t.Errorf("%q is not read: %s", text, got.Why)
		}
	}
}
