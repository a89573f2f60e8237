package redact

import "strings"

// hooks are addresses of which the path is the secret: host and path before it.
var hooks = []string{
	"hooks.slack.com/services/", "hooks.slack.com/workflows/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
	"api.telegram.org/bot",
}

// address hides what an address holds of a user: the password, or a token in place of the
// name. i is behind the "://".
func (c *scanner) address(i int) {
	end, at := i, -1
	for ; end < len(c.s); end++ {
		b := c.s[end]
		if b <= ' ' || strings.IndexByte("/?#\"'`<>\\|{}^,", b) >= 0 {
			break
		}
		if b == '@' {
			at = end
		}
	}
	c.steps += end - i
	if at < 0 {
		at = c.lateAt(i, end)
	}
	if at > i {
		c.user(i, at)
		return
	}
	for _, h := range hooks {
		if strings.HasPrefix(c.s[i:], h) {
			from := i + len(h)
			c.hide(from, c.plainEnd(from), KindToken)
			return
		}
	}
}

// lateAt returns where the user ends of an address whose password holds signs that should
// have been written otherwise: what stands behind the colon is no port.
func (c *scanner) lateAt(i, end int) int {
	colon := strings.IndexByte(c.s[i:end], ':')
	if colon < 0 || end >= len(c.s) || strings.IndexByte("/?#^|", c.s[end]) < 0 {
		return -1
	}
	port := c.s[i+colon+1 : end]
	if port == "" || strings.Trim(port, "0123456789") == "" || c.s[i] == '[' {
		return -1
	}
	limit := min(len(c.s), end+256)
	for j := end; j < limit; j++ {
		b := c.s[j]
		if b <= ' ' || strings.IndexByte("\"'`<>\\", b) >= 0 {
			break
		}
		if b == '@' {
			c.steps += j - end
			return j
		}
	}
	return -1
}

// user hides the password between i and at, and the name where that is the token.
func (c *scanner) user(i, at int) {
	text := c.s[i:at]
	user, password, both := strings.Cut(text, ":")
	if both && password != "" {
		from := i + len(user) + 1
		if !c.reads(from) || !wholeReference(password) && !strings.HasPrefix(password, opening) {
			if user == "" || len(user) < leastBare || !mixed(user) {
				c.hide(from, at, KindPassword)
			} else {
				c.hide(i, at, KindToken)
			}
		}
		return
	}
	if len(user) >= leastBare && mixed(user) && strings.IndexByte(user, '.') < 0 {
		c.hide(i, i+len(user), KindToken)
	}
}
