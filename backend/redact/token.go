package redact

import "strings"

// shape is a family of tokens that are known by how they begin.
type shape struct {
	// begin is the beginning, from the start of a word.
	begin string
	kind  Kind
	// least is how many bytes of the tail set must follow, in one piece.
	least int
	tail  *set
	// mixed says that among them must be a digit, or letters of both cases.
	mixed bool
}

// shapes are the families, by the first byte. Each row has an example and a near miss in
// the tests.
var shapes = byFirst([]shape{
	// Model providers.
	{"sk-", KindKey, 10, name, true},
	{"gsk_", KindKey, 20, alnum, true},
	{"xai-", KindKey, 20, alnum, true},
	{"pplx-", KindKey, 20, alnum, true},
	{"nvapi-", KindKey, 20, name, true},
	{"r8_", KindToken, 20, alnum, true},
	{"hf_", KindToken, 16, alnum, true},
	{"api_org_", KindToken, 20, alnum, true},
	// Payment.
	{"sk_live_", KindKey, 8, alnum, false},
	{"sk_test_", KindKey, 8, alnum, false},
	{"rk_live_", KindKey, 8, alnum, false},
	{"rk_test_", KindKey, 8, alnum, false},
	{"pk_live_", KindKey, 8, alnum, false},
	{"pk_test_", KindKey, 8, alnum, false},
	{"whsec_", KindKey, 16, alnum, true},
	{"sq0atp-", KindToken, 16, name, true},
	{"sq0csp-", KindKey, 16, name, true},
	{"shpat_", KindToken, 20, alnum, true},
	{"shpss_", KindKey, 20, alnum, true},
	{"shpca_", KindToken, 20, alnum, true},
	{"shppa_", KindToken, 20, alnum, true},
	// Clouds.
	{"AKIA", KindKey, 16, upper, false},
	{"ASIA", KindKey, 16, upper, false},
	{"ABIA", KindKey, 16, upper, false},
	{"ACCA", KindKey, 16, upper, false},
	{"AROA", KindKey, 16, upper, false},
	{"AIDA", KindKey, 16, upper, false},
	{"LTAI", KindKey, 16, alnum, true},
	{"AIza", KindKey, 30, name, true},
	{"ya29.", KindToken, 16, name, true},
	{"GOCSPX-", KindKey, 20, name, true},
	{"dop_v1_", KindToken, 32, alnum, true},
	{"doo_v1_", KindToken, 32, alnum, true},
	{"dor_v1_", KindToken, 32, alnum, true},
	{"hvs.", KindToken, 20, name, true},
	{"hvb.", KindToken, 20, name, true},
	{"tskey-", KindKey, 16, name, true},
	{"sbp_", KindToken, 32, alnum, true},
	{"AGE-SECRET-KEY-1", KindPrivateKey, 20, upper, false},
	// Forges and registries.
	{"ghp_", KindToken, 16, alnum, true},
	{"gho_", KindToken, 16, alnum, true},
	{"ghu_", KindToken, 16, alnum, true},
	{"ghs_", KindToken, 16, alnum, true},
	{"ghr_", KindToken, 16, alnum, true},
	{"github_pat_", KindToken, 16, name, true},
	{"glpat-", KindToken, 16, dotted, false},
	{"gldt-", KindToken, 16, dotted, false},
	{"glrt-", KindToken, 16, dotted, false},
	{"glcbt-", KindToken, 16, dotted, false},
	{"glptt-", KindToken, 16, dotted, false},
	{"glft-", KindToken, 16, dotted, false},
	{"glimt-", KindToken, 16, dotted, false},
	{"glagent-", KindToken, 16, dotted, true},
	{"glsoat-", KindToken, 16, dotted, false},
	{"npm_", KindToken, 20, alnum, true},
	{"pypi-", KindToken, 32, name, true},
	{"rubygems_", KindToken, 32, alnum, true},
	{"dckr_pat_", KindToken, 16, name, true},
	{"ATATT3x", KindToken, 20, opaque, true},
	{"ATCTT3x", KindToken, 20, opaque, true},
	// Chats and mail.
	{"xoxa-", KindToken, 10, dotted, true},
	{"xoxb-", KindToken, 10, dotted, true},
	{"xoxc-", KindToken, 10, dotted, true},
	{"xoxd-", KindToken, 10, opaque, true},
	{"xoxe-", KindToken, 10, dotted, true},
	{"xoxe.xoxp-", KindToken, 10, dotted, true},
	{"xoxe.xoxb-", KindToken, 10, dotted, true},
	{"xoxo-", KindToken, 10, dotted, true},
	{"xoxp-", KindToken, 10, dotted, true},
	{"xoxr-", KindToken, 10, dotted, true},
	{"xoxs-", KindToken, 10, dotted, true},
	{"xapp-", KindToken, 10, dotted, true},
	{"SG.", KindKey, 16, dotted, true},
	{"key-", KindKey, 32, alnum, true},
	// Tools.
	{"lin_api_", KindKey, 20, alnum, true},
	{"ntn_", KindToken, 20, alnum, true},
	{"secret_", KindToken, 32, alnum, true},
	{"figd_", KindToken, 16, name, true},
	{"glsa_", KindToken, 20, name, true},
	{"glc_", KindToken, 20, opaque, true},
	{"sntrys_", KindToken, 20, opaque, true},
	{"sntryu_", KindToken, 20, opaque, true},
	{"PMAK-", KindKey, 20, name, true},
	{"NRAK-", KindKey, 16, upper, false},
	{"CFPAT-", KindToken, 20, name, true},
	{"phx_", KindKey, 20, alnum, true},
	{"dp.pt.", KindToken, 20, alnum, true},
	{"dp.st.", KindToken, 20, dotted, true},
})

// begins tells the words with which a family may begin.
var begins = beginsOf()

func beginsOf() *threes {
	t := &threes{}
	for _, rows := range shapes {
		for _, r := range rows {
			t.add(r.begin)
		}
	}
	return t
}

func byFirst(rows []shape) (out [256][]shape) {
	for _, r := range rows {
		out[r.begin[0]] = append(out[r.begin[0]], r)
	}
	return out
}

// maxTail is how much of a token is looked at to tell it from words, in bytes.
const maxTail = 256

// token hides the token that begins with the word, if one does.
func (c *scanner) token(w word) bool {
	s := c.s
	rest := s[w.start:]
	if len(rest) > 10 && rest[0] == 'e' && rest[1] == 'y' && rest[2] == 'J' {
		return c.webToken(w.start)
	}
	if rest[0] >= '0' && rest[0] <= '9' {
		return c.botToken(w)
	}
	if len(rest) < 3 || !begins.has(rest) {
		return false
	}
	for _, f := range shapes[rest[0]] {
		if !strings.HasPrefix(rest, f.begin) {
			continue
		}
		from := w.start + len(f.begin)
		end := c.while(from, f.tail)
		end = withoutStop(s, from, end)
		if tail := s[from:min(end, from+maxTail)]; end-from < f.least || f.mixed && !mixed(tail) || f.begin == "sk-" && !hasPiece(tail) {
			continue
		}
		c.hide(w.start, end, f.kind)
		return true
	}
	return false
}

// withoutStop leaves out the points and dashes with which a sentence goes on.
func withoutStop(s string, from, end int) int {
	for end > from && s[end-1] == '.' {
		end--
	}
	return end
}

// hasPiece tells a key, which has a long piece without a dash, from words joined by dashes.
func hasPiece(tail string) bool {
	run := 0
	for i := range len(tail) {
		if !alnum.has[tail[i]] {
			run = 0
			continue
		}
		if run++; run >= 8 && mixed(tail[i-run+1:i+1]) {
			return true
		}
	}
	return false
}

// mixed reports whether a text holds a digit, or letters of both cases: more than a word.
func mixed(text string) bool {
	var small, big bool
	for i := range len(text) {
		switch b := text[i]; {
		case b >= '0' && b <= '9':
			return true
		case b >= 'a' && b <= 'z':
			small = true
		case b >= 'A' && b <= 'Z':
			big = true
		}
	}
	return small && big
}

// webToken hides a token of the form header.payload.signature.
func (c *scanner) webToken(start int) bool {
	first := c.while(start, name)
	if first-start < 10 || c.byteAt(first) != '.' {
		return false
	}
	end := c.while(first+1, name)
	if end-first-1 < 4 {
		return false
	}
	for c.byteAt(end) == '.' && name.has[c.byteAt(end+1)] {
		end = c.while(end+1, name)
	}
	c.hide(start, end, KindToken)
	return true
}

// botToken hides a token of the form number:35 letters.
func (c *scanner) botToken(w word) bool {
	if n := w.end - w.start; n < 8 || n > 10 || c.byteAt(w.end) != ':' || c.byteAt(w.end+1) != 'A' {
		return false
	}
	for _, b := range []byte(w.of(c.s)) {
		if b > '9' {
			return false
		}
	}
	end := c.while(w.end+1, name)
	if end-w.end-1 < 30 {
		return false
	}
	c.hide(w.start, end, KindToken)
	return true
}
