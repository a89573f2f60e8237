package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// spec: VS-12
func TestVocabulariesAreClosedAndComplete(t *testing.T) {
	if n := len(SideEffects()); n != 15 {
		t.Errorf("%d side-effect classes", n)
	}
	for _, c := range []struct{ got, want int }{
		{len(Risks()), 4}, {len(Idempotencies()), 4}, {len(Actions()), 4}, {len(Trusts()), 7}, {len(Statuses()), 6}, {len(Catalogs()), 2},
	} {
		if c.got != c.want {
			t.Errorf("%d values, want %d", c.got, c.want)
		}
	}
	for _, known := range []bool{
		SideEffect("").Known(), SideEffect("NONE").Known(), Risk("").Known(), Idempotency("once").Known(), Action("").Known(), Trust("user").Known(),
		TargetKind("").Known(), OnTimeout("").Known(), Catalog("all").Known(), Source("").Known(), PreviewKind("").Known(),
	} {
		if known {
			t.Error("a value outside its vocabulary is known")
		}
	}
	if Risk("odd").Rank() != RiskCritical.Rank() || Verdict("odd").Rank() != VerdictDeny.Rank() {
		t.Error("what is not known does not count as the strictest")
	}
}

// spec: VS-23
func TestTrustOnlyGoesDown(t *testing.T) {
	label := rapid.SampledFrom(append(Trusts(), "", "root"))
	rank := func(l Trust) int {
		if i := slices.Index(Trusts(), l); i >= 0 {
			return i
		}
		return len(Trusts()) - 1
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := label.Draw(t, "a"), label.Draw(t, "b")
		got := a.Lower(b)
		if !got.Known() || rank(got) < rank(a) || rank(got) < rank(b) || got != b.Lower(a) {
			t.Fatalf("%q and %q give %q", a, b, got)
		}
	})
}

// spec: VB-35, VB-26
func TestEverySentenceIsStatic(t *testing.T) {
	seen := map[Code]bool{}
	all := append(Reasons(), FileReasons(CodeNotRead, CodeStale, CodeIsDirectory, CodeNotAFile, CodeNotDirectory, CodeTooLarge, CodeFileNotFound, CodeIO)...)
	for _, r := range all {
		if seen[r.Code] {
			t.Errorf("%s is there twice", r.Code)
		}
		seen[r.Code] = true
		if !r.Code.Known() || !strings.HasSuffix(r.Sentence, ".") || strings.ContainsAny(r.Sentence, "%{}") {
			t.Errorf("%s: %q", r.Code, r.Sentence)
		}
		if !slices.Contains(Statuses(), r.Status) || r.Status == StatusSucceeded {
			t.Errorf("%s ends a call as %q", r.Code, r.Status)
		}
		switch r.Remediation {
		case RemediationNone, RemediationRequestApproval, RemediationModifyArguments:
		default:
			t.Errorf("%s has the remediation %q", r.Code, r.Remediation)
		}
	}
}

// spec: RL-15
func TestUntrustedTextDoesNotSlipIntoFormattedText(t *testing.T) {
	u := Mark("secret")
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q", "%d", "%x"} {
		if got := fmt.Sprintf(verb, u); strings.Contains(got, "secret") || strings.Contains(got, "736563726574") {
			t.Errorf("%s: %s", verb, got)
		}
	}
	if got := fmt.Sprint(struct{ Part Part }{TextPart("secret")}); strings.Contains(got, "secret") {
		t.Error(got)
	}
	b, err := json.Marshal(TextPart("secret"))
	if err != nil || string(b) != `{"type":"text","text":"secret"}` {
		t.Errorf("stored as %s, %v", b, err)
	}
	var back Part
	if err := json.Unmarshal(b, &back); err != nil || back.Text.Open() != "secret" {
		t.Errorf("read back as %v", err)
	}
}

func TestErrorKeepsItsCauseForTheLog(t *testing.T) {
	cause := errors.New("disk")
	err := Errorf(CodeUnavailable, "read: %w", cause).WithText("Try again.")
	if !errors.Is(err, cause) || err.Error() != "tool.unavailable: read: disk" || err.Content[0].Text.Open() != "Try again." {
		t.Errorf("got %v", err)
	}
}

// spec: KH-55
func TestArgumentsDecodeAsTheyWereSent(t *testing.T) {
	var got struct {
		N json.Number `json:"n"`
		S string      `json:"s"`
	}
	a := Args{Canonical: []byte("{\"n\":12345678901234567890,\"s\":\"caf\u00e9\"}"), Exact: []byte("{\"n\":12345678901234567890,\"s\":\"cafe\u0301\"}")}
	if err := a.Decode(&got); err != nil || got.N != "12345678901234567890" || got.S != "cafe\u0301" {
		t.Errorf("got %+v, %v", got, err)
	}
	// What is not admitted is refused without the value.
	for _, text := range []string{`{"other":1}`, `{"n":"secret"}`, `{"s":31337}`} {
		err := (Args{Canonical: []byte(text)}).Decode(&got)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeArgumentsInvalid || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "31337") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
