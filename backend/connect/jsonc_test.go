package connect

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small is an entry that is short to read in a table.
func small() []field {
	return []field{
		{key: "command", value: "/c"}, {key: "args", value: []string{"mcp"}, rule: line},
		{key: "timeout", value: int64(60), rule: atLeast}, {key: "disabled", value: false, rule: unlessSet},
	}
}

func TestAnEntryComesIntoJSONWithoutTouchingTheRest(t *testing.T) {
	const entry = `{ "command": "/c", "args": ["mcp"], "timeout": 60 }`
	for name, c := range map[string]struct{ old, want string }{
		"empty object":                {"{}", "{\n  \"m\": {\n    \"countersign\": {\n      \"command\": \"/c\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 60\n    }\n  }\n}"},
		"open object":                 {"{\n}\n", "{\n  \"m\": {\n    \"countersign\": {\n      \"command\": \"/c\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 60\n    }\n  }\n}\n"},
		"on one line":                 {`{ "a": 1 }`, `{ "a": 1, "m": { "countersign": ` + entry + ` } }`},
		"on one line, trailing comma": {`{"m": {"x": {},},}`, `{"m": {"x": {}, "countersign": ` + entry + `,},}`},
		"on one line, comment after":  {`{"m": {"x": {} /* y */ }}`, `{"m": {"x": {}, /* y */ "countersign": ` + entry + ` }}`},
		"tabs, comments and order": {
			"// top\n{\n\t\"z\": 1, // one\n\t\"m\": {\n\t\t\"x\": {} // last\n\t},\n\t/* end */\n}\n// bottom\n",
			"// top\n{\n\t\"z\": 1, // one\n\t\"m\": {\n\t\t\"x\": {}, // last\n\t\t\"countersign\": {\n\t\t\t\"command\": \"/c\",\n\t\t\t\"args\": [\"mcp\"],\n\t\t\t\"timeout\": 60\n\t\t}\n\t},\n\t/* end */\n}\n// bottom\n",
		},
		"trailing comma and comment": {
			"{\n    \"m\": {\n        \"x\": {}, // last\n    },\n}",
			"{\n    \"m\": {\n        \"x\": {}, // last\n        \"countersign\": {\n            \"command\": \"/c\",\n            \"args\": [\"mcp\"],\n            \"timeout\": 60\n        },\n    },\n}",
		},
		"CRLF": {
			"{\r\n  \"a\": 1\r\n}\r\n",
			"{\r\n  \"a\": 1,\r\n  \"m\": {\r\n    \"countersign\": {\r\n      \"command\": \"/c\",\r\n      \"args\": [\"mcp\"],\r\n      \"timeout\": 60\r\n    }\r\n  }\r\n}\r\n",
		},
		"only a comment inside": {
			"{\n  // nothing yet\n}",
			"{\n  // nothing yet\n  \"m\": {\n    \"countersign\": {\n      \"command\": \"/c\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 60\n    }\n  }\n}",
		},
		"brace on the last line": {
			"{\n  \"a\": 1 }",
			"{\n  \"a\": 1,\n  \"m\": {\n    \"countersign\": {\n      \"command\": \"/c\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 60\n    }\n  }\n}",
		},
		"an entry that differs": {
			`{"m": {"countersign": {"args": ["mcp", "--sets", "coding", "--workspace", "/old"], "command": "/old" /* mine */, "env": {"A": "1"}, "timeout": 30, "disabled": true}}}`,
			`{"m": {"countersign": {"args": ["mcp", "--sets", "coding"], "command": "/c" /* mine */, "env": {"A": "1"}, "timeout": 60, "disabled": false}}}`,
		},
		"an entry that lacks keys": {
			"{\"m\": {\n  \"countersign\": {\n    \"command\": \"/c\" // here\n  }\n}}",
			"{\"m\": {\n  \"countersign\": {\n    \"command\": \"/c\", // here\n    \"args\": [\"mcp\"],\n    \"timeout\": 60\n  }\n}}",
		},
	} {
		edits, _, err := planJSON([]byte(c.old), "m", small())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := apply([]byte(c.old), edits)
		if d := cmp.Diff(c.want, string(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if !keepsJSON([]byte(c.old), got, "m") {
			t.Errorf("%s: something else changed", name)
		}
		again, added, err := planJSON(got, "m", small())
		if err != nil || added || len(again) > 0 {
			t.Errorf("%s: planned again: %v %v %v", name, again, added, err)
		}
	}
}

func TestAnEntryThatIsGoodEnoughStays(t *testing.T) {
	for _, old := range []string{
		`{"m": {"countersign": {"command": "/c", "args": ["mcp"], "timeout": 60}}}`,
		`{"m": {"countersign": {"timeout": 86400.5, "command": "/c", "args": ["mcp", "--read-only", "--preset=default", "--catalog", "plan"], "disabled": false, "x": null}}}`,
	} {
		edits, added, err := planJSON([]byte(old), "m", small())
		if err != nil || added || len(edits) > 0 {
			t.Errorf("%s: %v %v %v", old, edits, added, err)
		}
	}
}

func TestJSONThatIsNotForUsIsRefused(t *testing.T) {
	deep := make([]byte, 0, 4000)
	for range 2000 {
		deep = append(deep, '[')
	}
	for old, want := range map[string]error{
		`{"m": {"countersign": {"url": "https://x"}}}`: ErrOccupied,
		`{"m": {"countersign": "x"}}`:                  ErrOccupied,
		`{"m": []}`:                                    ErrOccupied,
		`{"m": null}`:                                  ErrOccupied,
		`[]`:                                           ErrOccupied,
		`{"m": {}, "m": {}}`:                           ErrOccupied,
		`{"m": {"countersign": {"command": "a", "command": "b"}}}`: ErrOccupied,
		`{"m": {"countersign": {}, "counters\u0069gn": {}}}`:       ErrOccupied,
		`{"m": `:      ErrBroken,
		`{"m": {}} x`: ErrBroken,
		"{'m': {}}":   ErrBroken,
		string(deep):  ErrBroken,
	} {
		if _, _, err := planJSON([]byte(old), "m", small()); !errors.Is(err, want) {
			t.Errorf("%.40q: %v", old, err)
		}
	}
}
