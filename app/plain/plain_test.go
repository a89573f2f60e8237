package plain

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
)

func TestThePolicyAllowsTheStyleThatThePageHas(t *testing.T) {
	text := Page{Title: "A title", Words: "Words."}.HTML()
	_, rest, _ := strings.Cut(text, "<style>")
	inside, _, ok := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(inside))
	if !ok || !strings.Contains(Policy(), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
		t.Errorf("%s does not allow the style of %s", Policy(), text)
	}
	if strings.Contains(Policy(), "script-src") || !strings.HasPrefix(Policy(), "default-src 'none'") {
		t.Errorf("policy %s", Policy())
	}
}

func TestWhatAPageSaysIsNeverMarkup(t *testing.T) {
	text := Page{Title: "</title><script>", Words: `</p><img src=x onerror="y">&`}.HTML()
	for _, raw := range []string{"<script", "<img", `"y"`} {
		if strings.Contains(text, raw) {
			t.Errorf("%s is in %s", raw, text)
		}
	}
	if !strings.Contains(text, "&lt;script&gt;") {
		t.Errorf("the title is not in %s", text)
	}
}
