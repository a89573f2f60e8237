package bridge

import (
	"countersign/backend/bound"
	"countersign/backend/redact"
	"countersign/backend/tool"
)

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
