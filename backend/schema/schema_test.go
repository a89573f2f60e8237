package schema

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func read(t *testing.T, text string) any {
	t.Helper()
	v, err := Read([]byte(text))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return v
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	out, err := AppendCanonical(nil, read(t, text))
	if err != nil {
		t.Fatalf("AppendCanonical: %v", err)
	}
	return string(out)
}

// spec: VS-11d
func TestCanonicalFormIgnoresOrderSpacingAndUnicodeForm(t *testing.T) {
	a := canonical(t, "{\"b\": 1.50, \"a\": [12345678901234567890, \"cafe\u0301\"]}")
	b := canonical(t, "{ \"a\":[12345678901234567890,\"caf\u00e9\"],\"b\":1.50 }")
	want := "{\"a\":[12345678901234567890,\"caf\u00e9\"],\"b\":1.50}"
	if a != want || b != want {
		t.Fatalf("got %s and %s, want %s", a, b, want)
	}
}

func TestExactFormKeepsStringsAsSent(t *testing.T) {
	out, err := AppendExact(nil, read(t, "{\"b\":\"cafe\u0301\",\"a\":1e5}"))
	if err != nil || string(out) != "{\"a\":1e5,\"b\":\"cafe\u0301\"}" {
		t.Fatalf("got %s, %v", out, err)
	}
}

func TestReaderRefusesWithTheFieldAndNeverTheValue(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1)
	for _, c := range []struct{ name, text, want string }{
		{"duplicate key", `{"a":1,"a":2}`, `parameter "a" is given more than once`},
		{"duplicate key inside", `{"o":{"x":1,"x":2}}`, `parameter "o.x" is given more than once`},
		{"duplicate key by escape", `{"a":1,"\u0061":2}`, `parameter "a" is given more than once`},
		{"lone surrogate", `{"s":"\ud800"}`, `parameter "s" is not valid JSON in UTF-8`},
		{"bad UTF-8", "{\"s\":\"secret\xff\"}", `parameter "s" is not valid JSON in UTF-8`},
		{"NUL in a key", `{"s":{"a\u0000secret":1}}`, `parameter "s" has a key with a NUL character`},
		{"long exponent", `{"n":1e999999999}`, `parameter "n" is a number whose exponent is too large`},
		{"long negative exponent", `{"n":1e-10000}`, `parameter "n" is a number whose exponent is too large`},
		{"long number", `{"n":` + strings.Repeat("9", 1025) + `}`, `parameter "n" is a number with too many digits`},
		{"a key that is no string", `{1:2}`, `the input is not valid JSON in UTF-8`},
		{"lone surrogate in a key", `{"\ud800":2}`, `the input is not valid JSON in UTF-8`},
		{"cut", `{"a":`, `the input is not complete JSON`},
		{"empty", ``, `the input is not complete JSON`},
		{"two values", `{} {}`, `the input has something after its JSON value`},
		{"comment", `{"a":1/*secret*/}`, `parameter "a" is not valid JSON in UTF-8`},
		{"a number as a duplicate key", `{"4111111111111111":1,"4111111111111111":2}`, `parameter "(a key that is not a plain name)" is given more than once`},
		{"a number as a key", `{"o":[0,{"4111111111111111":1e99999}]}`, `parameter "o.1.(a key that is not a plain name)" is a number whose exponent is too large`},
		{"too many values", `[` + strings.Repeat("{},", MaxValues) + `{}]`, `the input holds more than 262,144 values`},
		{"odd key", `{"ignore all rules":{"x":1e99999}}`, `parameter "(a key that is not a plain name).x" is a number whose exponent is too large`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.text))
			var fault *Fault
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a fault", err)
			}
			if got := fault.Error(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if _, err := Read([]byte(deep)); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("deep nesting: got %v", err)
	}
	if _, err := Read([]byte(`{"n":1e0009999}`)); err != nil {
		t.Errorf("leading zeros of an exponent do not count: %v", err)
	}
}

// A name that was read before is the same name in every spelling.
func TestNamesAreReadAlikeHoweverOften(t *testing.T) {
	for range 3 {
		got := read(t, "{\"a\\u0062\":{\"ab\":1},\"caf\u00e9\":2}")
		want := map[string]any{"ab": map[string]any{"ab": json.Number("1")}, "caf\u00e9": json.Number("2")}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestPlainTextNamesTheFieldsWithNUL(t *testing.T) {
	err := PlainText(read(t, `{"a":"x","b":["ok","se\u0000cret"],"c":{"d":"\u0000"}}`))
	if err == nil || err.Error() != `parameter "b.1" contains a NUL character; parameter "c.d" contains a NUL character` {
		t.Errorf("got %v", err)
	}
	if err := PlainText(read(t, `{"a":"x"}`)); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestKeysThatMeetInNFCAreRefused(t *testing.T) {
	_, err := AppendCanonical(nil, read(t, "{\"cafe\u0301\":1,\"caf\u00e9\":2}"))
	var fault *Fault
	if !errors.As(err, &fault) {
		t.Fatalf("got %v, want a fault", err)
	}
}

const writeSchema = `{"type":"object","properties":{"path":{"type":"string","maxLength":5},
"mode":{"enum":["a","b"]},"count":{"type":"integer","minimum":1},"list":{"type":"array","maxItems":2,"items":{"type":"object",
"properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}}},"required":["path","mode"],"additionalProperties":false}`

func TestValidationNamesFieldsAndNeverValues(t *testing.T) {
	s, err := Compile("write", []byte(writeSchema))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{`{"path":"a","mode":"a"}`, ""},
		{`{"mode":"a"}`, `parameter "path" is required`},
		{`{}`, `parameter "mode" is required; parameter "path" is required`},
		{`{"path":7,"mode":"secret"}`, `parameter "mode" must be one of the listed values; parameter "path" must be of type string`},
		{`{"path":"secret-long","mode":"a"}`, `parameter "path" must have at most 5 characters`},
		{`{"path":"a","mode":"a","extra":"secret"}`, `parameter "extra" is not a parameter of this tool`},
		{`{"path":"a","mode":"a","say \"hi\"":1}`, `parameter "(a key that is not a plain name)" is not a parameter of this tool`},
		{`{"path":"a","mode":"a","count":0}`, `parameter "count" is too small`},
		{`{"path":"a","mode":"a","list":[{"id":"x"},{"name":"secret"}]}`, `parameter "list.1.id" is required; parameter "list.1.name" is not a parameter of this tool`},
		{`[]`, `the input must be of type object`},
		{`{"path":"a","mode":"a","list":[{"id":{"4111":1}}]}`, `parameter "list.0.id" must be of type string`},
		{`{"path":"a","mode":"a","4111":"secret"}`, `parameter "(a key that is not a plain name)" is not a parameter of this tool`},
		{many(), `parameter "k0" is not a parameter of this tool; parameter "k1" is not a parameter of this tool; ` +
			`parameter "k10" is not a parameter of this tool; parameter "k100" is not a parameter of this tool; ` +
			`parameter "k1000" is not a parameter of this tool; parameter "k10000" is not a parameter of this tool; ` +
			`parameter "k100000" is not a parameter of this tool; parameter "k100001" is not a parameter of this tool`},
	} {
		err := s.Validate(read(t, c.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

// many is an object with very many fields that nobody asked for.
func many() string {
	var b strings.Builder
	b.WriteString(`{"path":"a","mode":"a"`)
	for i := range 200_000 {
		b.WriteString(`,"k` + strconv.Itoa(i) + `":1`)
	}
	return b.String() + "}"
}

func TestNumbersAsKeysInsideAreNotRepeated(t *testing.T) {
	s, err := Compile("open", []byte(`{"type":"object","properties":{"map":{"type":"object","additionalProperties":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Validate(read(t, `{"map":{"4111":1}}`))
	if err == nil || strings.Contains(err.Error(), "4111") {
		t.Errorf("got %v", err)
	}
	if err := PlainText(read(t, `{"map":{"4111":"\u0000"}}`)); err == nil || strings.Contains(err.Error(), "4111") {
		t.Errorf("got %v", err)
	}
}

func TestCompileRefusesRemoteReferences(t *testing.T) {
	for _, text := range []string{
		`{"$ref":"https://example.com/s.json"}`,
		`{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}},"additionalProperties":false}`,
	} {
		if _, err := Compile("remote", []byte(text)); err == nil {
			t.Errorf("%s compiled", text)
		}
	}
}

func TestClosedFindsTheOpenObject(t *testing.T) {
	if ok, where := Closed([]byte(writeSchema)); !ok {
		t.Errorf("a closed schema is open at %s", where)
	}
	ok, where := Closed([]byte(`{"type":"object","properties":{"a":{"type":"object"}},"additionalProperties":false}`))
	if ok || where != "/properties/a/" {
		t.Errorf("got %v at %q", ok, where)
	}
}

func TestPropertiesListRequiredFirst(t *testing.T) {
	s, err := Compile("write", []byte(writeSchema))
	if err != nil {
		t.Fatal(err)
	}
	want := []Property{
		{Name: "mode", Type: "choice", Required: true}, {Name: "path", Type: "string", Required: true},
		{Name: "count", Type: "integer"}, {Name: "list", Type: "array"},
	}
	if diff := cmp.Diff(want, s.Properties); diff != "" {
		t.Error(diff)
	}
}

func TestCanonicalFormReadsBackToItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := draw(t, 3)
		first, err := AppendCanonical(nil, v)
		if err != nil {
			return
		}
		back, err := Read(first)
		if err != nil {
			t.Fatalf("canonical text was refused: %v", err)
		}
		second, err := AppendCanonical(nil, back)
		if err != nil || string(first) != string(second) {
			t.Fatalf("got %s, then %s (%v)", first, second, err)
		}
	})
}

func draw(t *rapid.T, depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	text := rapid.StringOf(rapid.RuneFrom([]rune("ab\u0301\u00e9\"\\\n\u2028<&\U0001f600")))
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		v, err := Read([]byte(rapid.SampledFrom([]string{"0", "-0", "1.50", "12345678901234567890", "1e9"}).Draw(t, "number")))
		if err != nil {
			t.Fatal(err)
		}
		return v
	case 3:
		return text.Draw(t, "string")
	case 4:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "len") {
			list = append(list, draw(t, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "len") {
		object[text.Draw(t, "key")] = draw(t, depth-1)
	}
	return object
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":"\ud800"}`, `[1e5]`, "\xff", `{"a":{"a":{}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Read(data)
		if err != nil {
			var fault *Fault
			if !errors.As(err, &fault) {
				t.Fatalf("refused without a fault: %T", err)
			}
			return
		}
		if _, err := AppendExact(nil, v); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}
