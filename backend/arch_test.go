package backend_test

import (
	"slices"
	"strings"
	"testing"
)

// directions says which package of ours may import which. Data walks one way: the
// core decides, the host acts, the app shows. A package without a row fails, so
// that a new one is a decision with a sentence. In may, "backend/tool" is that
// package and "tools/*" every package directly below tools.
var directions = map[string]struct {
	why string
	may []string
}{
	// Vocabulary and pure rules.
	"backend/tool":                    {"The vocabulary: it knows nobody, so that everybody can know it.", nil},
	"backend/schema":                  {"Reads and validates JSON; speaks in codes.", []string{"backend/tool"}},
	"backend/redact":                  {"Finds secrets in text before anybody looks at it.", []string{"backend/tool"}},
	"backend/bound":                   {"Cuts text to a limit and says what is missing.", []string{"backend/tool"}},
	"backend/hook":                    {"The contract with the operator's programs that look at calls; it starts none.", []string{"backend/tool", "backend/bound", "backend/schema"}},
	"backend/change":                  {"Tells two texts apart line by line, for previews and results.", []string{"backend/tool", "backend/bound"}},
	"backend/guard":                   {"Knows what must be true of a file before a tool touches it.", []string{"backend/tool", "backend/change"}},
	"backend/keylock":                 {"Lets one at a time at what a key names.", nil},
	"backend/lines":                   {"Reads a long text by the numbers of its lines; where it lies comes in.", []string{"backend/bound"}},
	"backend/lookup":                  {"What the tools that search have in common: globs, words, the full list.", []string{"backend/tool"}},
	"backend/legible":                 {"Makes plain text of what programs print for a terminal.", nil},
	"backend/running":                 {"What tools that run commands have in common, and the words about programs.", []string{"backend/tool"}},
	"backend/spelling":                {"Says how far apart two names are spelt.", nil},
	"backend/session":                 {"Turns, messages and invocations as they are written down.", []string{"backend/tool"}},
	"backend/event":                   {"The names of what happened; arguments and results live elsewhere.", []string{"backend/tool", "backend/session"}},
	"backend/toolset/manifest":        {"Reads what a tool set says of itself; directories and files come in.", []string{"backend/tool", "backend/schema"}},
	"backend/media":                   {"Says what an image is by its bytes, and how it is named.", nil},
	"backend/connect":                 {"What clients are told, and what their configuration becomes; files come in.", []string{"backend/tool", "backend/bound", "backend/change"}},
	"backend/policy/pathclass":        {"Sorts resolved paths into classes by their names alone.", []string{"backend/tool"}},
	"backend/policy/shellcmd/program": {"What the words of programs make them do, as a table.", []string{"backend/tool"}},
	"backend/policy/shellcmd":         {"Reads a command line as the shell would, without running it.", []string{"backend/tool", "backend/policy/shellcmd/program"}},
	"backend/policy":                  {"From facts to a decision: pure, so that the same facts give the same bytes.", []string{"backend/tool", "backend/session", "backend/policy/pathclass", "backend/policy/shellcmd", "backend/policy/shellcmd/program"}},

	// The engine.
	"backend/approval": {"Keeps what waits for a person; it never decides.", []string{"backend/tool", "backend/session", "backend/event", "backend/policy"}},
	"backend/registry": {"The pipeline: it asks the rules and hands calls to tools; machines come in through its constructor.", []string{
		"backend/tool", "backend/schema", "backend/redact", "backend/bound", "backend/change", "backend/session", "backend/event", "backend/hook", "backend/policy", "backend/policy/pathclass", "backend/policy/shellcmd", "backend/policy/shellcmd/program", "backend/approval", "backend/veil",
	}},
	"backend/shelf": {"Keeps the tool sets of workspaces loaded, and knows which of them a person let in; it runs nothing.", []string{
		"backend/tool", "backend/change", "backend/registry", "backend/toolset", "backend/toolset/manifest",
	}},
	"backend/veil":         {"Makes the copies of what is stored that eyes see.", []string{"backend/tool", "backend/redact", "backend/session", "backend/policy", "backend/approval"}},
	"backend/record":       {"What was decided, as a chain that shows when it was changed.", []string{"backend/tool", "backend/schema", "backend/redact", "backend/session", "backend/policy", "backend/approval", "backend/veil"}},
	"backend/model":        {"The seam to whatever proposes calls.", []string{"backend/tool", "backend/session"}},
	"backend/agent/prompt": {"Places foreign text where a model reads it.", []string{"backend/tool", "backend/session", "backend/model"}},
	"backend/agent": {"The loop between a model and the registry.", []string{
		"backend/tool", "backend/session", "backend/event", "backend/model", "backend/registry", "backend/policy", "backend/approval", "backend/agent/prompt",
	}},

	// Adapters. None imports another: what they share is vocabulary.
	"backend/model/scripted": {"Plays a task file through the seam that real models use.", []string{"backend/tool", "backend/schema", "backend/session", "backend/model"}},
	"backend/mcp": {"Carries MCP to the registry and back.", []string{
		"backend/tool", "backend/bound", "backend/session", "backend/event", "backend/policy", "backend/approval", "backend/registry",
	}},
	"backend/store": {"Keeps everything in SQLite behind the interfaces of the engine.", []string{
		"backend/tool", "backend/redact", "backend/session", "backend/event", "backend/policy", "backend/approval", "backend/registry", "backend/record", "backend/shelf",
	}},
	"backend/toolset":        {"Finds the tool sets that lie in directories, and makes tools of them.", []string{"backend/tool", "backend/schema", "backend/bound", "backend/running", "backend/policy/pathclass", "backend/toolset/manifest"}},
	"backend/spill":          {"Puts long output and images on disk.", []string{"backend/tool", "backend/session", "backend/bound", "backend/media"}},
	"backend/config":         {"Reads the settings and the environment, once.", []string{"backend/tool", "backend/schema", "backend/session", "backend/policy"}},
	"backend/host/workspace": {"The one way to files.", []string{"backend/tool", "backend/keylock", "backend/spelling"}},
	"backend/host/search":    {"Finds text and names with ripgrep.", []string{"backend/tool", "backend/bound"}},
	"backend/host/process":   {"Runs commands and ends all that they started.", []string{"backend/tool", "backend/legible", "backend/spelling"}},
	"backend/host/dotfile":   {"Reads and replaces the configuration files of other programs.", []string{"backend/tool", "backend/connect"}},
	"backend/host/desktop":   {"Shows notifications through the message bus of the session.", nil},
	"backend/host/kin":       {"Tells whether one of our own commands started this program.", []string{"backend/tool"}},
	"backend/host/clock":     {"Time, chance and ids.", []string{"backend/tool"}},

	// Tools know their vocabulary and how to cut text; never who runs them.
	"tools":   {"Lists the tools.", []string{"backend/tool", "tools/*"}},
	"tools/*": {"One folder a tool.", []string{"backend/tool", "backend/redact", "backend/bound", "backend/change", "backend/guard", "backend/keylock", "backend/lookup", "backend/running", "backend/spelling"}},

	// Wiring and what people and agents reach.
	"backend":         {"Open puts the parts together and does nothing else.", []string{"backend/*", "backend/*/*", "tools"}},
	"frontend":        {"Carries the built page.", nil},
	"app/bridge":      {"What the page may ask, in plain data.", []string{"backend", "backend/bound", "backend/shelf", "backend/toolset", "backend/toolset/manifest", "backend/lines", "backend/media", "backend/connect", "backend/running", "backend/tool", "backend/schema", "backend/session", "backend/event", "backend/policy", "backend/policy/pathclass", "backend/policy/shellcmd", "backend/approval", "backend/change", "backend/redact", "backend/veil", "backend/registry", "backend/config", "backend/store"}},
	"app/plain":       {"Says something where the page cannot be shown.", nil},
	"app/serve":       {"The bridge over loopback.", []string{"app/bridge", "app/plain", "frontend", "backend/tool"}},
	"app/desk":        {"What every page's program needs: an engine with its log, the API, the door for agents.", []string{"app/bridge", "backend", "backend/tool", "backend/redact", "backend/session", "backend/event", "backend/approval", "backend/mcp", "backend/media", "backend/store", "backend/config", "backend/host/clock"}},
	"app/countersign": {"The command line.", []string{"app/desk", "app/serve", "frontend", "backend", "backend/*", "backend/*/*", "tools"}},
	"app/desktop":     {"The window.", []string{"app/desk", "app/bridge", "app/plain", "frontend", "backend/tool", "backend/event", "backend/config", "backend/mcp", "backend/store", "backend/host/clock", "backend/host/desktop"}},

	// Test support: contract suites and measurements.
	"backend/approval/approvaltest":     {"What every ledger of approvals must do.", []string{"backend/*"}},
	"backend/registry/registrytest":     {"What every journal must do, and one in memory.", []string{"backend/*"}},
	"backend/registry/registrybench":    {"Measures a dispatch without a store.", []string{"backend/*", "backend/*/*", "tools/*"}},
	"tools/scenariotest":                {"Runs tools over real folders, and what all tools must do.", []string{"backend/tool", "backend/schema", "backend/change", "backend/policy", "backend/policy/pathclass", "backend/spill", "backend/host/*"}},
	"backend/host/desktop/desktoptest":  {"What everything must do that shows notifications, and one in memory.", []string{"backend/host/desktop"}},
	"backend/host/process/processtest":  {"Looks at processes as the system shows them.", nil},
	"backend/host/process/processbench": {"Measures commands against what the system needs for the same.", []string{"backend/*", "backend/*/*"}},
	"backend/change/changebench":        {"Makes the texts that diffs are measured on.", nil},
	"backend/store/storebench":          {"Measures the store against raw files and bare queries.", []string{"backend/*"}},

	// Developers' commands.
	"build/dev/bindings": {"Writes the page's types from the bridge.", []string{"app/bridge"}},
	"build/dev/bench": {"Prints measurements beside their limits.", []string{
		"backend/host/process/processbench", "backend/registry/registrybench", "backend/store/storebench", "backend/change", "backend/change/changebench", "backend/redact",
		"backend/tool", "backend/host/*", "backend/policy", "backend/policy/pathclass", "tools/*",
	}},
	"build/dev/spec": {"Lists the requirements that no test names.", nil},

	// Samples.
	"build/samples/sets/files": {"The program of a sample tool set, which knows nothing of ours.", nil},
}

// machine says which packages may touch the machine: files, programs, the network,
// a database. Everyone else gets the machine handed in.
var machine = map[string]string{
	"backend/store":          "keeps the database and the locks of programs",
	"backend/spill":          "keeps output on disk",
	"backend/config":         "reads the settings file and the environment",
	"backend/toolset":        "reads the directories of tool sets and makes those of their data",
	"backend/mcp":            "speaks over pipes and the desk's socket",
	"backend/model/scripted": "reads its task file",
	"backend/host/workspace": "opens files",
	"backend/host/search":    "runs ripgrep",
	"backend/host/process":   "runs commands",
	"backend/host/dotfile":   "reads and replaces files of the person",
	"backend/host/desktop":   "speaks to the message bus",
	"backend/host/kin":       "looks at the programs above this one",
	"backend/host/clock":     "reads the clock",
	"app/serve":              "listens on loopback",
	"app/desk":               "opens the log",
	"app/countersign":        "is a program: arguments, streams, signals",
	"app/desktop":            "is a program: arguments, streams, signals",
	"build/dev/bindings":     "a developer's command",
	"build/dev/bench":        "a developer's command",
	"build/dev/spec":         "a developer's command",

	"build/samples/sets/files": "is a program that a tool set runs",
}

// machineImports are the imports that the table above is about, and machineCalls
// the functions of otherwise pure packages that reach the disk.
var (
	machineImports = []string{
		"os", "os/exec", "os/signal", "os/user", "net", "net/http", "net/http/...", "net/rpc/...", "net/smtp",
		"database/sql", "database/sql/...", "syscall", "syscall/...", "plugin", "golang.org/x/sys/...", "io/ioutil",
		"log/syslog", "unsafe", "C",
	}
	machineCalls = []string{
		"path/filepath.Abs", "path/filepath.EvalSymlinks", "path/filepath.Glob",
		"path/filepath.Walk", "path/filepath.WalkDir", "time.LoadLocation",
	}
)

// ambient says who may reach for what changes from run to run. All others get a
// clock, an id or a setting from their caller, so that a test can hold it still.
var ambient = map[string]struct {
	calls   []string
	imports []string
	may     []string
}{
	"the clock": {
		calls: []string{"time.Now", "time.Since", "time.Until"},
		may:   []string{"backend/host/clock", "build/dev/*"},
	},
	"chance": {
		imports: []string{"math/rand", "math/rand/v2", "crypto/rand"},
		may:     []string{"backend/host/clock"},
	},
	"ids": {
		imports: []string{"github.com/google/uuid"},
		may:     []string{"backend/host/clock"},
	},
	"the environment": {
		calls: []string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv", "os.Setenv", "os.Unsetenv", "os.Clearenv", "os.UserHomeDir", "os.Getwd"},
		may:   []string{"backend/config", "build/dev/*"},
	},
}

// vendors fences every library of others in: who may import it, and whether tests
// anywhere may. A library without a row fails.
var vendors = map[string]struct {
	may   []string
	tests bool
}{
	"github.com/santhosh-tekuri/jsonschema/v5": {may: []string{"backend/schema"}},
	"github.com/go-json-experiment/json":       {may: []string{"backend/schema"}},
	"golang.org/x/text/unicode/norm":           {may: []string{"backend/schema"}},
	"golang.org/x/text/unicode/runenames":      {may: []string{"backend/policy/shellcmd"}},
	"github.com/modelcontextprotocol/go-sdk":   {may: []string{"backend/mcp"}},
	"github.com/google/jsonschema-go":          {may: []string{"backend/mcp"}},
	"github.com/mattn/go-sqlite3":              {may: []string{"backend/store"}},
	"github.com/pressly/goose/v3":              {may: []string{"backend/store"}},
	"github.com/godbus/dbus/v5":                {may: []string{"backend/host/desktop"}},
	"github.com/gofrs/flock":                   {may: []string{"backend/store"}},
	"github.com/tailscale/hujson":              {may: []string{"backend/connect"}},
	"github.com/pelletier/go-toml/v2":          {may: []string{"backend/connect"}},
	"github.com/google/uuid":                   {may: []string{"backend/host/clock"}},
	"github.com/bmatcuk/doublestar/v4":         {may: []string{"backend/config", "backend/lookup", "tools/glob", "tools/grep", "tools/write"}},
	"github.com/shopspring/decimal":            {may: []string{"tools/calculate"}},
	"github.com/coder/websocket":               {may: []string{"app/serve"}, tests: true},
	"github.com/spf13/cobra":                   {may: []string{"app/countersign", "app/desktop"}},
	"github.com/wailsapp/wails/v2":             {may: []string{"app/desktop"}},
	"golang.org/x/sys":                         {may: []string{"backend/host/process", "backend/host/process/processbench", "backend/host/search", "backend/host/workspace", "backend/store", "backend/mcp", "backend/spill"}},
	"mvdan.cc/sh/v3":                           {may: []string{"backend/policy/shellcmd"}},
	"golang.org/x/sync":                        {may: []string{"backend/*", "app/*"}, tests: true},

	"github.com/cockroachdb/apd/v3": {tests: true},
	"github.com/google/go-cmp":      {tests: true},
	"pgregory.net/rapid":            {tests: true},
	"go.uber.org/goleak":            {tests: true},
	"golang.org/x/tools/txtar":      {tests: true},
}

// openers may open tool.Untrusted. Where foreign text is opened, somebody decides
// where it goes; each row says where.
var openers = map[string]string{
	"backend/tool":         "defines it",
	"backend/agent/prompt": "places it before a model as data",
	"backend/registry":     "cuts results to their limits and hands a person's words on",
	"backend/store":        "binds it to a column",
	"backend/veil":         "makes the copy of it that eyes see",
	"backend/record":       "puts its copy into an entry",
	"backend/mcp":          "places it in a result for a client",
	"app/bridge":           "places it on a card as text for a person",
	"app/countersign":      "prints it as JSON, in fences, or with its control characters written out",
}

func TestTreeImportsWalkOneWay(t *testing.T) {
	for _, p := range tree(t) {
		row, ok := directions[p.path]
		if !ok {
			row, ok = directions[parent(p.path)+"/*"]
		}
		if !ok {
			t.Errorf("%s has no row in directions: say why it exists and whom it may import", p.path)
			continue
		}
		if !strings.HasSuffix(row.why, ".") {
			t.Errorf("the row of %s has no sentence", p.path)
		}
		for _, f := range p.files {
			if f.test {
				continue
			}
			for _, name := range f.imports {
				ours, ok := strings.CutPrefix(name, module+"/")
				if ok && !covered(row.may, ours) {
					t.Errorf("%s: %s may not import %s", f.name, p.path, ours)
				}
				if ok && support(ours) && !support(p.path) && !strings.HasPrefix(p.path, "build/dev/") {
					t.Errorf("%s: %s is for tests", f.name, ours)
				}
			}
		}
	}
}

// spec: KH-5, KH-62, RL-3
func TestTreeMachineIsTouchedByHostsAlone(t *testing.T) {
	for _, p := range tree(t) {
		if _, ok := machine[p.path]; ok || support(p.path) {
			continue
		}
		for _, f := range p.files {
			if f.test {
				continue
			}
			for _, name := range f.imports {
				if covered(machineImports, name) {
					t.Errorf("%s: %s may not import %s", f.name, p.path, name)
				}
			}
			for _, use := range f.uses {
				if slices.Contains(machineCalls, use.name) {
					t.Errorf("%s: %s may not call %s", use.at, p.path, use.name)
				}
			}
		}
	}
}

// spec: VB-34
func TestTreeClockChanceAndEnvironmentComeIn(t *testing.T) {
	for _, p := range tree(t) {
		if support(p.path) {
			continue
		}
		for _, f := range p.files {
			if f.test {
				continue
			}
			for what, rule := range ambient {
				if covered(rule.may, p.path) {
					continue
				}
				for _, name := range f.imports {
					if slices.Contains(rule.imports, name) {
						t.Errorf("%s: %s gets %s handed in and may not import %s", f.name, p.path, what, name)
					}
				}
				for _, use := range f.uses {
					if slices.Contains(rule.calls, use.name) {
						t.Errorf("%s: %s gets %s handed in and may not use %s", use.at, p.path, what, use.name)
					}
				}
			}
		}
	}
}

func TestTreeVendorsStayInTheirFences(t *testing.T) {
	for _, p := range tree(t) {
		for _, f := range p.files {
			for _, name := range f.imports {
				if !foreign(name) {
					continue
				}
				row, ok := vendors[fence(name)]
				switch {
				case !ok:
					t.Errorf("%s: %s has no row in vendors", f.name, name)
				case covered(row.may, p.path):
				case row.tests && (f.test || support(p.path)):
				default:
					t.Errorf("%s: %s may not import %s", f.name, p.path, name)
				}
			}
		}
	}
}

func TestTreeForeignTextIsOpenedInFewPlaces(t *testing.T) {
	for _, p := range tree(t) {
		if _, ok := openers[p.path]; ok || support(p.path) {
			continue
		}
		places, err := opensText(p)
		if err != nil {
			t.Error(err)
		}
		for _, at := range places {
			t.Errorf("%s: %s is not among the openers of foreign text", at, p.path)
		}
	}
}

// The rules above are only as good as what they read: each must refuse what it is for.
func TestTreeReaderSeesWhatTheRulesForbid(t *testing.T) {
	f := read(t, "sample.go", `package sample
import (
	clock "time"
	"os"
	"countersign/backend/tool"
)
func f(u tool.Untrusted, o interface{ Open(string) }) {
	_ = clock.Now
	_ = os.Getenv("X")
	_ = u.Open()
	_ = u.Open
	o.Open("x")
	_, _ = os.Open("x")
	os := o
	os.Open("y")
}`)
	if want := []string{"time", "os", "countersign/backend/tool"}; !slices.Equal(f.imports, want) {
		t.Errorf("imports %q, want %q", f.imports, want)
	}
	var uses []string
	for _, use := range f.uses {
		uses = append(uses, use.name)
	}
	for _, want := range []string{"time.Now", "os.Getenv"} {
		if !slices.Contains(uses, want) {
			t.Errorf("uses %q lack %s", uses, want)
		}
	}
	if want := []string{"sample.go:10", "sample.go:11"}; !slices.Equal(f.opens, want) {
		t.Errorf("opens %q, want %q", f.opens, want)
	}
}

func TestTreePatternsCoverWhatTheySay(t *testing.T) {
	for _, row := range []struct {
		pattern, name string
		want          bool
	}{
		{"tools/*", "tools/read", true},
		{"tools/*", "tools", false},
		{"tools/*", "tools/read/deep", false},
		{"net/http/...", "net/http/httptest", true},
		{"net/http/...", "net/http", true},
		{"net/http/...", "net/httpx", false},
		{"backend/tool", "backend/toolset", false},
		{"backend/*/*", "backend/host/clock", true},
	} {
		if got := covered([]string{row.pattern}, row.name); got != row.want {
			t.Errorf("%s covers %s: %v, want %v", row.pattern, row.name, got, row.want)
		}
	}
}
