package redact

import "strings"

// isProgram reports whether a word is a program of which short options carry secrets.
func isProgram(word string) bool {
	switch word {
	case "curl", "wget", "http", "https", "xh", "mysql", "mysqldump", "mariadb", "sshpass", "docker", "podman", "redis", "ldapsearch", "unzip", "zip", "7z":
		return true
	}
	return false
}

// shortFlag hides the value of a short option, where the program is known to take one.
func (c *scanner) shortFlag(w word) {
	if c.program == "" || c.byteAt(w.start-1) != '-' {
		return
	}
	text := w.of(c.s)
	if name.has[c.byteAt(w.start-2)] && (text != "user" || c.byteAt(w.start-2) != '-') {
		return
	}
	switch c.program {
	case "curl", "wget", "http", "https", "xh":
		if text == "u" || text == "a" || text == "U" || text == "user" {
			c.userAndPassword(w.end)
		}
		if text == "b" && c.program == "curl" {
			c.cookieFlag(w.end)
		}
	case "mysql", "mysqldump", "mariadb":
		if len(text) > 1 && text[0] == 'p' && !strings.HasPrefix(text, "port") && !strings.HasPrefix(text, "protocol") {
			c.hide(w.start+1, c.plainEnd(w.start+1), KindPassword)
		}
	case "sshpass", "unzip", "zip", "7z":
		if text == "p" || text == "P" {
			c.nextWord(w.end)
		} else if text[0] == 'p' && (c.program == "sshpass" || c.program == "7z") {
			c.hide(w.start+1, c.plainEnd(w.start+1), KindPassword)
		}
	case "docker", "podman":
		if text == "p" && strings.Contains(c.s[max(0, w.start-96):w.start], " login") {
			c.nextWord(w.end)
		}
	case "redis":
		if text == "a" {
			c.nextWord(w.end)
		}
	case "ldapsearch":
		if text == "w" {
			c.nextWord(w.end)
		}
	}
}

// nextWord hides the next word of a command line.
func (c *scanner) nextWord(i int) {
	c.word2(label{kind: KindPassword}, i)
}

// userAndPassword hides the password of name:password.
func (c *scanner) userAndPassword(i int) {
	i = c.blanks(i)
	var end int
	if open := c.quoteAt(i); open != "" {
		i += len(open)
		end, _ = c.closing(i, open[len(open)-1], len(open)-1)
	} else {
		end = c.plainEnd(i)
	}
	at := strings.IndexByte(c.s[i:end], ':')
	if at < 0 {
		return
	}
	from := i + at + 1
	if from < end && !c.reads(from) {
		c.hide(from, end, KindPassword)
	}
}

// cookieFlag hides the cookies of an option, unless it names a file.
func (c *scanner) cookieFlag(i int) {
	i = c.blanks(i)
	var end int
	if open := c.quoteAt(i); open != "" {
		i += len(open)
		end, _ = c.closing(i, open[len(open)-1], len(open)-1)
	} else {
		end = c.plainEnd(i)
	}
	if strings.IndexByte(c.s[i:end], '=') > 0 {
		c.hide(i, end, KindCookie)
	}
}

// namedApart hides the value of a name that is itself a value: {"name": "TOKEN", "value": "…"},
// and the YAML and XML of the same.
func (c *scanner) namedApart(l label, i int) bool {
	from := i
	for i < len(c.s) && i-from < maxName && strings.IndexByte(" \t\r\n,\"'\\-", c.s[i]) >= 0 {
		i++
	}
	c.steps += i - from
	if !strings.HasPrefix(c.s[i:], "value") {
		return false
	}
	i, _ = c.afterName(i + len("value"))
	at, sep := c.separator(i)
	if sep == sepNone {
		return false
	}
	l.phrase = false
	c.assigned(l, at, sep, true)
	return true
}

// opensElement reports whether a name is that of an element: <name>.
func (c *scanner) opensElement(l label) bool {
	i := l.start
	for i > 0 && (dotted.has[c.s[i-1]] || c.s[i-1] == ':') && l.start-i < maxName {
		i--
	}
	return c.byteAt(i-1) == '<'
}

// element hides what stands between the tags of an element.
func (c *scanner) element(l label, i int) {
	end := strings.IndexByte(c.s[i:], '<')
	if end < 1 || end > maxApart {
		return
	}
	c.steps += end
	if text := strings.TrimSpace(c.s[i : i+end]); text != "" && !c.keeps(l, text, i, i+end) {
		c.hide(i, i+end, l.kind)
	}
}
