package redact_test

import (
	"strings"
	"testing"

	"countersign/backend/redact"
)

// The secrets of the tests stand between ‹ and ›, which are taken off. Tokens are built in
// pieces, so that no file of ours holds one.
func parted(marked string) (text, want string) {
	var a, b strings.Builder
	for marked != "" {
		before, rest, is := strings.Cut(marked, "‹")
		a.WriteString(before)
		b.WriteString(before)
		if !is {
			break
		}
		secret, after, _ := strings.Cut(rest, "›")
		a.WriteString(secret)
		b.WriteString("[redacted:7f3a]")
		marked = after
	}
	return a.String(), b.String()
}

func hides(t *testing.T, marked string) {
	t.Helper()
	text, want := parted(marked)
	if got := redact.Text(text, "7f3a"); got != want {
		t.Errorf("the copy of\n%s\nis\n%s\nwant\n%s", text, got, want)
	}
}

const (
	tail20 = "0123456789abcdefABCD"
	tail36 = "0123456789abcdef0123456789abcdefABCD"
)

// families is an example and a near miss of every family of tokens.
var families = []struct{ token, miss string }{
	{"sk" + "-abcdef0123456789ABCDEF", "sk-learn-metrics-2024"},
	{"sk" + "-proj-" + tail20 + "_" + tail20, "desk-0123456789ab"},
	{"sk" + "-ant-api03-" + tail36 + "-" + tail20, "task-2024-12345678-b"},
	{"gsk" + "_" + tail36, "gsk_context_create"},
	{"xai" + "-" + tail36, "xai-explainable"},
	{"pplx" + "-" + tail36, "pplx-small"},
	{"nvapi" + "-" + tail36, "nvapi-docs"},
	{"r8" + "_" + tail36, "r8_unorm"},
	{"hf" + "_" + tail36, "hf_hub_download"},
	{"sk" + "_live_" + tail20, "sk_live_mode"},
	{"sk" + "_test_" + tail20, "sk_tests"},
	{"rk" + "_live_" + tail20, "rk_live_x"},
	{"whsec" + "_" + tail36, "whsec_endpoint"},
	{"sq0atp" + "-" + tail36, "sq0atp-x"},
	{"shpat" + "_" + tail36, "shpat_x"},
	{"AKIA" + "IOSFODNN7EXAMPLE", "AKIA12"},
	{"ASIA" + "IOSFODNN7EXAMPLE", "ASIATIC"},
	{"AIza" + "SyA0123456789abcdefABCDEF0123456789", "AIza"},
	{"ya29" + ".a0AbCdEf0123456789_-abcdef", "ya29.x"},
	{"GOCSPX" + "-" + tail36, "GOCSPX-x"},
	{"dop" + "_v1_" + tail36 + tail36, "dop_v1_x"},
	{"hvs" + "." + tail36, "hvs.read"},
	{"tskey" + "-auth-" + tail36, "tskey-auth"},
	{"AGE-SECRET" + "-KEY-1" + "QQPQZZ0123456789ABCDEFGH", "AGE-SECRET"},
	{"ghp" + "_" + tail36, "ghp_x"},
	{"gho" + "_" + tail36, "gho_st_story_of_the_ages"},
	{"ghu" + "_" + tail36, "ghu_x"},
	{"ghs" + "_" + tail36, "ghs_x"},
	{"ghr" + "_" + tail36, "ghr_x"},
	{"github" + "_pat_" + tail20 + "_more", "github_pat_docs"},
	{"glpat" + "-" + tail20, "glpat-x"},
	{"glptt" + "-" + tail36, "glptt-x"},
	{"glrt" + "-" + tail36, "glrt-x"},
	{"npm" + "_" + tail36, "npm_lifecycle_event"},
	{"pypi" + "-" + tail36, "pypi-publish-action"},
	{"dckr" + "_pat_" + tail36, "dckr_pat_x"},
	{"xoxb" + "-0123456789-abcdefABCDEF", "xoxb-x"},
	{"xoxa" + "-2-0123456789-abcdef", "xoxo-hugs-kisses"},
	{"xapp" + "-1-A0123456789-" + tail36, "xapp-form-inputs"},
	{"xoxe" + ".xoxp" + "-1-" + tail36, "xoxe.x"},
	{"SG" + "." + tail20 + "." + tail36, "SG.x"},
	{"key" + "-" + tail36, "key-value-pairs"},
	{"lin" + "_api_" + tail36, "lin_api_x"},
	{"figd" + "_" + tail36, "figd_x"},
	{"glsa" + "_" + tail36, "glsa_x"},
	{"PMAK" + "-" + tail36, "PMAK-x"},
	{"ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY.SflKxwRJSMeKKF2QT4", "eyJhbGciOi"},
	{"123456789" + ":AA" + tail36, "123456789:ABC"},
}

func TestEveryFamilyIsHiddenAndItsNearMissIsNot(t *testing.T) {
	for _, f := range families {
		for _, around := range [][2]string{{"", ""}, {"value ", " end"}, {"(", "),"}, {"https://host.example/x/", "/y"}, {"a\n", "\nb"}, {"\"", "\""}, {"see ", "."}, {"-", ""}} {
			hides(t, around[0]+"‹"+f.token+"›"+around[1])
		}
		hides(t, f.miss)
	}
}

func TestLabelledValuesAreHidden(t *testing.T) {
	for _, name := range []string{
		"password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key", "access_key", "private_key", "client_secret",
		"access_token", "refresh_token", "auth_token", "secret_key", "MY_SECRET", "DB_PASSWORD", "X-Api-Key", "clientSecret", "apiKey", "PGPASSWORD",
		"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "SECRET_KEY_BASE", "API_KEY_OPENAI", "password2", "db.password", "GITHUB_TOKEN", "sessionKey",
	} {
		for _, form := range []string{
			"N=‹hunter2secret›", "N: ‹hunter2secret›", "N = ‹hunter2secret›", "export N=‹hunter2secret›\nnext", `{"N":"‹hunter2 dragon rider›"}`,
			`{ "N" : "‹hunter2 dragon rider›" }`, "N='‹two words here›'", "N=\"‹two \\\"words\\\" here›\" next", "N := \"‹hunter2secret›\"",
			"a=1&N=‹hunter2secret›&page=2", "https://h.example/x?N=‹hunter2secret›&page=2", "tool --N ‹abcdefghijklmnop› run", "tool --N=‹abcdefghijklmnop› run",
			`["tool","--N","‹hunter2secret›","run"]`, `{\"N\":\"‹hunter2 dragon rider›\",\"x\":1}`, "+N=‹hunter2secret›\n-x", "  N: ‹hunter2secret›\n  x: y",
			"N: |\n  ‹line one\n  line two›\nnext: 1", "<N>‹hunter2secret›</N>", "<a N=\"‹hunter2secret›\"/>", "cfg['N'] = '‹hunter2secret›'",
			`{"name":"N","value":"‹hunter2secret›"}`, "- name: N\n  value: ‹hunter2secret›\n", `"N":"‹hunter2secret›","x":"y"`, "N=`‹hunter2secret›`",
			"\"N\":\n  \"‹hunter2secret›\"", "if N == \"‹hunter2secret›\" {", "Server=db;N=‹hunter2secret›;Database=x", "(N=‹hunter2secret›)", "N=\"‹unclosed value here›\nnext line",
		} {
			hides(t, strings.ReplaceAll(form, "N", name))
		}
	}
}

func TestValuesOfOtherFormsAreHidden(t *testing.T) {
	for _, marked := range []string{
		"Authorization: Bearer ‹abcdef123456789›", "authorization: ‹hunter2secret›", "-H \"Authorization: Bearer ‹abcdef123456789›\" https://x",
		"-H 'Authorization: Basic ‹dXNlcjpwYXNz›' x", "Authorization: Digest ‹username=\"u\", response=\"abc\"›\nHost: x", "Proxy-Authorization: Basic ‹dXNlcjpwYXNz›",
		`{"Authorization":"Bearer ‹tok_abcdef123456›"}`, "Authorization: Token ‹abcdef123456›", "authorization=Bearer ‹abcdef123456›&x=1",
		"curl with Bearer ‹abcdef123456789›", "Basic ‹dXNlcjpwYXNz›", "Cookie: ‹sid=abc; theme=dark›\nHost: x", "Set-Cookie: sid=‹abcdef›; Path=/",
		"curl -H 'Cookie: ‹sid=abc; a=b›' x", "curl -b '‹sid=abc›' x", "curl -u bob:‹hunter2› x", "curl -u 'bob:‹hunter 2›' x", "curl --user bob:‹hunter2› https://x",
		"https://bob:‹hunter2secret›@host.example/", "postgres://user:‹hunter2›@db.example.com:5432/app", "redis://:‹onlyapassword›@cache.internal:6379",
		"https://‹s3cr3tT0kenABCDEFGH›@internal.example/hook", "https://bob:‹pa/ss?w›@host.example/", "mysql -uroot -p‹hunter2› db", "sshpass -p ‹hunter2› ssh h",
		"docker login -u me -p ‹hunter2› reg", "redis-cli -a ‹hunter2› ping", "machine h login me password ‹abc›", "token ‹abcdefghijklmnop›",
		"x='it' password='‹it'\\''s mine›'", "AccountName=a;AccountKey=‹abc+/def==›;EndpointSuffix=x", "data:image/png;base64,‹aGVsbG8=›",
		"https://hooks.slack.com/services/‹T0000/B0000/abcdefgh›", "password: ‹correct horse battery›\nx: 1", "password=\"\"\"‹two\nlines›\"\"\"",
		"DB_PASSWORD=‹p@ss&w0rd,x›\nA=1", "password: str = \"‹hunter2›\"", "var password string = \"‹hunter2›\"", `{"password": ‹12345678›}`,
		"X-Amz-Signature=‹0123456789abcdef0123456789abcdef›&x=1", "password=\"‹x; rm -rf ~›\"", "_authToken=‹abcdef123›", "password%3D‹hunter2›", "the password is ‹hunter2secret99›", "the token was ‹abcdef0123456789›.",
		`{"token":"‹abc›"}`, "token=\"‹abc\\\"def›\" x", "password=‹abc&def›", "password=‹p,q;r›", "a=1;password=‹p,q›;b=2",
	} {
		hides(t, marked)
	}
}

func TestPrivateKeysAreHiddenWhole(t *testing.T) {
	for _, kind := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		begin, end := "-----BEGIN "+kind+"-----", "-----END "+kind+"-----"
		for _, form := range []string{
			"key:\n‹^\nb3BlbnNzaC1rZXktdjE\nMIIEvQIBADANBgkq\n$›\ndone", "‹^\r\nMIIEvQIBADANBgkq\r\n$›\r\nx", `{"k":"‹^\nMIIEvQIBADANBgkq\n$›"}`,
			`"{\"k\":\"‹^\\nMIIEvQIBADANBgkq\\n$›\"}"`, "‹^\nMIIEvQIBADANBgkq\nMIIEvQIBADANBgkq›", "‹^\nProc-Type: 4,ENCRYPTED\n\nMIIEvQIBADANBgkq›\nand some prose",
			"‹MIIEvQIBADANBgkq\n$› tail", "+‹^\n+MIIEvQIBADANBgkq\n+$›\n x", "private_key: ‹^\n  MIIEvQIBADANBgkq\n  $›\n", "key = \"\"\"‹^\nMIIEvQIBADANBgkq\n$›\"\"\"",
			`{"k":"‹^\nMIIEvQIBADANBgkq\nMIIEvQIBADANBgkq›"}`, "@@ -9,3 +9,3 @@\n ‹MIIEvQIBADANBgkq\n $›\n+x",
		} {
			hides(t, strings.NewReplacer("^", begin, "$", end).Replace(form))
		}
	}
	hides(t, "x ‹-----BEGIN RSA PRIVATE KEY›")
}

func TestOrdinaryTextStaysReadable(t *testing.T) {
	for _, text := range []string{
		"the quick brown fox", "count = 42", "tokenizer: fast", "Password must have 12 characters", "desk-0123", "AKIA12",
		"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "123e4567-e89b-42d3-a456-426614174000", "internal/auth/token.go:42",
		"func (t *Token) Next() string {", "API_KEY=<your key here>", "npm_lifecycle_event", "hf_hub_download", "password=$DB_PASSWORD", "password=${DB_PASSWORD}",
		"token: ${{ secrets.GITHUB_TOKEN }}", "password: string", "password?: string;", "token = parser.next()", "secret := os.Getenv(\"SECRET\")", "const token = process.env.TOKEN",
		"max_tokens=100", "tokens: 42", "secretary: Jane", "authors: Jane Doe", "author = Jane", "monkey=banana-split-2024", "keyboard: qwerty", "key: value", "public_key: abcdefghijklmnopqrstuvwxyz",
		"the token expired yesterday", "the password is wrong", "the token is required", `{"token":"none"}`, "secret ingredient", "password authentication failed", "authorization required", "Authorization: required for all calls", "Bearer token required",
		"Basic JavaScript", "token_file=/run/secrets/token", "--password-stdin", "PASSWORD_HASH_ROUNDS_COUNT=12", "PWD=/home/me", "ssh -p 2222 h", "docker run -p 8080:80 nginx",
		"docker run -u 1000:1000 x", "https://example.com/path@fragment", "mailto:someone@example.com", "ssh://git@github.com/x/y", "git@github.com:x/y.git",
		`{"endpoint":"https://api.pay.io:8080","payee":"alice@corp.com"}`, "https://api.example.com/v1/things?limit=10&q=cats", "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+g\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\nMIIDdzCCAl+g\n-----END PUBLIC KEY-----", "commit 0123456789abcdef0123456789abcdef01234567", "password=[redacted:7f3a]", "Authorization: Bearer [redacted:7f3a]",
		"password: ********", "if err := checkToken(tok); err != nil {", "token == nil", "password = None", "secret: null", "case tokenString:", "type Token struct {", "Token::new()", "use crate::token::Token;",
		"https://user@host/x", "2024-01-01T00:00:00Z token 42", "cookie: chocolate chip", "document.cookie", "Set-Cookie", "pass: 12, fail: 0", "--- PASS: TestX (0.00s)", "=== a_key_b",
		"the password for the wifi is on the fridge", "data: \"hello\"", `{"data":"aGVsbG8gd29ybGQh"}`, "auth: none", "auth/login", "Enter password: ", "password:\n  min: 8", "", "=", ":", "://", "-----",
		"signature: (a, b)", "function signature: fmt.Println", "token.type === TokenType.Comma", "rm -rf ~; echo secret", "pin=v1.2", "opinion: nice", "spinner: dots",
	} {
		hides(t, text)
	}
}

func TestTwoSecretNamesOfAnObjectStayTwo(t *testing.T) {
	a, b := "gl"+"pat-"+strings.Repeat("A", 20), "gl"+"pat-"+strings.Repeat("B", 20)
	got, hidden := redact.JSON(`{"`+a+`":1,"`+b+`":2}`, "7f3a")
	want := `{"[redacted:7f3a]":1,"[redacted:7f3a] (2)":2}`
	if got != want || len(hidden) != 1 || hidden[0].Count != 2 {
		t.Errorf("%s %v, want %s", got, hidden, want)
	}
}

func TestJSONKeepsEverythingElseByteForByte(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{`{ "n" : 1.50e3, "a":"\u00e9<b>", "s":[] , "o":{}}`, `{ "n" : 1.50e3, "a":"\u00e9<b>", "s":[] , "o":{}}`},
		{`{"password": 12345678, "x": 1.50}`, `{"password": "[redacted:7f3a]", "x": 1.50}`},
		{`{"args":["deploy","--token","hunter2","-v"]}`, `{"args":["deploy","--token","[redacted:7f3a]","-v"]}`},
		{`{"argv":["mysql","-phunter2","db"]}`, `{"argv":["mysql","-p[redacted:7f3a]","db"]}`},
		{`{"headers":{"Authorization":"Bearer tok_abc","X-Trace":"keep-me"}}`, `{"headers":{"Authorization":"Bearer [redacted:7f3a]","X-Trace":"keep-me"}}`},
		{`{"credentials":{"user":"u1","pass":"hunter2-low"}}`, `{"credentials":{"user":"[redacted:7f3a]","pass":"[redacted:7f3a]"}}`},
		{`{"pin": 493021}`, `{"pin": "[redacted:7f3a]"}`},
		{`{"author":"Jane","pinned":true,"tokenizer":"bpe","key":"a-map-key","keys":["a","b"],"max_tokens":4096}`, `{"author":"Jane","pinned":true,"tokenizer":"bpe","key":"a-map-key","keys":["a","b"],"max_tokens":4096}`},
		{`{"command":"curl -H \"Authorization: Bearer abcdef12345\" https://x"}`, `{"command":"curl -H \"Authorization: Bearer [redacted:7f3a]\" https://x"}`},
		{`{"a":{"x":{"p":1}},"b":{"x":{"p":1}}}`, `{"a":{"x":{"p":1}},"b":{"x":{"p":1}}}`},
		{`[{"mimeType":"image/png","data":"aGVsbG8gZmlyc3Q="}]`, `[{"mimeType":"image/png","data":"[redacted:7f3a]"}]`},
		{`{"password":["one","two"],"n":null,"t":true}`, `{"password":["[redacted:7f3a]","[redacted:7f3a]"],"n":null,"t":true}`},
		{`password=hunter2`, `password=[redacted:7f3a]`},
	} {
		if got, _ := redact.JSON(row.text, "7f3a"); got != row.want {
			t.Errorf("the copy of\n%s\nis\n%s\nwant\n%s", row.text, got, row.want)
		}
	}
}

func TestADiffKeepsItsLines(t *testing.T) {
	text := "@@ -1,2 +1,4 @@\n A=1\n-API_KEY=old0123456789\n+API_KEY=new0123456789\n+-----BEGIN PRIVATE KEY-----\n+MIIEvQIBADANBgkq\n+-----END PRIVATE KEY-----\n B=2\n"
	got, hidden := redact.Diff(text, "7f3a")
	m := "[redacted:7f3a]"
	want := "@@ -1,2 +1,4 @@\n A=1\n-API_KEY=" + m + "\n+API_KEY=" + m + "\n+" + m + "\n+" + m + "\n+" + m + "\n B=2\n"
	if got != want || len(hidden) != 2 {
		t.Errorf("%s\n%v", got, hidden)
	}
}

func TestMarksAreThoseOfASession(t *testing.T) {
	m := redact.MarkOf("0198c0de-0000-7000-8000-000000000001")
	if len(m) != 4 || m != redact.MarkOf("0198c0de-0000-7000-8000-000000000001") || m == redact.MarkOf("0198c0de-0000-7000-8000-000000000002") {
		t.Errorf("mark %q", m)
	}
	if !m.In("a "+m.String()) || m.In("a [redacted]") || m.In("[redacted:zzzz]") || redact.Mark("").In("[redacted]") {
		t.Error("a marker is not told from text")
	}
}
