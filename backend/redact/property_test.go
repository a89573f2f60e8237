package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sound checks what holds for the copies of every text.
func sound(t interface{ Fatalf(string, ...any) }, text string) {
	const m = Mark("7f3a")
	spans := Spans(text)
	at := -1
	for _, s := range spans {
		if s.Start <= at || s.End <= s.Start || s.End > len(text) || s.Kind == "" {
			t.Fatalf("span %+v after %d in %q", s, at, text)
		}
		at = s.End
	}
	copied, hidden := Copy(text, m)
	if (copied == text) != (len(spans) == 0) && !strings.Contains(text, opening) {
		t.Fatalf("%d spans in %q give %q", len(spans), text, copied)
	}
	n := 0
	for _, h := range hidden {
		n += h.Count
	}
	if n != len(spans) || strings.Count(copied, m.String()) < n {
		t.Fatalf("%d of %d spans are counted in %q", n, len(spans), copied)
	}
	if in := inLines(text, spans, m, "+- "); strings.Count(in, "\n") != strings.Count(text, "\n") {
		t.Fatalf("%q has other lines than %q", in, text)
	}
	if json.Valid([]byte(text)) {
		if got, _ := JSON(text, m); !json.Valid([]byte(got)) {
			t.Fatalf("%q becomes %q, which is no JSON", text, got)
		}
	}
	if steps := stepsOf(text); steps > perByte*(len(text)+1000) {
		t.Fatalf("%d steps for %d bytes of %q", steps, len(text), text)
	}
	head, end := Head(text, len(text)/2, m)
	if end < len(text)/2 || len(text) < lookAhead && !strings.HasPrefix(copied, head) {
		t.Fatalf("the head %q of %q ends at %d", head, text, end)
	}
}

func drawn(t *rapid.T, name string, least, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), least, most).Draw(t, name), "")
}

func TestCopiesOfAnyTextAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { sound(t, drawn(t, "text", 0, 30)) })
}

// forms are ways in which a secret stands in a text.
var forms = []string{
	"password=§", "password: §\n", "{\"api_key\": \"§\"}", "--token § ", "https://bob:§@host.example/", "Authorization: Bearer §\n", "export DB_PASSWORD='§'\n",
	"\"secret\":\"§\"", "client_secret=\"§\"", "?access_token=§&x=1", "<password>§</password>", "{\\\"password\\\":\\\"§\\\"}", "curl -u me:§ x", "Cookie: sid=§\n",
}

// spec: RL-14
func TestNoTextAroundALabelledSecretShowsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[a-z]{3}[0-9]{2}[A-Za-z0-9]{8,20}`).Draw(t, "secret")
		form := rapid.SampledFrom(forms).Draw(t, "form")
		before := rapid.SampledFrom([]string{"", "see ", "a\n", "x=1; ", "# remark\n", "+", "note: the value is\n", "{}\n"}).Draw(t, "before")
		text := before + strings.ReplaceAll(form, "§", secret) + rapid.SampledFrom([]string{"", "\nb", " and more", "\n+c"}).Draw(t, "after")
		copied := Text(text, "7f3a")
		if strings.Contains(copied, secret) {
			t.Fatalf("the copy of %q is %q", text, copied)
		}
		if again := Text(copied, "7f3a"); again != copied {
			t.Fatalf("the copy of the copy %q is %q", copied, again)
		}
	})
}

func TestTheCopyOfACopyIsTheCopy(t *testing.T) {
	for _, text := range []string{
		"Authorization: Bearer kqwmrt604918275 and password='two words' https://bob:x1@h/ --token abcdefgh12 end", "{\"password\":\"a b\",\"x\":[\"--token\",\"abc\"]}",
		"-----BEGIN PRIVATE KEY-----\nMIIEowXk7TzRq2Wd\n-----END PRIVATE KEY-----\npassword: |\n  a\n  b\nc: d", "Cookie: a=b; c=d\nmysql -pabc", "data:image/png;base64,aGVyb24=",
	} {
		copied := Text(text, "7f3a")
		if again := Text(copied, "7f3a"); again != copied || copied == text {
			t.Errorf("the copy of the copy %q is %q", copied, again)
		}
		object, _ := JSON(text, "7f3a")
		if again, _ := JSON(object, "7f3a"); again != object {
			t.Errorf("the copy of the copy %q is %q", object, again)
		}
	}
}

func FuzzCopiesAreSound(f *testing.F) {
	for _, form := range forms {
		f.Add(form)
	}
	for _, p := range pieces {
		f.Add("x" + p + p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<16 {
			sound(t, text)
		}
	})
}
