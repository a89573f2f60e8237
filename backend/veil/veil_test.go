package veil_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/veil"
)

const secret = "k7Qd2mZr9Wn4Xc8Lb3Tv"

// plant puts a text into every text of a value.
func plant(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[tool.Untrusted]() {
			v.Set(reflect.ValueOf(tool.Mark(text)))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				plant(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(`{"text":"` + text + `"}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		plant(v.Index(0), text)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if v.Type().Key().Kind() == reflect.String && v.Type().Elem().Kind() == reflect.Interface {
			v.SetMapIndex(reflect.ValueOf("name").Convert(v.Type().Key()), reflect.ValueOf(map[string]any{"inner": []any{text, []string{text}}}))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		plant(v.Elem(), text)
	}
}

// showing returns the paths of the texts of a value that show the secret.
func showing(v reflect.Value, path string) (out []string) {
	switch v.Kind() {
	case reflect.String:
		if strings.Contains(v.String(), secret) {
			out = append(out, path)
		}
	case reflect.Struct:
		if u, is := v.Interface().(tool.Untrusted); is {
			return showing(reflect.ValueOf(u.Open()), path)
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out = append(out, showing(v.Field(i), path+"."+v.Type().Field(i).Name)...)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return showing(reflect.ValueOf(string(v.Bytes())), path)
		}
		for i := range v.Len() {
			out = append(out, showing(v.Index(i), path)...)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			out = append(out, showing(v.MapIndex(k), path)...)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return showing(v.Elem(), path)
		}
	}
	return out
}

// facts are the fields that hold ids, words of ours, places and kinds, as they are stored.
// A new field is either one of them or is copied.
var facts = map[string]string{
	"request": `.ID .SessionID .InvocationID .ToolID .Wire .Set .SideEffect .Risk .Decision.Verdict .Decision.ReasonCode .Decision.Chain.Layer
		.Decision.Chain.Verdict .Decision.Capabilities .ArgumentsHash .Fingerprint .BatchID .Changed.By .Changed.Hash .PolicyVersion .Pins .Preview .Diffs.Path .Diffs.Notes .Paths .About.Label
		.Offers.Covered .Offers.Lives .Granting .NoGrant .Hidden .Listing.Steps.Marks.Effect .Moved .Card .Status .LeftWhy .Resolution .ResolvedBy`,
	"invocation": `.ID .SessionID .CallID .Turn .ToolID .Version .Set .Source .ServerID .State .CallerTag .SideEffect .Risk .Idempotency .OriginTrust
		.ArgumentsHash .AskedHash .ChangedBy .IdempotencyKey .PolicyVersion .Decision.Verdict .Decision.ReasonCode .Decision.Chain.Layer .Decision.Chain.Verdict
		.Decision.Capabilities .DecidedBy .Grants .Answered .Status .ReasonCode .OutputTrust .Metadata.ProcessID .Metadata.Truncation.SpillPath .Content.Type
		.Content.Mime .Content.Handle .ParallelGroup`,
	"message": `.ID .SessionID .Role .Calls.ID .Calls.Name .CallID .Status .Model .Trust`,
	"session": `.ID .Workspace .TrustRoot .Caller.Kind .Limits .Status .Owner`,
}

// planted returns a value with a secret in every text.
func planted[T any]() T {
	var v T
	plant(reflect.ValueOf(&v).Elem(), "password="+secret)
	return v
}

func TestCopiesShowNoSecretWhereWordsStand(t *testing.T) {
	for name, copied := range map[string]any{
		"request": veil.Request(planted[approval.Request]()), "invocation": veil.Invocation(planted[session.Invocation]()),
		"message": veil.Message(planted[session.Message]()), "session": veil.Session(planted[session.Session]()),
	} {
		known := strings.Fields(facts[name])
		for _, path := range showing(reflect.ValueOf(copied), "") {
			if !slices.ContainsFunc(known, func(fact string) bool { return path == fact || strings.HasPrefix(path, fact+".") }) {
				t.Errorf("the copy of a %s shows a secret in %s", name, path)
			}
		}
	}
}

// A tool's own facts are copied whatever they are made of.
func TestFactsOfAToolAreCopiedWhateverTheyAreMadeOf(t *testing.T) {
	type line struct {
		Text   string `json:"text"`
		Number int64  `json:"number"`
	}
	text, hidden := "password="+secret, "password=[redacted:"+string(redact.MarkOf("s1"))+"]"
	inv := session.Invocation{SessionID: "s1"}
	inv.Metadata.Extra = map[string]any{
		"lines": []line{{text, 1 << 60}}, "one": &line{text, 2}, "named": map[string]string{"a": text}, "lists": [][]string{{text}}, "raw": json.RawMessage(`{"a":"` + text + `"}`),
		"count": 3, "size": int64(1 << 60), "none": nil, "yes": true, "odd": func() {}, "foreign": tool.Mark(text),
	}
	got := veil.Invocation(inv).Metadata.Extra
	want := map[string]any{
		"lines": []any{map[string]any{"text": hidden, "number": json.Number("1152921504606846976")}}, "one": map[string]any{"text": hidden, "number": json.Number("2")},
		"named": map[string]any{"a": hidden}, "lists": []any{[]any{hidden}}, "raw": map[string]any{"a": hidden},
		"count": 3, "size": int64(1 << 60), "none": nil, "yes": true, "odd": "[redacted:" + string(redact.MarkOf("s1")) + "]", "foreign": got["foreign"],
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if shown, err := json.Marshal(got); err != nil || strings.Contains(string(shown), secret) {
		t.Errorf("%s, %v", shown, err)
	}
}

func TestACopyLeavesTheOriginalAsItIs(t *testing.T) {
	q, inv := planted[approval.Request](), planted[session.Invocation]()
	before, beforeInv := showing(reflect.ValueOf(q), ""), showing(reflect.ValueOf(inv), "")
	veil.Request(q)
	veil.Preview(&approval.Request{Diffs: q.Diffs, About: q.About, Offers: q.Offers, Dangers: q.Dangers, Decision: q.Decision})
	veil.Invocation(inv)
	if d := cmp.Diff(before, showing(reflect.ValueOf(q), "")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(beforeInv, showing(reflect.ValueOf(inv), "")); d != "" {
		t.Error(d)
	}
}

func TestACopySaysHowMuchItHides(t *testing.T) {
	q := veil.Request(approval.Request{
		SessionID: "s1", Command: tool.Mark("curl -u me:" + secret + " -H 'Authorization: Bearer " + secret + "' https://h.example"),
		Canonical: []byte(`{"command":"curl -u me:` + secret + ` -H 'Authorization: Bearer ` + secret + `' https://h.example"}`),
	})
	want := []tool.Hidden{{Kind: "password", Count: 1}, {Kind: "credential", Count: 1}}
	mark := redact.MarkOf("s1").String()
	if d := cmp.Diff(want, q.Hidden); d != "" || q.Command.Open() != "curl -u me:"+mark+" -H 'Authorization: Bearer "+mark+"' https://h.example" {
		t.Errorf("%s %s", d, q.Command.Open())
	}
	// The copy of what is stored, which is a copy already, still says it.
	if again := veil.Request(q); cmp.Diff(want, again.Hidden) != "" {
		t.Errorf("again: %v", again.Hidden)
	}
}

// Whatever quotes a part of the command hides what is a secret only in the whole.
func TestAPartOfACommandHidesWhatTheWholeHides(t *testing.T) {
	q := approval.Request{
		SessionID: "s1", Command: tool.Mark("tool --password 'dragon rider " + secret + "' && echo done"),
		About:  []tool.About{{Label: "Step", Text: tool.Mark("tool --password dragon rider " + secret)}},
		Offers: []policy.Offer{{Shown: "tool --password dragon rider " + secret}},
	}
	hidden := veil.Preview(&q)
	mark := redact.MarkOf("s1").String()
	if got := q.About[0].Text.Open(); got != "tool --password "+mark || q.Offers[0].Shown != got {
		t.Errorf("%s, %s", got, q.Offers[0].Shown)
	}
	if d := cmp.Diff([]tool.Hidden{{Kind: "password", Count: 1}}, hidden); d != "" {
		t.Error(d)
	}
}

// A grant is stored as it is matched, so none is offered that would hold a secret, and no
// wider one slips into its place.
func TestNoGrantIsOfferedForWhatHoldsASecret(t *testing.T) {
	q := approval.Request{SessionID: "s1", Offers: []policy.Offer{
		{Shown: "tool --token " + secret, Choices: []policy.Choice{{Key: "tool --token " + secret}, {Key: "tool *"}}},
		{Shown: "git log", Choices: []policy.Choice{{Key: "git log"}}},
	}}
	veil.Preview(&q)
	if o := q.Offers[0]; o.Open() || o.Why == "" || strings.Contains(o.Shown, secret) {
		t.Errorf("%+v", o)
	}
	if !q.Offers[1].Open() {
		t.Errorf("%+v", q.Offers[1])
	}
}

func TestHeadsOfAnOlderProgramAreCopied(t *testing.T) {
	got := veil.HistoryCall(session.HistoryCall{
		Invocation: session.Invocation{SessionID: "s1"}, Heads: map[string]session.Head{"command": {Text: tool.Mark("x --token " + secret)}},
		Request: &session.HistoryRequest{Words: tool.Mark("use password=" + secret)},
	})
	if left := showing(reflect.ValueOf(got), ""); len(left) > 0 {
		t.Errorf("it shows a secret in %v", left)
	}
}
