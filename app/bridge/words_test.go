package bridge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestVerbAndSubject(t *testing.T) {
	for _, c := range []struct {
		inv           session.Invocation
		verb, subject string
	}{
		{session.Invocation{ToolID: "read", Canonical: []byte(`{"file_path":"/w/a/b.go"}`)}, "Read", "a/b.go"},
		{session.Invocation{ToolID: "read", Canonical: []byte(`{"file_path":"/w/../etc/passwd"}`)}, "Read", "/w/../etc/passwd"},
		{session.Invocation{ToolID: "write", Raw: []byte(`{"file_path":"x.md"}`)}, "Write", "x.md"},
		{session.Invocation{ToolID: "write", Raw: []byte(`{"file_path":`)}, "Write", ""},
		{session.Invocation{ToolID: "math.calculate", Canonical: []byte(`{"expression":"1+1"}`)}, "Calculate", "1+1"},
		{session.Invocation{ToolID: "system.current_time", Canonical: []byte(`{}`)}, "Tell the time", "UTC"},
		{session.Invocation{ToolID: "bash", Canonical: []byte(`{"command":"npm test"}`)}, "Run", "npm test"},
		{session.Invocation{ToolID: "process", Canonical: []byte(`{"action":"start","command":"npm run dev","id":"p9"}`)}, "Process start", "npm run dev"},
		{session.Invocation{ToolID: "process", Canonical: []byte(`{"action":"read","command":"npm run dev","id":"p3"}`)}, "Process read", "p3"},
		{session.Invocation{ToolID: "process", Canonical: []byte(`{"action":"list"}`)}, "Process list", ""},
		{session.Invocation{ToolID: "process", Raw: []byte(`{"action":"read <b>all</b>"}`)}, "Process", "read <b>all</b>"},
		{session.Invocation{ToolID: "deploy", Canonical: []byte(`{"x":1}`)}, "Call", "deploy"},
		{session.Invocation{Name: tool.Mark("rm_all")}, "Call", "rm_all"},
	} {
		verb, head := verbAndSubject(&c.inv, session.HeadsOf(argumentText(&c.inv)), "/w")
		subject := head.Text.Open()
		if verb != c.verb || subject != c.subject {
			t.Errorf("%s: got %q %q, want %q %q", c.inv.ToolID, verb, subject, c.verb, c.subject)
		}
	}
}

func TestALongSubjectIsCutInAListOnly(t *testing.T) {
	long := strings.Repeat("é", maxSubject)
	got := clip(long)
	if len(got) > maxSubject+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("got %d bytes ending in %q", len(got), got[len(got)-6:])
	}
	r := writeRequest()
	r.Paths[0].Path.Rel = strings.Repeat("a/", maxSubject)
	row := approvalRow(approval.Brief{Request: r}, writeSession())
	if len(row.Subject)+row.SubjectLeft != 2*maxSubject || row.SubjectLeft != maxSubject {
		t.Errorf("the row shows %d characters and counts %d more", len(row.Subject), row.SubjectLeft)
	}
	if c := card(r, writeSession(), nil); c.Paths[0].Path != r.Paths[0].Path.Rel {
		t.Error("the path of a decision was cut")
	}
	call := session.Invocation{ToolID: "read", Canonical: []byte(`{"file_path":"/w/` + strings.Repeat("b", 1000) + `"}`)}
	line := callRow(&call, session.HeadsOf(call.Canonical), "/w", "")
	if !strings.HasPrefix(line.Subject, "bbb") || len(line.Subject)+line.SubjectLeft != 1000 {
		t.Errorf("the line shows %q and counts %d more", line.Subject, line.SubjectLeft)
	}
}

func TestTheSubjectOfARequestIsWhatItActsOn(t *testing.T) {
	for want, b := range map[string]approval.Brief{
		"a.go":                {Request: approval.Request{Diffs: []tool.FileDiff{{Path: "a.go"}}}},
		"go test":             {Request: approval.Request{Command: tool.Mark("go test")}, CommandLeft: 7},
		"https://example.org": {Request: approval.Request{URL: tool.Mark("https://example.org")}, URLLeft: 7},
		"1+1":                 {Request: approval.Request{ToolID: "math.calculate"}, Heads: session.HeadsOf([]byte(`{"expression":"1+1"}`))},
		"deploy":              {Request: approval.Request{ToolID: "deploy"}},
	} {
		got := requestSubject(b)
		if got.Text.Open() != want || got.Left != b.CommandLeft+b.URLLeft {
			t.Errorf("got %q and %d more, want %q", got.Text.Open(), got.Left, want)
		}
	}
}

// spec: KH-9
func TestFigure(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, c := range []struct {
		inv  session.Invocation
		want string
	}{
		{session.Invocation{State: session.StateSucceeded, Metadata: tool.Metadata{Additions: n(3), Deletions: n(1)}}, "+3 −1"},
		{
			session.Invocation{State: session.StateSucceeded, Metadata: tool.Metadata{Additions: n(3), Deletions: n(1), Extra: map[string]any{"changesKept": float64(1), "changes": float64(2)}}},
			"+3 −1, kept 1 of 2 changes",
		},
		{session.Invocation{State: session.StateSucceeded, Metadata: tool.Metadata{Matches: n(1400), Files: n(1)}}, "1,400 in 1 file"},
		{session.Invocation{State: session.StateSucceeded, Metadata: tool.Metadata{Extra: map[string]any{"lines": float64(186)}}}, "186 lines"},
		{session.Invocation{State: session.StateSucceeded, Metadata: tool.Metadata{ExitCode: n(1)}}, "exit 1"},
		{session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalUserRejected}, "by you"},
		{session.Invocation{State: session.StateDenied, ReasonCode: tool.CodePolicyDenied}, "by the rules"},
		{session.Invocation{State: session.StateFailed, ReasonCode: tool.CodeArgumentsInvalid}, "arguments refused"},
		{session.Invocation{State: session.StateFailed, ReasonCode: "tool.not_found.not_found"}, "text not found"},
		{session.Invocation{State: session.StateFailed, ReasonCode: "tool.invalid_arguments.too_large"}, "too large"},
		{session.Invocation{State: session.StateFailed, ReasonCode: "tool.invalid_arguments.bad_pattern"}, "bad pattern"},
		{session.Invocation{State: session.StateFailed, ReasonCode: tool.CodeExecutionFailed}, ""},
		{session.Invocation{State: session.StateUncertain}, "it may have happened"},
		{session.Invocation{State: session.StateRunning}, ""},
	} {
		if got := figure(&c.inv); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.inv.State, c.inv.ReasonCode, got, c.want)
		}
	}
}

// A call that waits or was refused is stored as it was sent, maybe with the other spelling.
func TestASubjectIsFoundInBothSpellings(t *testing.T) {
	for _, id := range []string{"read", "write", "edit"} {
		inv := session.Invocation{ToolID: id, Raw: []byte(`{"path":"/w/src/a.ts","content":"x"}`)}
		if _, head := verbAndSubject(&inv, session.HeadsOf(argumentText(&inv)), "/w"); head.Text.Open() != "src/a.ts" {
			t.Errorf("%s: got %q", id, head.Text.Open())
		}
	}
	inv := session.Invocation{ToolID: "math.calculate", Raw: []byte(`{"path":"/w/a"}`)}
	if _, head := verbAndSubject(&inv, session.HeadsOf(inv.Raw), "/w"); head.Text.Len() != 0 {
		t.Errorf("got %q of a tool without that spelling", head.Text.Open())
	}
}

// A low window shows the first reason only.
func TestTheWeightiestReasonComesFirst(t *testing.T) {
	d := tool.Decision{Chain: []tool.Link{
		{Layer: tool.LayerGrant, Verdict: tool.VerdictAsk, Reason: "grant"},
		{Layer: tool.LayerPreset, Verdict: tool.VerdictAsk, Reason: "preset"},
		{Layer: tool.LayerMatrix, Verdict: tool.VerdictAsk, Reason: "matrix"},
		{Layer: tool.LayerPaths, Verdict: tool.VerdictAsk, Reason: "holds private keys"},
		{Layer: tool.LayerScopes, Verdict: tool.VerdictDeny, Reason: "denied"},
	}}
	var got []string
	for _, w := range whyAsked(d) {
		got = append(got, w.Text)
	}
	if diff := cmp.Diff([]string{"denied", "holds private keys", "matrix", "preset", "grant"}, got); diff != "" {
		t.Error(diff)
	}
}

// The name of a client is its own to choose, and ours are not.
func TestAClientThatTakesOneOfOurNamesIsMarked(t *testing.T) {
	for _, name := range []string{"Built-in agent", " built-in\u200b  AGENT ", "Command line", "This page", "MCP client", "Unknown caller", "Countersign", "the counter-sign desk"} {
		got := callerWords(session.Caller{Kind: session.CallerMCP, Name: tool.Mark(name)})
		if !strings.HasSuffix(got, " (name given by the client)") {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
	if got := callerWords(session.Caller{Kind: session.CallerMCP, Name: tool.Mark("Codex")}); got != "Codex" {
		t.Errorf("got %q", got)
	}
	if got := callerWords(session.Caller{Kind: session.CallerAgent}); got != "Built-in agent" {
		t.Errorf("got %q", got)
	}
	asked := trustQuestion(Question{AskedBy: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("Countersign")}}, session.Rules{})
	if asked.AskerKind != "mcp" || asked.AskedBy != "Countersign (name given by the client)" {
		t.Errorf("a trust question is from %s %q", asked.AskerKind, asked.AskedBy)
	}
	s := session.Session{Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("Built-in agent")}}
	if got := approvalRow(approval.Brief{}, s); got.CallerKind != "mcp" || got.Caller == "Built-in agent" {
		t.Errorf("a card is from %s %q", got.CallerKind, got.Caller)
	}
}

func TestWhyNamesTheSettingThatWouldChangeIt(t *testing.T) {
	d := tool.Decision{ReasonCode: tool.CodePolicyWorkspaceUntrusted, Chain: []tool.Link{
		{Layer: tool.LayerMatrix, Verdict: tool.VerdictAllow, Reason: "a"},
		{Layer: tool.LayerLock, Verdict: tool.VerdictDeny, Reason: "b"},
	}}
	if diff := cmp.Diff([]Why{{Layer: "lock", Verdict: "deny", Text: "b", Setting: "trust"}}, whyAsked(d)); diff != "" {
		t.Error(diff)
	}
	if got := settingOf(tool.LayerLock, tool.CodePolicyReadOnly); got != "lock" {
		t.Errorf("got %q", got)
	}
}

func TestEveryClassValueHasWords(t *testing.T) {
	for _, e := range tool.SideEffects() {
		if effectWords(e) == "Unknown effect" {
			t.Errorf("%s has no words", e)
		}
	}
	for _, i := range tool.Idempotencies() {
		if idempotencyWords(i) == "Unknown" {
			t.Errorf("%s has no words", i)
		}
	}
	for _, a := range tool.Actions() {
		if actionWords(a) == "Unknown" {
			t.Errorf("%s has no words", a)
		}
	}
	for _, l := range tool.Trusts() {
		if trustWords(l) == "" {
			t.Errorf("%s has no words", l)
		}
	}
	for _, k := range tool.TargetKinds() {
		if targetWords(k) == "Unknown" {
			t.Errorf("%s has no words", k)
		}
	}
}
