package main

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"countersign/app/bridge"
	"countersign/backend/config"
	"countersign/frontend"
)

// onePicture is there under one address.
type onePicture struct{}

func (onePicture) Named(path string) bool { return strings.HasPrefix(path, "/media/") }
func (onePicture) Read(path string) (bridge.ImageFile, error) {
	if path != "/media/one" {
		return bridge.ImageFile{}, errors.New("absent")
	}
	return bridge.ImageFile{Mime: "image/gif", Data: []byte("GIF89a")}, nil
}

func TestTheWindowShowsImagesOfResults(t *testing.T) {
	w := get(http.MethodGet, "/media/one", beginning{})
	if w.Code != http.StatusOK || w.Body.String() != "GIF89a" || w.Header().Get("Content-Type") != "image/gif" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	}
	if w := get(http.MethodGet, "/media/two", beginning{}); w.Code != http.StatusNotFound || w.Body.Len() > 0 {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	if w := get(http.MethodPost, "/media/one", beginning{}); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("%d", w.Code)
	}
}

// get asks the window for a file of a page of three.
func get(method, path string, b beginning) *httptest.ResponseRecorder {
	files := http.FileServerFS(fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html>")}, "theme.js": {Data: []byte("// the browser's")}, "a.js": {Data: []byte("// a")},
	})
	w := httptest.NewRecorder()
	assets(func() beginning { return b }, onePicture{})(files).ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestEveryFileOfThePageCarriesItsPolicy(t *testing.T) {
	for _, path := range []string{"/", "/a.js", "/theme.js", "/none"} {
		w := get(http.MethodGet, path, beginning{theme: config.ThemeDark})
		got := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(got, "default-src 'none'; script-src 'self';") || strings.Contains(got, "unsafe") {
			t.Errorf("%s: policy %q", path, got)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
}

func TestTheWindowAnswersReadingAlone(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, "LINK"} {
		if w := get(method, "/a.js", beginning{}); w.Code != http.StatusMethodNotAllowed || w.Body.Len() > 0 {
			t.Errorf("%s: %d %s", method, w.Code, w.Body)
		}
	}
}

func TestThePageBeginsInTheThemeOfTheSettingsWhereItWasLeft(t *testing.T) {
	for b, want := range map[beginning]string{
		{theme: config.ThemeDark}:   "document.documentElement.dataset.theme = 'dark';\n",
		{theme: config.ThemeLight}:  "document.documentElement.dataset.theme = 'light';\n",
		{theme: config.ThemeSystem}: "",
		{view: "tools"}:             "if (!location.hash) history.replaceState(null, '', '#/tools');\n",
		{view: "'+alert(1)+'"}:      "",
	} {
		w := get(http.MethodGet, themePath, b)
		if w.Body.String() != want || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Errorf("%+v: %s %v", b, w.Body, w.Header())
		}
	}
	// The page asks for it by this name.
	page, err := fs.ReadFile(frontend.Assets(), "index.html")
	if err == nil && !strings.Contains(string(page), `src="`+themePath+`"`) {
		t.Error("the built page does not ask for the theme")
	}
}

func TestTheBrokenPageNeedsNoScript(t *testing.T) {
	w := get(http.MethodGet, brokenPath, beginning{})
	if w.Code != http.StatusOK || strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src") || !strings.Contains(w.Body.String(), brokenPage.Title) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestTheColourBehindThePageIsThatOfItsTheme(t *testing.T) {
	if c := background(config.ThemeDark); int(c.R)+int(c.G)+int(c.B) > 0x80 {
		t.Errorf("dark: %+v", c)
	}
	if c := background(config.ThemeLight); int(c.R)+int(c.G)+int(c.B) < 3*0xe0 {
		t.Errorf("light: %+v", c)
	}
}
