package record_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/record"
	"countersign/backend/registry/registrytest"
	"countersign/backend/tool"
)

var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// story is a record of n decisions of a session, line by line: every other one is an answer
// with its card.
func story(t testing.TB, sessionID string, start record.Start, n int) []string {
	t.Helper()
	sealed, err := record.Begin(sessionID, start)
	must(t, err)
	lines := []string{string(record.AppendLine(nil, sealed, nil))}
	head := record.HeadOf(sessionID, sealed)
	for i := range n {
		inv := registrytest.Authorized(registrytest.Proposed(fmt.Sprintf("i%d", i)))
		entry, card := record.Authorized(&inv), record.Card{}
		if i%2 == 1 {
			q := approvaltest.Asked(fmt.Sprintf("a%d", i), sessionID, inv.ID)
			card, err = record.CardOf(q)
			must(t, err)
			entry = record.Resolved(&q, card.Hash, approval.End{Status: approval.StatusApproved, Resolution: approval.AllowOnce, By: "person", At: at}, nil)
		}
		sealed, err = head.Seal(entry)
		must(t, err)
		lines = append(lines, string(record.AppendLine(nil, sealed, card.Text)))
		head = record.HeadOf(sessionID, sealed)
	}
	closed, err := head.Close()
	must(t, err)
	return append(lines, string(record.AppendLine(nil, closed, nil)))
}

func verify(t testing.TB, lines []string) record.Finding {
	t.Helper()
	found, err := record.Verify(strings.NewReader(strings.Join(lines, "")))
	must(t, err)
	return found
}

func TestWholeRecordHolds(t *testing.T) {
	for _, n := range []int{0, 1, 7} {
		found := verify(t, story(t, "s1", record.Start{After: 3, Calls: 2}, n))
		if found.Problem != record.ProblemNone || found.Entries != int64(n) || found.Session != "s1" || found.Start != (record.Start{After: 3, Calls: 2}) || found.Last == "" {
			t.Errorf("%d decisions: %+v", n, found)
		}
	}
}

// forged is a line of its own making: its hash is right, and it hangs on the line before.
func forged(t testing.TB, before string, seq int64) string {
	t.Helper()
	hash := before[strings.Index(before, `"hash":"`)+8:][:64]
	inv := registrytest.Authorized(registrytest.Proposed("forged"))
	sealed, err := record.Head{Session: "s1", Seq: seq - 1, Hash: hash}.Seal(record.Authorized(&inv))
	must(t, err)
	return string(record.AppendLine(nil, sealed, nil))
}

func TestFirstBrokenLinkIsNamed(t *testing.T) {
	other := story(t, "s2", record.Start{}, 3)
	for name, c := range map[string]struct {
		do      func(l []string) []string
		problem record.Problem
		line    int
		words   string
	}{
		"nothing":                 {func([]string) []string { return nil }, record.ProblemEmpty, 0, "It holds nothing."},
		"something else":          {func([]string) []string { return []string{"hello\n"} }, record.ProblemNotARecord, 1, "Line 1 is not how a decision record begins"},
		"a changed decision":      {replace(3, "person", "policy"), record.ProblemChanged, 4, "Line 4 was changed: its entry has the hash "},
		"a changed hash":          {replace(3, `"hash":"`, `"hash":"0`), record.ProblemUnreadable, 4, "Line 4 cannot be read: it gives a hash that is none"},
		"a changed card":          {replace(2, `"wire":"suite_write"`, `"wire":"suite_read"`), record.ProblemCard, 3, "The card of line 3 was changed: its card has the hash "},
		"a card taken out":        {func(l []string) []string { l[2] = l[2][:strings.Index(l[2], `,"card"`)] + "}\n"; return l }, record.ProblemCard, 3, "is missing"},
		"a card put in":           {func(l []string) []string { l[1] = strings.TrimSuffix(l[1], "}\n") + `,"card":{}` + "}\n"; return l }, record.ProblemCard, 2, "says of none"},
		"something beside":        {replace(3, `{"entry"`, `{"note":"x","entry"`), record.ProblemUnreadable, 4, "not written as a decision record is"},
		"another spelling":        {replace(3, `{"entry":`, `{"entry": `), record.ProblemUnreadable, 4, "not written as a decision record is"},
		"an entry twice":          {replace(3, `{"entry":`, `{"entry":{},"entry":`), record.ProblemUnreadable, 4, "not written as a decision record is"},
		"no JSON":                 {replace(3, `{"entry"`, `entry`), record.ProblemUnreadable, 4, "no line of a decision record"},
		"an empty line":           {func(l []string) []string { return slices.Insert(l, 3, "\n") }, record.ProblemUnreadable, 4, "Line 4"},
		"one taken out":           {func(l []string) []string { return slices.Delete(l, 3, 4) }, record.ProblemRemoved, 4, "1 decision is missing before line 4: it holds decision 4, and decision 3 was to come."},
		"two taken out":           {func(l []string) []string { return slices.Delete(l, 3, 5) }, record.ProblemRemoved, 4, "2 decisions are missing before line 4"},
		"the last taken out":      {func(l []string) []string { return slices.Delete(l, 6, 7) }, record.ProblemRemoved, 7, "1 decision is missing before line 7"},
		"the beginning taken out": {func(l []string) []string { return l[1:] }, record.ProblemRemoved, 1, "its beginning is missing"},
		"two exchanged":           {func(l []string) []string { l[3], l[4] = l[4], l[3]; return l }, record.ProblemReordered, 4, "Line 4 is out of order: it holds decision 4, and decision 3 stands in line 5."},
		"one repeated":            {func(l []string) []string { return slices.Insert(l, 4, l[2]) }, record.ProblemRepeated, 5, "Line 5 repeats line 3."},
		"one put in":              {func(l []string) []string { return slices.Insert(l, 4, forged(t, l[3], 4)) }, record.ProblemInserted, 5, "Line 5 was put in: line 6 follows line 4."},
		"one of another session":  {func(l []string) []string { return slices.Insert(l, 2, other[2]) }, record.ProblemInserted, 3, "Line 3 was put in: it belongs to another session."},
		"one put in its place":    {func(l []string) []string { l[4] = forged(t, l[3], 4); return l }, record.ProblemReplaced, 5, "Line 5 was changed together with its hash"},
		"another beginning":       {replace(0, `"after":3`, `"after":0`), record.ProblemChanged, 1, "Line 1 was changed"},
		"the end cut off":         {func(l []string) []string { return l[:5] }, record.ProblemCutOff, 5, "The record is cut off behind line 5: its closing line is missing. 4 decisions up to there hold."},
		"cut in a line":           {func(l []string) []string { l[5] = l[5][:40]; return l[:6] }, record.ProblemCutOff, 6, "The record is cut off in line 6"},
		"a changed count":         {replace(7, `"entries":6`, `"entries":5`), record.ProblemChanged, 8, "Line 8 was changed"},
		"more behind the end":     {func(l []string) []string { return append(l, l[2]) }, record.ProblemAfterEnd, 9, "Line 9 stands behind the closing line."},
	} {
		t.Run(name, func(t *testing.T) {
			found := verify(t, c.do(story(t, "s1", record.Start{After: 3, Calls: 2}, 6)))
			if found.Problem != c.problem || found.Line != c.line || !strings.Contains(found.Words, c.words) {
				t.Errorf("got %s in line %d: %s", found.Problem, found.Line, found.Words)
			}
		})
	}
}

func replace(line int, from, to string) func([]string) []string {
	return func(l []string) []string {
		before := l[line]
		if l[line] = strings.Replace(before, from, to, 1); l[line] == before {
			panic(from + " is not in the line")
		}
		return l
	}
}

// No byte of a record can be another.
func TestEveryChangedByteIsFound(t *testing.T) {
	whole := []byte(strings.Join(story(t, "s1", record.Start{}, 3), ""))
	rapid.Check(t, func(t *rapid.T) {
		text := bytes.Clone(whole)
		i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		found, err := record.Verify(bytes.NewReader(text))
		if err != nil || found.Problem == record.ProblemNone {
			t.Fatalf("byte %d: %+v, %v", i, found, err)
		}
	})
}

// Who waits for an answer is no part of what is shown; what is shown counts what it hides, and
// holds no secret.
func TestCardIsWhatEyesSee(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	q := approvaltest.Asked("a1", "s1", "i1")
	q.Canonical = []byte(`{"command":"login ` + secret + `"}`)
	q.Paths[0].Path.Arg, q.Pins[0].Path.Real, q.Diffs[0].Path = secret, "/w/"+secret, secret
	q.Hidden = nil
	card, err := record.CardOf(q)
	must(t, err)
	if bytes.Contains(card.Text, []byte(secret)) || !bytes.Contains(card.Text, []byte(`"hidden":[{"count":1,"kind":"token"}]`)) {
		t.Errorf("the card is %s", card.Text)
	}
	left := q
	left.InvocationID, left.CallerLeft, left.LeftWhy = "i2", true, "left"
	if same, err := record.CardOf(left); err != nil || same.Hash != card.Hash {
		t.Errorf("who waits is on the card: %v", err)
	}
	for name, change := range map[string]func(*approval.Request){
		"arguments": func(q *approval.Request) { q.Canonical = []byte(`{}`) },
		"diff":      func(q *approval.Request) { q.Diffs = []tool.FileDiff{{Unified: "other"}} },
		"rules":     func(q *approval.Request) { q.PolicyVersion = "policy-2" },
		"why":       func(q *approval.Request) { q.Decision.Chain = nil },
		"pins":      func(q *approval.Request) { q.Pins = nil },
		"hidden":    func(q *approval.Request) { q.Hidden = []tool.Hidden{{Kind: "password", Count: 3}} },
	} {
		other := q
		change(&other)
		if changed, err := record.CardOf(other); err != nil || changed.Hash == card.Hash {
			t.Errorf("%s: the hash is the same, %v", name, err)
		}
	}
}

// Whatever an end says is told, by its names in JSON, and without secrets.
func TestEntryTellsAllThatAnEndSays(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	q := approvaltest.Asked("a1", "s1", "i1")
	q.Decision.Chain[0].Reason = "It holds " + secret + "."
	grant := approvaltest.Granted("g1", "a1", policy.GrantSession)
	grant.Value = secret
	entry := record.Resolved(&q, "", approval.End{Status: approval.StatusDenied, Resolution: approval.Deny, By: "person", Words: "not " + secret, At: at}, []policy.Grant{grant})
	sealed, err := record.Head{Session: "s1", Hash: "h"}.Seal(entry)
	must(t, err)
	text := string(sealed.Text)
	if strings.Contains(text, secret) {
		t.Errorf("a secret is in %s", text)
	}
	for _, part := range []string{`"end":{"at":"2026-03-04T05:06:07.000Z","by":"person","resolution":"deny","status":"denied","words":"not [redacted:`, `"grants":[{`, `"kind":"approval.resolved"`, `"previous":"h"`, `"chain":[{"layer":"preset"`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not in %s", part, text)
		}
	}
}

// Which changes were allowed is a part of the decision.
func TestEntryTellsWhatWasKept(t *testing.T) {
	q := approvaltest.Asked("a1", "s1", "i1")
	end := approval.End{Status: approval.StatusApproved, Resolution: approval.AllowOnce, Keep: [][]int{{0, 2}}, By: "person", At: at}
	sealed, err := record.Head{Session: "s1", Hash: "h"}.Seal(record.Resolved(&q, "", end, nil))
	must(t, err)
	if text := string(sealed.Text); !strings.Contains(text, `"keep":[[0,2]]`) {
		t.Errorf("what was kept is not in %s", text)
	}
}

// The form is a contract: records that were given away are checked by later versions.
func TestFormOfALine(t *testing.T) {
	lines := story(t, "s1", record.Start{}, 0)
	want := `{"entry":{"after":0,"calls_before":0,"kind":"record.begun","seq":0,"session":"s1","version":1},` +
		`"hash":"6fe7cecd946a0521aefe217224a47c426fc99d795cd8fb4866dc273ead6d12d6"}` + "\n"
	if d := cmp.Diff(want, lines[0]); d != "" {
		t.Error(d)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
