package redact

import "strings"

// label is a name of which the value is a secret.
type label struct {
	// start and end are the bytes of the whole name, as far as it matters.
	start, end int
	kind       Kind
	// strong says that hardly anything else is called so: a short value counts too.
	strong bool
	// phrase says that the value may be several words.
	phrase bool
	// header says that the value is that of an Authorization header, and cookie that of a
	// header about cookies.
	header, cookie bool
	// file says that a value that looks like a path is one.
	file bool
}

// The words that make a label by themselves, in small letters.
var labels = map[string]label{
	"password":         {kind: KindPassword, strong: true, phrase: true},
	"passwords":        {kind: KindPassword},
	"passwd":           {kind: KindPassword, strong: true, phrase: true},
	"passphrase":       {kind: KindPassword, strong: true, phrase: true},
	"passcode":         {kind: KindPassword, strong: true},
	"passwort":         {kind: KindPassword, strong: true, phrase: true},
	"kennwort":         {kind: KindPassword, strong: true, phrase: true},
	"pwd":              {kind: KindPassword, file: true},
	"pass":             {kind: KindPassword},
	"pin":              {kind: KindPassword},
	"secret":           {kind: KindCredential, strong: true, phrase: true},
	"secrets":          {kind: KindCredential},
	"token":            {kind: KindToken, file: true},
	"auth":             {kind: KindCredential},
	"bearer":           {kind: KindToken},
	"credential":       {kind: KindCredential, file: true},
	"credentials":      {kind: KindCredential, file: true},
	"authorization":    {kind: KindCredential, header: true},
	"authentication":   {kind: KindCredential, header: true},
	"cookie":           {kind: KindCookie, cookie: true},
	"signature":        {kind: KindToken},
	"sig":              {kind: KindToken},
	"otp":              {kind: KindPassword},
	"connectionstring": {kind: KindCredential, strong: true, phrase: true},
}

// keyQualifiers are the words before "key" that make a secret of it.
var keyQualifiers = map[string]bool{
	"api": true, "access": true, "secret": true, "private": true, "client": true, "auth": true, "encryption": true,
	"encrypt": true, "signing": true, "sign": true, "master": true, "session": true, "account": true, "storage": true,
	"shared": true, "service": true, "deploy": true, "webhook": true, "hmac": true, "ssh": true, "app": true,
	"application": true, "consumer": true, "admin": true, "root": true, "license": true, "subscription": true, "write": true,
	"apikey": true, "jwt": true, "aes": true, "rsa": true,
}

// glued are the ends of words that are written in one piece.
var glued = []struct {
	end string
	as  string
}{
	{"password", "password"}, {"passwd", "passwd"}, {"passphrase", "passphrase"}, {"secret", "secret"}, {"token", "token"},
	{"connectionstring", "connectionstring"},
}

// notValues are the words after a label with which it names something about the secret.
var notValues = map[string]bool{
	"file": true, "files": true, "path": true, "paths": true, "dir": true, "directory": true, "folder": true, "name": true,
	"names": true, "id": true, "ids": true, "url": true, "uri": true, "endpoint": true, "host": true, "port": true, "type": true,
	"types": true, "length": true, "len": true, "size": true, "count": true, "limit": true, "limits": true, "policy": true,
	"expiry": true, "expires": true, "expiration": true, "ttl": true, "timeout": true, "field": true, "label": true, "env": true,
	"var": true, "hint": true, "arn": true, "version": true, "stdin": true, "ring": true, "store": true, "prefix": true,
	"suffix": true, "format": true, "usage": true, "required": true, "enabled": true, "disabled": true, "manager": true,
	"provider": true, "command": true, "helper": true, "index": true, "min": true, "max": true, "strength": true, "rotation": true,
	"age": true, "at": true, "header": true, "prompt": true, "placeholder": true, "algorithm": true, "alg": true, "method": true,
	"scope": true, "scopes": true, "issuer": true, "audience": true, "mode": true, "budget": true, "usages": true,
}

// neutral are the words that may follow a label after a dash.
var neutral = map[string]bool{
	"value": true, "base": true, "prod": true, "production": true, "dev": true, "test": true, "staging": true, "old": true, "new": true,
	"b64": true, "base64": true, "hex": true, "raw": true, "plain": true, "text": true, "string": true, "data": true,
}

// ends tells the words that end as a label does.
var ends = endsOf()

func endsOf() *threes {
	t := &threes{}
	t.add("key")
	for word := range labels {
		t.add(word[len(word)-3:])
	}
	return t
}

// maxName bounds how far a name is read behind its label, in bytes.
const maxName = 64

// label reports whether the name that ends with w, or goes on behind it, is a label.
func (c *scanner) label(w word) (label, bool) {
	end := w.end
	for end > w.start && c.s[end-1] <= '9' {
		end--
	}
	if end-w.start < 3 || w.end-w.start > maxName || !ends.has(c.s[end-3:end]) {
		return label{}, false
	}
	l, is := c.labelled(w, c.s[w.start:end])
	if !is {
		return l, false
	}
	l.start, l.end = w.start, w.end
	return l, c.extend(&l)
}

// labelled looks a word up, without its digits, together with the word before it.
func (c *scanner) labelled(w word, text string) (label, bool) {
	var buffer [maxName]byte
	small := lower(buffer[:0], text)
	if string(small) == "key" {
		return c.keyed(w)
	}
	if l, is := labels[string(small)]; is {
		return l, true
	}
	if len(small) > 3 && strings.HasSuffix(string(small), "key") {
		if keyQualifiers[lastPart(text[:len(text)-3])] || keyQualifiers[string(small[:len(small)-3])] {
			return label{kind: KindKey, strong: true, file: true}, true
		}
		return label{}, false
	}
	for _, g := range glued {
		if len(small) > len(g.end) && strings.HasSuffix(string(small), g.end) {
			return labels[g.as], true
		}
	}
	// What is written as one word with capitals ends in a word of its own.
	if last := lastPart(text); len(last) < len(text) {
		l, is := labels[last]
		return l, is
	}
	return label{}, false
}

// keyed reports whether the word before "key" makes a secret of it.
func (c *scanner) keyed(w word) (label, bool) {
	gap := w.start - c.prev.end
	if c.prev.end == 0 || gap != 1 || strings.IndexByte("_- .", c.s[c.prev.end]) < 0 || c.prev.end-c.prev.start > maxName {
		return label{}, false
	}
	var buffer [maxName]byte
	if before := c.prev.of(c.s); !keyQualifiers[string(lower(buffer[:0], before))] && !keyQualifiers[lastPart(before)] {
		return label{}, false
	}
	return label{kind: KindKey, strong: true, file: true}, true
}

// lastPart is the last word of one that is written with capitals, in small letters.
func lastPart(text string) string {
	i := len(text)
	for i > 0 && (text[i-1] < 'A' || text[i-1] > 'Z') {
		i--
	}
	if i == 0 {
		return strings.ToLower(text)
	}
	return strings.ToLower(text[i-1:])
}

func lower(to []byte, text string) []byte {
	for i := range len(text) {
		b := text[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

// extend moves the end of a label behind the words that follow it in the same name, and
// reports whether the name still is that of a secret.
func (c *scanner) extend(l *label) bool {
	for l.end-l.start < maxName {
		joint := c.byteAt(l.end)
		if joint != '_' && joint != '-' || !alnum.has[c.byteAt(l.end+1)] {
			return true
		}
		end := l.end + 1
		for end < len(c.s) && end-l.end <= maxName && alnum.has[c.s[end]] {
			end++
		}
		next := strings.ToLower(c.s[l.end+1 : end])
		c.steps += end - l.end
		switch {
		case next == "key":
			l.kind, l.strong, l.file = KindKey, true, true
		case notValues[next], notValues[strings.TrimSuffix(next, "s")]:
			return false
		case joint == '-' && !neutral[next] && labels[next].kind == "" && strings.Trim(next, "0123456789") != "":
			return false
		}
		l.end = end
	}
	return true
}
