package search

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The quick reader says what the thorough one says, whatever the path and the line hold.
func TestTheQuickReaderAgreesWithTheThoroughOne(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`["\\{}:,a-z\n]{0,30}`), rapid.SampledFrom([]string{
		`"lines":{"text":"x"},"line_number":7`, `"}`, `"},"line_number":9,"submatches":[`, `,"start":1,"end":2`, `\n`, `\\`,
	}))
	rapid.Check(t, func(t *rapid.T) {
		type text struct {
			Text string `json:"text"`
		}
		type match struct {
			Match text `json:"match"`
			Start int  `json:"start"`
			End   int  `json:"end"`
		}
		var m struct {
			Type string `json:"type"`
			Data struct {
				Path    text    `json:"path"`
				Lines   text    `json:"lines"`
				Number  int64   `json:"line_number"`
				Offset  int64   `json:"absolute_offset"`
				Matches []match `json:"submatches"`
			} `json:"data"`
		}
		m.Type = "match"
		m.Data.Path.Text, m.Data.Lines.Text = texts.Draw(t, "path"), texts.Draw(t, "line")
		m.Data.Number, m.Data.Offset = rapid.Int64Range(0, 1<<50).Draw(t, "number"), rapid.Int64Range(0, 1<<50).Draw(t, "offset")
		m.Data.Matches = []match{}
		for range rapid.IntRange(0, 3).Draw(t, "matches") {
			m.Data.Matches = append(m.Data.Matches, match{text{texts.Draw(t, "match")}, rapid.IntRange(0, 1<<30).Draw(t, "from"), rapid.IntRange(0, 1<<30).Draw(t, "to")})
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var want event
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got, ok := quick(append(raw, '\n'))
		if !ok {
			t.Fatalf("not read: %s", raw)
		}
		want.Data.Path = encoded{}
		if len(want.Data.Spans) == 0 {
			want.Data.Spans = nil
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(event{}, span{})); d != "" {
			t.Fatal(d)
		}
	})
}

func TestTheQuickReaderLeavesWhatItDoesNotKnow(t *testing.T) {
	for _, line := range []string{
		``, `{}`, `{"type":"begin","data":{"path":{"text":"a"}}}`, `{"type":"match","data":{"path":{"text":"a"}}}`,
		`{"type":"match","data":{"path":{"text":"a"},"lines":{"bytes":"eA=="},"line_number":1,"submatches":[]}}`,
		`{"type":"match","data":{"path":{"text":"a"},"lines":{"text":"x"},"line_number":null,"submatches":[]}}`,
		`{"type":"match","data":{"path":{"text":"a"},"lines":{"text":"x"},"line_number":1}}`,
		`{"type":"match","data":{"path":{"text":"a"},"lines":{"text":"\x"},"line_number":1,"submatches":[]}}`,
		`{"type":"match","data":{"path":{"text":"a"},"lines":{"text":"x"},"line_number":1,"submatches":[{"match":{"text":"x"},"start":1,"and":2}]}}`,
	} {
		if e, ok := quick([]byte(line)); ok {
			t.Errorf("%s: read as %+v", line, e)
		}
	}
}
