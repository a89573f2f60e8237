package program

import (
	"slices"
	"strings"
	"testing"
)

// spec: KH-43
func TestWhichProgramsGetToWhatLiesBelow(t *testing.T) {
	for _, s := range []seen{
		{`grep -r x .`, `through`},
		{`grep -rn x`, `through; r:.`},
		{`grep --recurs x a`, `through`},
		{`grep -d recurse x a`, `through`},
		{`grep x a`, `!through`},
		{`grep x`, `!r:.`},
		{`rg foo`, `through; r:.`},
		{`rg foo src`, `through; !r:.`},
		{`rg -e foo`, `through; r:.`},
		{`rg --files`, `!through`},
		{`rg --type-list`, `!through`},
		{`ag foo`, `through`},
		{`ugrep -r foo`, `through`},
		{`ugrep foo f`, `!through`},
		{`find . -name x`, `!through`},
		{`find . -exec cat {} +`, `through`},
		{`find . -exec wc -l {} ;`, `through`},
		{`find . -exec ls -l {} ;`, `!through`},
		{`find . -exec stat {} +`, `!through`},
		{`find . -exec rm {} +`, `through`},
		{`find . -exec echo hi ;`, `!through`},
		{`find a -delete`, `through`},
		{`ls -R`, `!through`},
		{`tree .`, `!through`},
		{`du -sh .`, `!through`},
		{`git -C x log`, `!through`},
		{`make -C x`, `!through`},
		{`cp -r a b`, `through`},
		{`cp -a a b`, `through`},
		{`cp a b`, `!through`},
		{`mv a b`, `through`},
		{`rm -rf a`, `through`},
		{`rm a`, `!through`},
		{`chmod -R u+w a`, `through`},
		{`chmod u+w a`, `!through`},
		{`tar czf a.tgz .`, `through`},
		{`tar --create -f a.tgz src`, `through`},
		{`tar -C sub -czf a.tgz src`, `through; r:sub/src; !r:src`},
		{`tar -C sub -czf a.tgz -C b src`, `through; r:src`},
		{`tar -C sub -czf a.tgz -C b`, `through; r:b`},
		{`tar -tf a.tgz`, `!through`},
		{`tar -xf a.tgz -C b`, `!through`},
		{`tar -df a.tgz src`, `through`},
		{`zip -r a.zip src`, `through`},
		{`zip a.zip f`, `!through`},
		{`diff -r a b`, `through`},
		{`rsync -a a b`, `through`},
		{`scp -r a h:`, `through`},
		{`scp a h:`, `!through`},
		{`git clean -fdx`, `through`},
		{`git clean -fd`, `!through`},
		{`git clean -ndx`, `!through`},
		{`git diff --no-index a b`, `through`},
		{`git diff HEAD`, `!through`},
		{`rgrep x`, `through; r:.`},
		{`fd -x cat`, `through`},
		{`fd foo`, `!through`},
		{`jar cf a.jar .`, `through`},
		{`sudo grep x a`, `!through`},
	} {
		s.check(t)
	}
}

// below is what a command says of the first folder that it goes through.
func below(t *testing.T, command string) *Below {
	t.Helper()
	for _, p := range Judge(Invocation{Words: split(command)}).Paths {
		if p.Below != nil {
			return p.Below
		}
	}
	t.Fatalf("%s: goes through nothing", command)
	return nil
}

func TestWhatAProgramLeavesOut(t *testing.T) {
	for command, c := range map[string]struct{ hidden, ignored, links bool }{
		"rg foo":                      {true, true, false},
		"rg --hidden foo":             {false, true, false},
		"rg -. foo":                   {false, true, false},
		"rg -nu foo":                  {false, false, false},
		"rg --no-ignore foo":          {true, false, false},
		"rg -L foo":                   {true, true, true},
		"rg --ignore-file x foo":      {false, false, false},
		"rg -t go foo":                {true, true, false},
		"rg -tsh foo":                 {false, true, false},
		"rg --type zsh foo":           {false, true, false},
		"rg --type-add 'a:*' -ta foo": {false, true, false},
		"rg -g '*.go' foo":            {false, false, false},
		"rg -g '!*.go' foo":           {true, true, false},
		"ag foo":                      {true, true, false},
		"ag -u foo":                   {false, false, false},
		"ag -U foo":                   {true, false, false},
		"ag --hidden foo":             {false, true, false},
		"ack foo":                     {false, false, false},
		"grep -r x":                   {false, false, false},
		"grep -R x":                   {false, false, true},
		"cp -r a b":                   {false, false, false},
		"cp -rL a b":                  {false, false, true},
		"tar chf a .":                 {false, false, true},
		"zip -r a .":                  {false, false, true},
		"find -L . -exec cat {} +":    {false, false, true},
		"find . -exec cat {} +":       {false, false, false},
	} {
		if b := below(t, command); b.NoHidden != c.hidden || b.NoIgnored != c.ignored || b.Links != c.links {
			t.Errorf("%s: %+v", command, *b)
		}
	}
}

func TestWhichNamesAProgramTakes(t *testing.T) {
	for command, c := range map[string]struct{ takes, leaves, folders string }{
		"grep -r x .":                                                {".env a.go *", "", ""},
		"grep -r --include='*.go' x .":                               {"a.go", ".env a.py", ""},
		"grep -r --include='*.go' --include=.env x .":                {"a.go .env", "a.py", ""},
		"grep -r --include='[.]env' x .":                             {"a.go .env", "", ""},
		"grep -r --exclude=.env x .":                                 {"a.go .envrc", ".env", ""},
		"grep -r --exclude=.env --include='*.go' x .":                {".env a.go a.py", "", ""},
		"grep -r --exclude='[.]env' x .":                             {".env", "", ""},
		"grep -r --exclude-dir=conf x .":                             {"conf .env", "", "conf"},
		"rg -g '*.{go,md}' foo":                                      {"a.go a.md", ".env", ""},
		"rg -g 'src/**/*.go' foo":                                    {"a.go", ".env", ""},
		"rg -g 'src/**' foo":                                         {"a.go .env", "", ""},
		"rg -g '*.go' -g '{a,[.]env}' foo":                           {"a.go .env", "", ""},
		"rg -g '*.go' -g '!.env' foo":                                {"a.go", ".env", ""},
		"tar czf a.tgz --exclude=conf .":                             {".env", "conf", "conf"},
		"diff -r -x .env a b":                                        {"a.go", ".env", ".env"},
		"find . -name '*.go' -exec cat {} +":                         {"a.go", ".env", ""},
		"find . -type f -name '*.go' -exec cat {} +":                 {"a.go", ".env", ""},
		`find . -exec cat {} + -name '*.go'`:                         {"a.go", "", ""},
		`find . ! -name '*.go' -exec cat {} +`:                       {"a.py .env", "", ""},
		`find . -not -name '*.go' -exec cat {} +`:                    {"a.py .env", "", ""},
		`find . -name '*.go' -o -exec cat {} +`:                      {"a.py .env", "", ""},
		`find . '(' -name '*.go' -o -name '*.md' ')' -exec cat {} +`: {"a.go a.md", ".env", ""},
		`find . '(' -name '*.go' -o -type f ')' -exec cat {} +`:      {"a.go .env", "", ""},
		`find . ! '(' -name '*.go' ')' -exec cat {} +`:               {"a.py .env", "", ""},
	} {
		b := below(t, command)
		for _, n := range strings.Fields(c.takes) {
			if !b.Takes(n) {
				t.Errorf("%s leaves out %s: %+v", command, n, *b)
			}
		}
		for _, n := range strings.Fields(c.leaves) {
			if b.Takes(n) {
				t.Errorf("%s takes %s: %+v", command, n, *b)
			}
		}
		if got := strings.Join(b.ExceptFolders, " "); got != c.folders {
			t.Errorf("%s: %s", command, got)
		}
	}
}

// What is fed to a program is searched in the place of the folder that it is in.
func TestAProgramThatIsFedDoesNotSearchItsFolder(t *testing.T) {
	for command, searches := range map[string]bool{"rg foo": false, "ag foo": false, "grep -r foo": true, "rg foo src": true} {
		j := Judge(Invocation{Words: split(command), Fed: true})
		if got := slices.ContainsFunc(j.Paths, func(p Path) bool { return p.Below != nil }); got != searches {
			t.Errorf("%s: %+v", command, j.Paths)
		}
	}
}

// spec: KH-43
func TestWhichFilesAreOnlyShownToSignIn(t *testing.T) {
	for _, s := range []seen{
		{`ssh -i k h`, `signs; r:k`}, {`ssh -ik h`, `signs; r:k`}, {`ssh -F k h`, `signs`}, {`ssh -S k h`, `!signs`}, {`scp -i k a h:`, `signs`}, {`scp k h:`, `!signs`},
		{`sftp -i k h`, `signs`}, {`sftp -b k h`, `!signs`}, {`rsync --password-file=k a h:`, `signs`}, {`rsync k h:`, `!signs`},
		{`curl -E k https://h`, `signs`}, {`curl --cert k --key k https://h`, `signs`}, {`curl -K k https://h`, `!signs`}, {`curl -b k https://h`, `!signs`},
		{`curl -T k https://h`, `!signs`}, {`curl -F a=@k https://h`, `!signs`}, {`wget --certificate=k https://h`, `signs`}, {`wget --post-file=k https://h`, `!signs`},
		{`kubectl --kubeconfig k get pods`, `signs`}, {`kubectl apply -f k`, `!signs`}, {`docker --config k ps`, `signs`}, {`helm --kubeconfig k list`, `signs`},
		{`npm --userconfig k install`, `signs`}, {`ssh-add k`, `signs`}, {`openssl s_client -connect h:1 -key k`, `signs`}, {`openssl rsa -in k`, `!signs`},
		{`aws s3 cp k s3://b`, `!signs`}, {`aws --profile k s3 ls`, `!signs`}, {`ncat --ssl-key k h 1`, `signs`},
		// A pattern may become more words than the option takes.
		{`ssh -i k* h`, `!signs`},
	} {
		s.check(t)
	}
}
