package policy_test

import (
	"testing"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// What removes the root, the home or a folder of the system is blocked in whatever way it is
// written, as far as the line holds what it would remove.
//
// spec: VS-16
func TestNothingRemovesTheRootTheHomeOrTheSystem(t *testing.T) {
	for _, text := range []string{
		// What the shell makes of a variable.
		`rm -rf ${HOME%/}`, `rm -rf "${HOME}"`, `rm -rf ${HOME%%/}`, `rm -rf ${HOME#x}`, `rm -rf ${HOME:0}`, `X=/x; rm -rf ${X:0:1}`, `X=/x; rm -rf ${X/x/}`, `X=/xx; rm -rf ${X//x}`,
		`X=/x; rm -rf ${X/%x}`, `X=x/; rm -rf ${X/#x}`, `X=/a; rm -rf ${X%a}`, `X=a/; rm -rf ${X##*a}`, `rm -rf ${NOPE:-/}`, `rm -rf ${NOPE-/}`, `rm -rf ${NOPE:=/}`, `: ${D:=/}; rm -rf $D`,
		`X=a; rm -rf ${X:+/}`, `X=ROOT; rm -rf /${X,,}`, `X=/Etc; rm -rf ${X,,}`, `X=Y; Y=/; rm -rf ${!X}`, `A=(a /); rm -rf "${A[@]}"`, `A=(/); rm -rf ${A[0]}`,
		`E=; rm -rf /$E`, `X='-rf /'; rm $X`, `X='/*'; rm -rf $X`, `X=${HOME%/}; rm -rf "$X"`, `D=/; for i in 1 2; do rm -rf $D; done`, `if a; then D=/; else D=b; fi; rm -rf $D`,
		// Braces.
		`rm -rf {/,}`, `rm -rf /{,}`, `rm -rf {a,/}`, `{rm,-rf,/}`, `rm -rf "$HOME"{,/x}`, `rm -rf ~{,/x}`, `rm -rf /{{,a},b}`,
		// What another command prints.
		`rm -rf $(echo /)`, "rm -rf `echo /`", `rm -rf "$(printf '%s' /)"`, `rm -rf $(dirname /a)`, `rm -rf /$(true)`, `rm -rf $(cd / && pwd)/../..`, `cd $(echo /) && rm -rf *`, `cd ${HOME%/}; rm -rf *`,
		`eval "rm -rf $(echo /)"`, `echo 'rm -rf /' | sh`, `bash <<< 'rm -rf /'`, `echo 'rm -rf /' | sudo bash`,
		// What is put into a command.
		`echo / | xargs rm -rf`, `printf '/\n' | xargs -I{} rm -rf {}`, `printf '/\0' | xargs -0 rm -rf`, `xargs rm -rf <<< /`, "xargs rm -rf <<E\n/\nE", `xargs rm -rf < <(echo /)`, `echo / | cat | sudo xargs -n 1 rm -rf`,
		`find / | xargs rm -rf`, `find / -print0 | xargs -0 rm -rf`, `ls / | xargs rm -rf`, `for d in a /; do echo $d; done | xargs rm -rf`, `echo / | xargs -I% sh -c 'rm -rf %'`,
		`echo / | while read d; do rm -rf "$d"; done`, `read d <<< /; rm -rf $d`, `mapfile -t A <<< /; rm -rf "${A[@]}"`, `for d in /; do rm -rf $d; done`, `for d in /*; do rm -rf "$d"; done`,
		`f() { rm -rf "$1"; }; f /`, `set -- /; rm -rf $1`, `bash -c 'rm -rf "$1"' _ /`, `D=/ sh -c 'rm -rf $D'`, `export D=/; sh -c 'rm -rf $D'`, `env D=/ sh -c 'rm -rf $D'`,
		`find / -exec rm -rf {} +`, `find / -exec rm -rf {} \;`, `find / -exec sh -c 'rm -rf "$1"' _ {} \;`, `find / -delete`,
		`for c in rm; do $c -rf /; done`,
		// Other ways to name it, and to take away what lies there.
		`rm -rf $NOPE /`, `rm -rf / &`, `rm -rf ~root`, `HOME=/; rm -rf ~`, `rm -rf ~u`, `rsync -a --delete empty/ /`, `rsync --delete empty/ ~/`, `rsync -r --del e/ "$HOME"`, `rsync -a --remove-source-files / x`,
		`rm -rf /etc`, `rm -rf /usr/*`, `rm -rf /var`, `rm -rf /home`, `mv /usr x`, `rm -rf /etc/../lib64`, `rsync -a --delete e/ /boot`,
	} {
		for _, rules := range []func(*policy.Facts){func(*policy.Facts) {}, func(f *policy.Facts) { f.Rules.Preset = session.PresetFull }} {
			if out := policy.Decide(line(text, rules)); out.Decision.Verdict != tool.VerdictDeny || out.Decision.ReasonCode != tool.CodePolicyBlocked {
				t.Errorf("%s: %+v", text, out.Decision)
			}
		}
	}
	for _, text := range []string{
		`rm -rf ${HOME%/}/old`, `rm -rf ${HOME#/}`, `X=/w/a; rm -rf ${X##*/}`, `D=build; rm -rf ${D:-/}`, `D=build; rm -rf "${D:?}"/*`, `rm -rf ${OUT:-build}`, `rm -rf "$TMPDIR"/*`, `rm -rf "$NOPE"`, `X='*.log'; rm -rf ~/x/$X`,
		`rm -rf {build,dist}`, `rm -rf {build,}`, `rm -rf build{,.old}`, `rm -rf $(echo build)`, `rm -rf "$(mktemp -d)"`, `tmp=$(mktemp -d); rm -rf "$tmp"`, `cd $(git rev-parse --show-toplevel) && rm -rf build`,
		`echo build | xargs rm -rf`, `printf 'a\nb\n' | xargs -I{} rm -rf {}`, `find . -name '*.pyc' | xargs rm -f`, `find / -name '*.pyc' | xargs rm -f`, `git ls-files | xargs rm`, `echo / | xargs ls`, `echo 'rm -rf build' | sh`,
		`for d in a b; do rm -rf $d; done`, `for d in *.log; do rm -rf "$d"; done`, `f() { rm -rf "$1"; }; f build`, `set -- build; rm -rf $1`, `echo build | while read d; do rm -rf "$d"; done`,
		`rsync -a src/ dst/`, `rsync -a --delete src/ dst/`, `rsync -a / x`, `rsync -an --delete e/ /`, `rsync -a --delete e/ h:/`, `rm -rf /etc/x`, `rm -rf /usr/local/x`, `rm -rf /var/cache/x`, `rm -rf /tmp/x`, `ls /etc`, `cp -r /etc x`, `find / -exec sh -c 'ls "$1"' _ {} \;`, `find / -name a -exec sh -c 'rm "$1"' _ {} \;`,
	} {
		if out := policy.Decide(line(text)); out.Decision.ReasonCode == tool.CodePolicyBlocked {
			t.Errorf("near miss %s: %+v", text, out.Decision)
		}
	}
}

// A guess is never knowledge: what is only guessed stays a question, however harmless it is.
func TestWhatIsOnlyGuessedIsAsked(t *testing.T) {
	full := func(f *policy.Facts) { f.Rules.Preset = session.PresetFull }
	for _, text := range []string{
		`ls ${X:-a}`, `ls ${HOME%/}`, `ls $(echo a)`, `ls {a,}`, `echo a | xargs ls`, `for d in a b; do ls $d; done`, `f() { ls "$1"; }; f a`, `set -- a; ls $1`, `read x <<< a; ls $x`, `bash -c 'ls "$1"' _ a`, `if a; then D=b; else D=c; fi; ls $D`,
	} {
		if out := policy.Decide(line(text, full, by(policy.GrantWorkspace, "ls *", "echo *", "f *", "xargs *", "bash *", "set *", "read *"))); out.Decision.Verdict != tool.VerdictAsk {
			t.Errorf("%s: %+v", text, out.Decision)
		}
	}
}

// What is put into a command is a pattern where it was one.
func TestWhatIsPutInIsAsNarrowAsItWasWritten(t *testing.T) {
	for text, restricted := range map[string]bool{"ls *.log | xargs rm": false, "echo '*.o' | xargs rm -f": false, "ls a.log | xargs rm": false, "ls * | xargs rm -rf": true, "ls . | xargs rm -rf": true} {
		if out := policy.Decide(line(text)); out.Restricted != restricted || out.Decision.Verdict != tool.VerdictAsk {
			t.Errorf("%s: %+v", text, out)
		}
	}
}

// A folder of the system that the workspace holds, as that of an image that is being built, is
// the workspace's.
func TestAFolderOfTheSystemIsOnlyThatOfTheMachine(t *testing.T) {
	in := func(folder string) func(*policy.Facts) { return func(f *policy.Facts) { f.Workspace = folder } }
	for folder, blocked := range map[string]bool{"/w": true, "/": true, "/usr": false, "/usr/src": true} {
		if out := policy.Decide(line("rm -rf /usr/lib", in(folder))); (out.Decision.ReasonCode == tool.CodePolicyBlocked) != blocked {
			t.Errorf("%s: %+v", folder, out.Decision)
		}
	}
}
