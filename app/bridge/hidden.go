package bridge

import (
	"slices"

	"countersign/backend/bound"
	"countersign/backend/redact"
	"countersign/backend/tool"
)

// markerIn is the marker of a session where it stands in one of the texts, else "": without
// anything that is hidden there is nothing to tell from what only looks like it.
func markerIn(sessionID string, texts ...string) string {
	mark := redact.MarkOf(sessionID)
	if slices.ContainsFunc(texts, mark.In) {
		return mark.String()
	}
	return ""
}

// markerOf is the marker of a session where something is hidden, else "".
func markerOf(sessionID string, hidden []tool.Hidden) string {
	if len(hidden) == 0 {
		return ""
	}
	return redact.MarkOf(sessionID).String()
}

// hiddenRows say what a copy hides.
func hiddenRows(hidden []tool.Hidden) []HiddenRow {
	out := make([]HiddenRow, 0, len(hidden))
	for _, h := range hidden {
		out = append(out, HiddenRow{Kind: h.Kind, Count: h.Count, Words: bound.Plural(int64(h.Count), hiddenNoun(redact.Kind(h.Kind)))})
	}
	return out
}

func hiddenNoun(k redact.Kind) string {
	switch k {
	case redact.KindKey:
		return "key"
	case redact.KindToken:
		return "token"
	case redact.KindPassword:
		return "password"
	case redact.KindPrivateKey:
		return "private key"
	case redact.KindCookie:
		return "cookie"
	case redact.KindMedia:
		return "media file"
	case redact.KindCredential:
	}
	return "secret"
}
