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
	tail20 = "7302918465cfbdaeDBCA"
	tail36 = "7302918465cfbdae5918273640efcadbBDAC"
)

// families is an example and a near miss of every family of tokens.
var families = []struct{ token, miss string }{
	{"sk" + "-fdbace8046291735CAFEDB", "sk-image-filters-2031"},
	{"sk" + "-proj-" + tail20 + "_" + tail20, "husk-8259013746kq"},
	{"sk" + "-ant-api03-" + tail36 + "-" + tail20, "disk-2031-60491827-c"},
	{"gsk" + "_" + tail36, "gsk_window_attach"},
	{"xai" + "-" + tail36, "xai-saliencymap"},
	{"pplx" + "-" + tail36, "pplx-tiny"},
	{"nvapi" + "-" + tail36, "nvapi-page"},
	{"r8" + "_" + tail36, "r8_snorm"},
	{"hf" + "_" + tail36, "hf_set_endpoint"},
	{"sk" + "_live_" + tail20, "sk_live_view"},
	{"sk" + "_test_" + tail20, "sk_trials"},
	{"rk" + "_live_" + tail20, "rk_live_x"},
	{"whsec" + "_" + tail36, "whsec_callback"},
	{"sq0atp" + "-" + tail36, "sq0atp-x"},
	{"shpat" + "_" + tail36, "shpat_x"},
	{"AKIA" + "QZXRTWM3KJHPLVDY", "AKIA57"},
	{"ASIA" + "WNDKRVQ8TZGLMHXB", "ASIAGO"},
	{"AIza" + "SyQ8317450926dbfcaeFBDACE5208146973", "AIza"},
	{"ya29" + ".a0KmRtWz8259013746_-fbdeac", "ya29.x"},
	{"GOCSPX" + "-" + tail36, "GOCSPX-x"},
	{"dop" + "_v1_" + tail36 + tail36, "dop_v1_x"},
	{"hvs" + "." + tail36, "hvs.list"},
	{"tskey" + "-auth-" + tail36, "tskey-node"},
	{"AGE-SECRET" + "-KEY-1" + "ZZLPYY8259013746HKMNRTVX", "AGE-SECRET"},
	{"ghp" + "_" + tail36, "ghp_x"},
	{"gho" + "_" + tail36, "gho_ul_parade_in_the_rain"},
	{"ghu" + "_" + tail36, "ghu_x"},
	{"ghs" + "_" + tail36, "ghs_x"},
	{"ghr" + "_" + tail36, "ghr_x"},
	{"github" + "_pat_" + tail20 + "_more", "github_pat_form"},
	{"glpat" + "-" + tail20, "glpat-x"},
	{"glptt" + "-" + tail36, "glptt-x"},
	{"glrt" + "-" + tail36, "glrt-x"},
	{"npm" + "_" + tail36, "npm_package_version"},
	{"pypi" + "-" + tail36, "pypi-upload-ribbon"},
	{"dckr" + "_pat_" + tail36, "dckr_pat_x"},
	{"xoxb" + "-8259013746-fbdeacDACEBF", "xoxb-x"},
	{"xoxa" + "-2-8259013746-fbdeac", "xoxo-best-regards"},
	{"xapp" + "-1-A8259013746-" + tail36, "xapp-menu-colour"},
	{"xoxe" + ".xoxp" + "-1-" + tail36, "xoxe.x"},
	{"SG" + "." + tail20 + "." + tail36, "SG.x"},
	{"key" + "-" + tail36, "key-frame-lists"},
	{"lin" + "_api_" + tail36, "lin_api_x"},
	{"figd" + "_" + tail36, "figd_x"},
	{"glsa" + "_" + tail36, "glsa_x"},
	{"PMAK" + "-" + tail36, "PMAK-x"},
	{"ey" + "JhbGciOiJFUzM4NCJ9.eyJzdWIiOiJoZXJvbi0xNyJ9.Wq4TnLvRzYpGkB9mXc2", "eyJhbGciOj"},
	{"604918275" + ":AA" + tail36, "604918275:QRS"},
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
			"N=‹walrus4secret›", "N: ‹walrus4secret›", "N = ‹walrus4secret›", "export N=‹walrus4secret›\nnext", `{"N":"‹walrus4 velvet tramway›"}`,
			`{ "N" : "‹walrus4 velvet tramway›" }`, "N='‹one damp cellar›'", "N=\"‹one \\\"damp\\\" cellar›\" next", "N := \"‹walrus4secret›\"",
			"a=1&N=‹walrus4secret›&page=2", "https://h.example/x?N=‹walrus4secret›&page=2", "tool --N ‹kqwmrtzyxpvnhgds› run", "tool --N=‹kqwmrtzyxpvnhgds› run",
			`["tool","--N","‹walrus4secret›","run"]`, `{\"N\":\"‹walrus4 velvet tramway›\",\"x\":1}`, "+N=‹walrus4secret›\n-x", "  N: ‹walrus4secret›\n  x: y",
			"N: |\n  ‹line one\n  line two›\nnext: 1", "<N>‹walrus4secret›</N>", "<a N=\"‹walrus4secret›\"/>", "cfg['N'] = '‹walrus4secret›'",
			`{"name":"N","value":"‹walrus4secret›"}`, "- name: N\n  value: ‹walrus4secret›\n", `"N":"‹walrus4secret›","x":"y"`, "N=`‹walrus4secret›`",
			"\"N\":\n  \"‹walrus4secret›\"", "if N == \"‹walrus4secret›\" {", "Server=db;N=‹walrus4secret›;Database=x", "(N=‹walrus4secret›)", "N=\"‹unfinished barn door›\nnext line",
		} {
			hides(t, strings.ReplaceAll(form, "N", name))
		}
	}
}

func TestValuesOfOtherFormsAreHidden(t *testing.T) {
	for _, marked := range []string{
		"Authorization: Bearer ‹kqwmrt604918275›", "authorization: ‹walrus4secret›", "-H \"Authorization: Bearer ‹kqwmrt604918275›\" https://x",
		"-H 'Authorization: Basic ‹bWlsbDpyZWVk›' x", "Authorization: Digest ‹username=\"u\", response=\"abc\"›\nHost: x", "Proxy-Authorization: Basic ‹bWlsbDpyZWVk›",
		`{"Authorization":"Bearer ‹tok_kqwmrt604918›"}`, "Authorization: Token ‹kqwmrt604918›", "authorization=Bearer ‹kqwmrt604918›&x=1",
		"curl with Bearer ‹kqwmrt604918275›", "Basic ‹bWlsbDpyZWVk›", "Cookie: ‹sid=abc; theme=dark›\nHost: x", "Set-Cookie: sid=‹kqwmrt›; Path=/",
		"curl -H 'Cookie: ‹sid=abc; a=b›' x", "curl -b '‹sid=abc›' x", "curl -u bob:‹walrus4› x", "curl -u 'bob:‹walrus 4›' x", "curl --user bob:‹walrus4› https://x",
		"https://bob:‹walrus4secret›@host.example/", "postgres://user:‹walrus4›@db.example.com:5432/app", "redis://:‹justthepasskey›@cache.internal:6379",
		"https://‹q7f3rryT0llMNPRSTUV›@internal.example/hook", "https://bob:‹re/ed?k›@host.example/", "mysql -uroot -p‹walrus4› db", "sshpass -p ‹walrus4› ssh h",
		"docker login -u me -p ‹walrus4› reg", "redis-cli -a ‹walrus4› ping", "machine h login me password ‹abc›", "token ‹kqwmrtzyxpvnhgds›",
		"x='it' password='‹that'\\''s ours›'", "AccountName=a;AccountKey=‹kuw+/zye==›;EndpointSuffix=x", "data:image/png;base64,‹aGVyb24=›",
		"https://hooks.slack.com/services/‹T8310/B5527/kqwzmrty›", "password: ‹seven mild lanterns›\nx: 1", "password=\"\"\"‹two\nlines›\"\"\"",
		"DB_PASSWORD=‹t@rn&l0ch,x›\nA=1", "password: str = \"‹walrus4›\"", "var password string = \"‹walrus4›\"", `{"password": ‹60491827›}`,
		"X-Amz-Signature=‹7302918465cfbdae5918273640efcadb›&x=1", "password=\"‹x; rm -rf ~›\"", "_authToken=‹kqwmrt604›", "password%3D‹walrus4›", "the password is ‹walrus4secret31›", "the token was ‹kqwmrt8259013746›.",
		`{"token":"‹abc›"}`, "token=\"‹abc\\\"def›\" x", "password=‹abc&def›", "password=‹p,q;r›", "a=1;password=‹p,q›;b=2",
	} {
		hides(t, marked)
	}
}

func TestPrivateKeysAreHiddenWhole(t *testing.T) {
	for _, kind := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		begin, end := "-----BEGIN "+kind+"-----", "-----END "+kind+"-----"
		for _, form := range []string{
			"key:\n‹^\nb3BlbnNzTq8vYw3KdjE\nMIIEowXk7TzRq2Wd\n$›\ndone", "‹^\r\nMIIEowXk7TzRq2Wd\r\n$›\r\nx", `{"k":"‹^\nMIIEowXk7TzRq2Wd\n$›"}`,
			`"{\"k\":\"‹^\\nMIIEowXk7TzRq2Wd\\n$›\"}"`, "‹^\nMIIEowXk7TzRq2Wd\nMIIEowXk7TzRq2Wd›", "‹^\nProc-Type: 4,ENCRYPTED\n\nMIIEowXk7TzRq2Wd›\nand some prose",
			"‹MIIEowXk7TzRq2Wd\n$› tail", "+‹^\n+MIIEowXk7TzRq2Wd\n+$›\n x", "private_key: ‹^\n  MIIEowXk7TzRq2Wd\n  $›\n", "key = \"\"\"‹^\nMIIEowXk7TzRq2Wd\n$›\"\"\"",
			`{"k":"‹^\nMIIEowXk7TzRq2Wd\nMIIEowXk7TzRq2Wd›"}`, "@@ -9,3 +9,3 @@\n ‹MIIEowXk7TzRq2Wd\n $›\n+x",
		} {
			hides(t, strings.NewReplacer("^", begin, "$", end).Replace(form))
		}
	}
	hides(t, "x ‹-----BEGIN RSA PRIVATE KEY›")
}

func TestOrdinaryTextStaysReadable(t *testing.T) {
	for _, text := range []string{
		"a heron by the weir", "count = 42", "tokenizer: slow", "Password must have 14 characters", "husk-8259", "AKIA57",
		"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "7c21f0de-5b9a-4e38-9d06-8f3417a2be55", "internal/auth/token.go:118",
		"func (t *Token) Next() string {", "API_KEY=<your key here>", "npm_package_version", "hf_set_endpoint", "password=$DB_PASSWORD", "password=${DB_PASSWORD}",
		"token: ${{ secrets.GITHUB_TOKEN }}", "password: string", "password?: string;", "token = parser.next()", "secret := os.Getenv(\"SECRET\")", "const token = process.env.TOKEN",
		"max_tokens=250", "tokens: 42", "secretary: Ilse", "authors: Ilse Moor", "author = Ilse", "donkey=carrot-stick-2031", "keyboard: dvorak", "key: value", "public_key: abcdefghijklmnopqrstuvwxyz",
		"the token expired yesterday", "the password is wrong", "the token is required", `{"token":"none"}`, "secret passage", "password authentication failed", "authorization required", "Authorization: required for all calls", "Bearer token required",
		"Basic Geometry", "token_file=/run/secrets/token", "--password-stdin", "PASSWORD_HASH_ROUNDS_COUNT=14", "PWD=/home/me", "ssh -p 2222 h", "docker run -p 8080:80 nginx",
		"docker run -u 1000:1000 x", "https://example.com/path@fragment", "mailto:someone@example.com", "ssh://git@github.com/x/y", "git@github.com:x/y.git",
		`{"endpoint":"https://till.kiln.example:9443","payee":"mira@mill.example"}`, "https://api.example.com/v1/things?limit=10&q=cats", "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+g\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\nMIIDdzCCAl+g\n-----END PUBLIC KEY-----", "commit 0123456789abcdef0123456789abcdef01234567", "password=[redacted:7f3a]", "Authorization: Bearer [redacted:7f3a]",
		"password: ********", "if err := checkToken(tok); err != nil {", "token == nil", "password = None", "secret: null", "case tokenString:", "type Token struct {", "Token::new()", "use crate::token::Token;",
		"https://user@host/x", "2024-01-01T00:00:00Z token 42", "cookie: oat and raisin", "document.cookie", "Set-Cookie", "pass: 12, fail: 0", "--- PASS: TestX (0.00s)", "=== a_key_b",
		"the password for the wifi is on the fridge", "data: \"hello\"", `{"data":"c3RpbGwgcG9uZCEh"}`, "auth: none", "auth/login", "Enter password: ", "password:\n  min: 8", "", "=", ":", "://", "-----",
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
		{`{"password": 60491827, "x": 1.50}`, `{"password": "[redacted:7f3a]", "x": 1.50}`},
		{`{"args":["deploy","--token","walrus4","-v"]}`, `{"args":["deploy","--token","[redacted:7f3a]","-v"]}`},
		{`{"argv":["mysql","-pwalrus4","db"]}`, `{"argv":["mysql","-p[redacted:7f3a]","db"]}`},
		{`{"headers":{"Authorization":"Bearer tok_kqw","X-Trace":"stay-put"}}`, `{"headers":{"Authorization":"Bearer [redacted:7f3a]","X-Trace":"stay-put"}}`},
		{`{"credentials":{"user":"m3","pass":"walrus4-dim"}}`, `{"credentials":{"user":"[redacted:7f3a]","pass":"[redacted:7f3a]"}}`},
		{`{"pin": 807364}`, `{"pin": "[redacted:7f3a]"}`},
		{`{"author":"Ilse","pinned":true,"tokenizer":"wordpiece","key":"some-index","keys":["a","b"],"max_tokens":2048}`, `{"author":"Ilse","pinned":true,"tokenizer":"wordpiece","key":"some-index","keys":["a","b"],"max_tokens":2048}`},
		{`{"command":"curl -H \"Authorization: Bearer kqwmrt60491\" https://x"}`, `{"command":"curl -H \"Authorization: Bearer [redacted:7f3a]\" https://x"}`},
		{`{"a":{"x":{"p":1}},"b":{"x":{"p":1}}}`, `{"a":{"x":{"p":1}},"b":{"x":{"p":1}}}`},
		{`[{"mimeType":"image/png","data":"Z3JleSBoZXJvbnM="}]`, `[{"mimeType":"image/png","data":"[redacted:7f3a]"}]`},
		{`{"password":["one","two"],"n":null,"t":true}`, `{"password":["[redacted:7f3a]","[redacted:7f3a]"],"n":null,"t":true}`},
		{`password=walrus4`, `password=[redacted:7f3a]`},
	} {
		if got, _ := redact.JSON(row.text, "7f3a"); got != row.want {
			t.Errorf("the copy of\n%s\nis\n%s\nwant\n%s", row.text, got, row.want)
		}
	}
}

func TestADiffKeepsItsLines(t *testing.T) {
	text := "@@ -1,2 +1,4 @@\n A=1\n-API_KEY=old8259013746\n+API_KEY=new6047318295\n+-----BEGIN PRIVATE KEY-----\n+MIIEowXk7TzRq2Wd\n+-----END PRIVATE KEY-----\n B=2\n"
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
