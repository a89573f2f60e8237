package redact_test

import (
	"errors"
	"strings"
	"testing"

	"countersign/backend/redact"
)

const (
	pieceMark  = redact.Mark("7f3a")
	pieceToken = "k7Qd2mZr9Wn4Xc8Lb3Tv"
)

func TestPiecesArePutBackByteForByte(t *testing.T) {
	for name, text := range map[string]string{
		"command":      `{"command":"curl -H 'Authorization: Bearer ` + pieceToken + `' -u me:` + pieceToken + ` https://h.example","timeout_ms":5000}`,
		"field":        `{"headers":{"Authorization":"Bearer ` + pieceToken + `"},"method":"POST"}`,
		"number":       `{"deep":{"password":48151623},"n":1.50}`,
		"list":         `{"args":["--password","` + pieceToken + `","x"]}`,
		"escapes":      `{"text":"password=\"a\\b` + pieceToken + `\"\u00e4\n"}`,
		"none":         `{"command":"ls -l"}`,
		"plain marker": `{"command":"grep [redacted:7f3a] a; export TOKEN=` + pieceToken + `"}`,
	} {
		copied, pieces, ok := redact.Pieces(text, pieceMark)
		if !ok || strings.Contains(copied, pieceToken) || strings.Contains(copied, "48151623") {
			t.Errorf("%s: the copy is %v %s", name, ok, copied)
		}
		if (name == "none") != (len(pieces) == 0) {
			t.Errorf("%s: %d pieces", name, len(pieces))
		}
		back, err := redact.PutBack(copied, pieces, pieceMark)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// Escapes of a text that held a piece may be written another way; its value is the same.
		if back != text && name != "escapes" {
			t.Errorf("%s: got %s", name, back)
		}
	}
}

func TestWhatStandsAroundAPieceCanBeChanged(t *testing.T) {
	text := `{"command":"curl -u me:` + pieceToken + ` https://h.example","note":"x"}`
	copied, pieces, _ := redact.Pieces(text, pieceMark)
	marker := pieces[0].Marker
	for name, c := range map[string]struct {
		from, to string
		want     string
		err      error
	}{
		"around":     {"https://h.example", "https://other.example", `{"command":"curl -u me:` + pieceToken + ` https://other.example","note":"x"}`, nil},
		"left out":   {marker, "", `{"command":"curl -u me: https://h.example","note":"x"}`, nil},
		"twice":      {marker, marker + marker, "", redact.ErrPieceTwice},
		"moved":      {`"x"`, `"` + marker + `"`, "", redact.ErrPieceTwice},
		"unknown":    {marker, "[redacted:7f3a:9]", "", redact.ErrPieceUnknown},
		"not a JSON": {`{"command"`, `{"command`, "", nil},
	} {
		edited := strings.Replace(copied, c.from, c.to, 1)
		if c.want == "" && c.err == nil {
			c.want = edited
		}
		got, err := redact.PutBack(edited, pieces, pieceMark)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	moved := `{"command":"curl","note":"` + marker + `"}`
	if got, err := redact.PutBack(moved, pieces, pieceMark); !errors.Is(err, redact.ErrPieceMoved) || got != "" {
		t.Errorf("a piece was moved: %s, %v", got, err)
	}
}

func TestPiecesAreNotMadeOfATextThatHoldsTheirMarkers(t *testing.T) {
	for _, text := range []string{`{"a":"[redacted:7f3a:1]"}`, `{"a":`} {
		if copied, _, ok := redact.Pieces(text, pieceMark); ok {
			t.Errorf("got %s", copied)
		}
	}
}
