package serve

import (
	"net/http"
	"strings"
	"testing"
)

func TestAnImageIsWhatItsBytesAre(t *testing.T) {
	d := start(t)
	c := opened(t, d)
	address := d.base + "/media/sha256-" + strings.Repeat("1", 64)
	got := do(t, c, "GET", address, nil)
	if got.status != http.StatusOK || got.body != "GIF89a<script>" || got.header.Get("Content-Type") != "image/gif" || got.header.Get("Content-Length") != "14" ||
		got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("Cross-Origin-Resource-Policy") != "same-origin" ||
		!strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") {
		t.Errorf("%d %q %v", got.status, got.body, got.header)
	}
	if got := do(t, c, "HEAD", address, nil); got.status != http.StatusOK || got.body != "" || got.header.Get("Content-Length") != "14" {
		t.Errorf("HEAD: %d %q", got.status, got.body)
	}
	if got := do(t, c, "POST", address, nil); got.status == http.StatusOK {
		t.Errorf("POST: %d", got.status)
	}
}

func TestNoImageIsShownThatIsNotOurs(t *testing.T) {
	d := start(t)
	c := opened(t, d)
	one := strings.Repeat("1", 64)
	for name, path := range map[string]string{
		"no type":         "/media/sha256-" + strings.Repeat("2", 64),
		"too many pixels": "/media/sha256-" + strings.Repeat("3", 64),
		"damaged":         "/media/sha256-" + strings.Repeat("4", 64),
		"absent":          "/media/sha256-" + strings.Repeat("5", 64),
		"a bare sum":      "/media/" + one,
		"a suffix":        "/media/sha256-" + one + ".svg",
		"a step up":       "/media/../config.json",
		"a coded step up": "/media/..%2fconfig.json",
		"a folder":        "/media/",
		"large letters":   "/media/SHA256-" + one,
	} {
		if got := do(t, c, "GET", d.base+path, nil); got.status != http.StatusNotFound || strings.HasPrefix(got.header.Get("Content-Type"), "image/") {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
}

// spec: RS-15
func TestAnImageIsForTheOpenedPageAlone(t *testing.T) {
	d := start(t)
	address := d.base + "/media/sha256-" + strings.Repeat("1", 64)
	if got := do(t, browser(t), "GET", address, nil); got.status != http.StatusForbidden || strings.Contains(got.body, "GIF") {
		t.Errorf("without the cookie: %d", got.status)
	}
	c := opened(t, d)
	if got := do(t, c, "GET", address, func(r *http.Request) { r.Header.Set("Origin", "http://other") }); got.status != http.StatusForbidden {
		t.Errorf("from another page: %d", got.status)
	}
	if got := do(t, c, "GET", address, func(r *http.Request) { r.Host = "other.example" }); got.status != http.StatusMisdirectedRequest {
		t.Errorf("by another name: %d", got.status)
	}
}
