package program

import (
	"slices"
	"strings"
)

// maxFilled is how many words are taken from the input of a program that puts them into a
// command, and maxMade how many words the commands have in all that are made of them.
const (
	maxFilled = 64
	maxMade   = 4096
)

// filled reads the command that a program puts words into which stand in its input, where the
// command line holds that: xargs, with or without a mark in whose place they stand. What it
// does counts as done by the word at which the command begins.
func (j *judging) filled(words []Word, mark string, at int) {
	if j.inv.Script == nil || len(words) == 0 {
		return
	}
	items := items(*j.inv.Script)
	if mark == "" && slices.ContainsFunc(words, func(w Word) bool { return strings.Contains(w.Text, "{}") }) {
		mark = "{}"
	}
	if mark == "" {
		list := slices.Clone(words)
		for _, text := range items {
			list = append(list, filling(text, words[len(words)-1]))
		}
		j.out.Inner = append(j.out.Inner, Inner{Words: list, Silent: true, Guessed: true, By: at})
		return
	}
	for _, text := range items[:min(len(items), max(1, maxMade/len(words)))] {
		list := slices.Clone(words)
		for i := range list {
			if strings.Contains(list[i].Text, mark) {
				list[i] = filling(strings.ReplaceAll(list[i].Text, mark, text), list[i])
			}
		}
		j.out.Inner = append(j.out.Inner, Inner{Words: list, Silent: true, Guessed: true, By: at})
	}
}

// filling is a word of a text that stands elsewhere.
func filling(text string, at Word) Word {
	return Word{Text: text, Glob: strings.ContainsAny(text, "*?["), Start: at.Start, End: at.End}
}

// items are the words of an input, by whatever parts them: lines, blanks or NUL characters.
func items(text string) []string {
	var out []string
	add := func(item string) {
		if item = strings.Trim(item, " \t\r\n'\""); item != "" && len(out) < maxFilled && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == 0 }) {
		add(line)
		for _, field := range strings.Fields(line) {
			add(field)
		}
	}
	return out
}
