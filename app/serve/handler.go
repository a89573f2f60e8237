package serve

import (
	"net"
	"net/http"
	"strings"

	"countersign/app/bridge"
)

// handler is the whole way of a request: every step may end it, and none is skipped
// for any path.
func (s *Server) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := strings.ToLower(r.Host)
		protect(w.Header(), host)
		switch {
		case !s.ownHost(r, host):
			refuse(w, r, http.StatusMisdirectedRequest, pageHost)
		case !ownOrigin(r, host):
			refuse(w, r, http.StatusForbidden, pageOrigin)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, r, http.StatusMethodNotAllowed, pageMethod)
		case r.URL.Path == "/" && r.URL.Query().Has("token"):
			s.enter(w, r)
		case !s.known(r):
			refuse(w, r, http.StatusForbidden, pageUnknown)
		case r.URL.Path == "/output":
			s.output(w, r)
		case bridge.ImagesOf(s.config.API).Named(r.URL.Path):
			s.image(w, r)
		case r.URL.Path == "/ws":
			s.socket(w, r)
		default:
			s.asset(w, r)
		}
	})
}

// protect sets what every answer carries.
func protect(h http.Header, host string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "+
		"font-src 'self'; connect-src 'self' ws://"+safeHost(host)+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// safeHost keeps anything but a plain host and port out of a header.
func safeHost(host string) string {
	for _, c := range host {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789.-:[]", c) {
			return "invalid"
		}
	}
	return host
}

// ownHost reports whether a request names this server. A page that made its own name
// lead here still sends that name.
func (s *Server) ownHost(r *http.Request, authority string) bool {
	host, port, err := net.SplitHostPort(authority)
	if err != nil {
		host, port = strings.Trim(authority, "[]"), "80"
	}
	if port != s.port {
		return false
	}
	if host == "localhost" || host == s.address.host {
		return true
	}
	ip := net.ParseIP(host)
	if ip == nil {
		return false
	}
	if ip.IsLoopback() {
		return true
	}
	// On an address that stands for every network, the one that was reached is named.
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && local.IP.Equal(ip)
}

// ownOrigin reports whether a request comes from this page. What can change something
// must say so; a plain GET of a browser's address bar says nothing.
func ownOrigin(r *http.Request, host string) bool {
	origins := r.Header.Values("Origin")
	plain := (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.URL.Path != "/ws"
	if len(origins) == 0 {
		return plain
	}
	return len(origins) == 1 && strings.EqualFold(origins[0], "http://"+host)
}

// cookieName is the port's own, since cookies of one host are shared between ports.
func (s *Server) cookieName() string { return "countersign-" + s.port }

// known reports whether a request carries the cookie of an opened page.
func (s *Server) known(r *http.Request) bool {
	for _, c := range r.CookiesNamed(s.cookieName()) {
		if s.gate.admits(c.Value) {
			return true
		}
	}
	return false
}

// enter exchanges a one-time token for a cookie. Only a GET uses it up: programs that
// look at links before a person does send HEAD.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, r, http.StatusForbidden, pageUnknown)
		return
	}
	got, cookie, err := s.gate.exchange(r.URL.Query().Get("token"))
	switch {
	case err != nil:
		s.config.Log.Error("exchange a link", "cause", err)
		refuse(w, r, http.StatusInternalServerError, pageBroken)
	case got == entryGranted:
		http.SetCookie(w, &http.Cookie{
			Name: s.cookieName(), Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
		w.Header().Set("Location", "/")
		w.WriteHeader(http.StatusSeeOther)
	case got == entryUsed:
		if !s.gate.waiting() {
			s.Renew()
		}
		refuse(w, r, http.StatusForbidden, pageUsed)
	default:
		refuse(w, r, http.StatusForbidden, pageUnknown)
	}
}
