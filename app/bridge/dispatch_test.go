package bridge

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/session"
)

func TestTheWireHasEveryMethodOfTheAPIAndNoOther(t *testing.T) {
	have := reflect.TypeFor[*API]()
	for i := range have.NumMethod() {
		if methods()[have.Method(i).Name] == nil {
			t.Errorf("%s cannot be called", have.Method(i).Name)
		}
	}
	if len(methods()) != have.NumMethod() {
		t.Errorf("%d names for %d methods", len(methods()), have.NumMethod())
	}
}

func TestDispatch(t *testing.T) {
	a := newAPI(t, &fakeEngine{
		sessions: []session.Session{writeSession()}, pending: []approval.Request{writeRequest()},
		answered: Answered{Outcome: "done", Request: writeRequest()},
	})
	deep := strings.Repeat("[", 5000)
	for _, c := range []struct{ name, text, want string }{
		{"a list", `{"id":"1","method":"Trusts","params":[]}`, `{"id":"1","result":[]}`},
		{"no result", `{"id":"2","method":"StopTurn","params":["s1"]}`, `{"id":"2","result":null}`},
		{"a text", `{"id":"3","method":"StartTask","params":[{"sessionId":"","text":"go"}]}`, `{"id":"3","result":"s1"}`},
		{"not there", `{"id":"4","method":"Call","params":["x"]}`, `"code":"not_found"`},
		{"unknown method", `{"id":"5","method":"Close","params":[]}`, `{"id":"5","error":{"code":"unknown_method"`},
		{"unexported", `{"id":"6","method":"snapshot","params":[]}`, `"code":"unknown_method"`},
		{"too few", `{"id":"7","method":"Message","params":["s1"]}`, `{"id":"7","error":{"code":"bad_request"`},
		{"too many", `{"id":"8","method":"Trusts","params":["s1"]}`, `"code":"bad_request"`},
		{"no params", `{"id":"8","method":"Call"}`, `"code":"bad_request"`},
		{"wrong type", `{"id":"9","method":"Call","params":[1]}`, `"code":"bad_request"`},
		{"unknown field", `{"id":"a","method":"StartTask","params":[{"text":"x","model":"y"}]}`, `"code":"bad_request"`},
		{"unknown key", `{"id":"b","method":"Trusts","params":[],"x":1}`, `{"id":"","error":{"code":"bad_request"`},
		{"duplicate key", `{"id":"c","method":"Trusts","method":"Tools","params":[]}`, `"code":"bad_request"`},
		{"lone surrogate", `{"id":"d","method":"Call","params":["\ud800"]}`, `"code":"bad_request"`},
		{"not UTF-8", "{\"id\":\"e\",\"method\":\"Call\",\"params\":[\"\xff\"]}", `"code":"bad_request"`},
		{"not an object", `[]`, `"code":"bad_request"`},
		{"cut", `{"id":`, `"code":"bad_request"`},
		{"empty", ``, `"code":"bad_request"`},
		{"deep", deep, `"code":"bad_request"`},
		{"id is a number", `{"id":1,"method":"Trusts","params":[]}`, `"code":"bad_request"`},
	} {
		got := string(Dispatch(a, []byte(c.text)))
		if !strings.Contains(got, c.want) || !json.Valid([]byte(got)) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestAHintOnTheWire(t *testing.T) {
	got, err := EncodeEvent(Event{N: "1", Type: "t", SessionID: "s", Ref: "r", At: "now"})
	if err != nil || string(got) != `{"event":{"n":"1","type":"t","sessionId":"s","ref":"r","at":"now"}}` {
		t.Errorf("got %s, %v", got, err)
	}
}
