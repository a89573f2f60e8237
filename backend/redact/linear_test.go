package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pieces are what texts are made of that could make a reader go over the same bytes again.
var pieces = []string{
	"a", " ", "\n", "\"", "'", "\\", "\\\"", "=", ":", "-", "_", ",", ";", "&", "://", "@", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
	"-----BEGIN ", "-----END ", "-----", "password", "password=", "password=\"", "password='", "password: ", "password: |\n ", "token", "token ", "--token ",
	"api_key_", "key", "secret", "secret=`", "Authorization: ", "Bearer ", "Basic ", "Cookie: a=b", "Set-Cookie: ", "https://a:", "https://", "curl -u ", "mysql -p", "login ",
	"ey" + "Jabcdefghijk.", "sk" + "-", "xo" + "xb-", "gl" + "pat-", "0123456789", "abcdefABCDEF", "base64,", "\"data\":\"", "mime", "value", "name", "$(", "${", "<", ">", "<password>",
	"\"\"\"", "'''", "(", ")", "[", "]", "{", "}", "…", "\x00", "\r\n", "+", " #", "string = ", "12345678:A", "[redacted]", "[redacted:7f3a]", "%3D", "\\n", "|", "Proc-Type: 4",
}

// stepsOf is how many bytes were looked at to read a text.
func stepsOf(text string) int {
	c := scanner{s: text}
	c.run()
	return c.steps
}

// perByte bounds how often one byte is looked at, whatever stands around it.
const perByte = 300

func TestTimeGrowsWithTheLengthOfTheText(t *testing.T) {
	long := []string{
		"Authorization: Bearer " + strings.Repeat("a", 200000) + " my_secret=\"" + strings.Repeat("x", 50000) + "\"",
		"password" + strings.Repeat(" ", 200000) + "=", "password=\"" + strings.Repeat("\\\"", 100000),
	}
	for _, p := range pieces {
		for _, q := range pieces {
			long = append(long, strings.Repeat(p+q, 1000))
		}
	}
	for _, text := range long {
		if steps := stepsOf(text); steps > perByte*len(text) {
			t.Errorf("%d steps for %d bytes of %.60q", steps, len(text), text)
		}
	}
}

func TestStepsDoNotDependOnWhatAnyTextIsMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, "unit"), "")
		head := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "head"), "")
		text := head + strings.Repeat(unit, 1+20000/len(unit))
		if steps := stepsOf(text); steps > perByte*len(text) {
			t.Fatalf("%d steps for %d bytes of %q and many %q", steps, len(text), head, unit)
		}
	})
}
