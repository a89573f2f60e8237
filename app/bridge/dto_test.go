package bridge

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// crossing lists a value of every type of dto.go that is not inside another one.
func crossing() []any {
	return []any{
		HistoryQuery{}, HistoryPage{}, HistoryRow{}, HistoryChoices{},
		Snapshot{}, SessionView{}, CallDetail{}, ApprovalCard{}, AnswerRequest{}, AnswerResult{}, TrustAnswer{},
		TrustRow{}, SetRow{}, SetChange{}, RulesPatch{}, SettingChange{}, SettingsView{}, TaskRequest{}, PageRequest{}, ChangesRequest{}, Changes{}, FindRequest{}, FindResult{}, PageFault{}, Event{}, Error{},
	}
}

// fill gives every field a value that is not its zero, all the way down.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("text \x00 \u2028 \xff")
	case reflect.Int:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), reflect.ValueOf("value"))
	default:
		t.Fatalf("%s may not cross", v.Type())
	}
}

func TestEveryTypeThatCrossesCanBeMarshalled(t *testing.T) {
	for _, zero := range crossing() {
		v := reflect.New(reflect.TypeOf(zero)).Elem()
		fill(t, v)
		text, err := json.Marshal(v.Interface())
		if err != nil {
			t.Errorf("%T: %v", zero, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(zero))
		if err := json.Unmarshal(text, back.Interface()); err != nil {
			t.Errorf("%T: %v", zero, err)
		}
	}
}

func TestAListThatCrossesIsNeverNull(t *testing.T) {
	for _, zero := range crossing() {
		v := reflect.New(reflect.TypeOf(zero))
		complete(v.Elem())
		text, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		// Only the two pointers of a timeline's item may be null, and a zero view has no item.
		if strings.Contains(string(text), "null") {
			t.Errorf("%T: %s", zero, text)
		}
	}
}
