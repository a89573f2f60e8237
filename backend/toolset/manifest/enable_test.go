package manifest_test

import (
	"testing"

	"countersign/backend/toolset/manifest"
)

// spec: CT-14, CT-15
func TestEnableChangesOneValueAndNothingElse(t *testing.T) {
	rest := `"description":"d","schema":{"enabled":true},"command":["a"]`
	rows := []struct {
		before string
		on     bool
		after  string
	}{
		{`{"runner":"exec","enabled":true,` + rest + `}`, false, `{"runner":"exec","enabled":false,` + rest + `}`},
		{`{"runner":"exec","enabled":true,` + rest + `}`, true, `{"runner":"exec","enabled":true,` + rest + `}`},
		{"\ufeff{ \"runner\":\"exec\", " + rest + ", \"enabled\" :\tfalse\r\n}\n\n", true, "\ufeff{ \"runner\":\"exec\", " + rest + ", \"enabled\" :\ttrue\r\n}\n\n"},
		{"{\"runner\":\"exec\"," + rest + "}", false, "{\"enabled\": false, \"runner\":\"exec\"," + rest + "}"},
		{"\n{\r\n\t\"runner\": \"exec\",\r\n\t" + rest + "\r\n}", false, "\n{\r\n\t\"enabled\": false,\r\n\t\"runner\": \"exec\",\r\n\t" + rest + "\r\n}"},
		{`{"runner":"exec","en\u0061bled":false,` + rest + `}`, true, `{"runner":"exec","en\u0061bled":true,` + rest + `}`},
		{`{"runner":"exec","Enabled":7,` + rest + `}`, true, `{"enabled": true, "runner":"exec","Enabled":7,` + rest + `}`},
	}
	for _, row := range rows {
		got, err := manifest.Enable("x", []byte(row.before), row.on)
		if err != nil || string(got) != row.after {
			t.Errorf("%q, %v:\n got %q\nwant %q (%v)", row.before, row.on, got, row.after, err)
		}
	}
}

// spec: CT-15
func TestEnableLeavesABrokenManifest(t *testing.T) {
	for _, text := range []string{"", "{", `{"enabled":false}`, `{"runner":"exec","enabled":"false"}`, single + single} {
		if got, err := manifest.Enable("x", []byte(text), true); err == nil || got != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}
