package bridge

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// crossing lists a value of every type of dto*.go that is not inside another one.
func crossing() []any {
	return []any{
		RehearsalRequest{}, Rehearsal{}, HistoryQuery{}, HistoryPage{}, HistoryRow{}, HistoryChoices{},
		Snapshot{}, SessionView{}, CallDetail{}, ApprovalCard{}, AnswerRequest{}, AnswerResult{}, MatchRequest{}, MatchView{}, TrustAnswer{},
		TrustRow{}, CatalogView{}, SetChange{}, SetRef{}, SetDrift{}, SetAcceptance{}, TryForm{}, TryRequest{}, RulesPatch{}, SettingChange{}, SettingsView{}, TaskRequest{}, PageRequest{}, ChangesRequest{}, Changes{}, FindRequest{}, FindResult{}, PageFault{}, Event{}, Error{},
		OutputRef{}, OutputView{}, OutputLinesRequest{}, OutputLines{}, OutputPieceRequest{}, OutputPiece{}, OutputFindRequest{}, OutputFound{},
		OutputRangeRequest{}, OutputRange{}, DiffLinesRequest{}, DiffLines{}, ExcerptRequest{}, Excerpt{},
		Effect{}, GrantList{}, PathRules{}, PathTry{}, PathVerdict{},
		ConnectView{}, ClientPlan{}, ClientWrite{}, BatchRequest{}, BatchResult{}, ChangeQuery{}, ChangeForm{}, ChangeRequest{}, ChangeResult{}, RevealRequest{}, Revealed{},
		ProcessList{}, ProcessRef{}, ProcessInput{}, ProcessTailRequest{}, ProcessTail{}, CallTailRequest{}, CallTail{}, CallProgress{},
	}
}

// reached adds the names of the types that a type is made of.
func reached(t reflect.Type, names map[string]bool) {
	switch t.Kind() {
	case reflect.Struct:
		if names[t.Name()] {
			return
		}
		names[t.Name()] = true
		for i := range t.NumField() {
			reached(t.Field(i).Type, names)
		}
	case reflect.Pointer, reflect.Slice:
		reached(t.Elem(), names)
	default:
	}
}

func TestEveryTypeOfThePageIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, zero := range crossing() {
		reached(reflect.TypeOf(zero), tried)
	}
	files, err := filepath.Glob("dto*.go")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			d, ok := n.(*ast.TypeSpec)
			if ok && d.Name.IsExported() && !tried[d.Name.Name] {
				t.Errorf("%s of %s is not tried: list it in crossing", d.Name.Name, name)
			}
			return true
		})
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
