package shellcmd

// twins lists, for each character of ASCII, others that most typefaces draw the same way.
var twins = [...]struct {
	like rune
	of   string
}{
	{'a', "аαɑ"}, {'b', "Ьƅ"}, {'c', "сϲᴄⅽ"}, {'d', "ԁⅾ"}, {'e', "еεҽ"}, {'f', "ſẝϝ"}, {'g', "ɡցᶃ"}, {'h', "һհ"}, {'i', "іıιɩⅰ"},
	{'j', "јϳ"}, {'k', "кκ"}, {'l', "ӏℓⅼǀ"}, {'m', "ⅿ"}, {'n', "ոη"}, {'o', "оοօσᴏ"}, {'p', "рρϱ"}, {'q', "ԛզ"}, {'r', "г"},
	{'s', "ѕꜱ"}, {'t', "тτ"}, {'u', "υսᴜ"}, {'v', "νѵᴠⅴ"}, {'w', "ԝωᴡ"}, {'x', "хχⅹ"}, {'y', "уγү"}, {'z', "ᴢ"},
	{'A', "АΑᎪ"}, {'B', "ВΒᏴ"}, {'C', "СϹᏟⅭ"}, {'D', "ᎠⅮ"}, {'E', "ЕΕᎬ"}, {'F', "Ϝ"}, {'G', "ԌᏀ"}, {'H', "НΗᎻ"}, {'I', "ІΙӀⅠ"}, {'J', "ЈᎫ"},
	{'K', "КΚᏦK"}, {'L', "ᏞⅬ"}, {'M', "МΜᎷⅯ"}, {'N', "Ν"}, {'O', "ОΟՕ"}, {'P', "РΡᏢ"}, {'Q', "Ԛ"}, {'R', "Ꭱ"}, {'S', "ЅՏᏚ"},
	{'T', "ТΤᎢ"}, {'U', "Ս"}, {'V', "ѴᏙⅤ"}, {'W', "ԜᎳ"}, {'X', "ХΧⅩ"}, {'Y', "УΥҮ"}, {'Z', "ΖᏃ"},
	{'\'', "‘’‚‛′‵ʹʼʻʽˈˊˋ´՚׳`"}, {'"', "“”„‟″‶˝״"}, {'`', "｀"}, {'-', "‐‑‒–—―−⁃﹘﹣⸺⸻ー"}, {'_', "‗﹍﹎﹏"},
	{'/', "⁄∕⧸"}, {'\\', "∖⧵⧹﹨"}, {':', "∶ː꞉։׃"}, {';', ";؛"}, {'.', "․"}, {',', "٫"}, {'|', "∣│ǀ⏐❘"}, {'*', "⁎∗٭"},
	{'~', "˜∼⁓〜"}, {'<', "‹˂❮〈"}, {'>', "›˃❯〉"}, {'!', "ǃ"}, {'=', "═꓿"}, {'(', "❨❲⁽"}, {')', "❩❳⁾"}, {'{', "❴"}, {'}', "❵"}, {'$', "﹩"}, {'&', "﹠"}, {'#', "﹟"},
	{'%', "﹪٪"}, {'+', "﹢"}, {'?', "﹖"}, {'@', "﹫"},
}

// likenesses is twins the other way round.
var likenesses = func() map[rune]rune {
	out := map[rune]rune{}
	for _, t := range twins {
		for _, c := range t.of {
			if c >= 0x80 {
				out[c] = t.like
			}
		}
	}
	return out
}()

// likeness is the character of ASCII that c looks like, 0 for none.
func likeness(c rune) rune {
	if like := form(c); like != 0 {
		return like
	}
	return likenesses[c]
}

// form is the character of ASCII that c is a full-width or mathematical form of, 0 for none.
func form(c rune) rune {
	switch {
	case c >= 0xff01 && c <= 0xff5e:
		return c - 0xfee0
	case c >= 0x1d400 && c <= 0x1d6a3:
		if i := (c - 0x1d400) % 52; i < 26 {
			return 'A' + i
		} else {
			return 'a' + i - 26
		}
	case c >= 0x1d7ce && c <= 0x1d7ff:
		return '0' + (c-0x1d7ce)%10
	}
	return 0
}
