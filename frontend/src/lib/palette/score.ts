/*
 * How well what was typed fits a command. Written here and not taken from a library: fuse.js
 * forgives typing errors and so puts a tool that merely looks alike above the one that was named,
 * fuzzysort and uFuzzy take letters from anywhere inside words, and all three rank one text, where a
 * command has several of unlike weight. What it costs: a misspelled word finds nothing.
 */

// Longer texts are tails of descriptions; a query is a few words.
const maxText = 300;
const maxTerms = 8;

const atStart = 100;
const inside = 40;
const abbreviated = 30;

/** The words of a query, in lower case. */
export function termsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxTerms);
}

/**
 * How well one word in lower case fits a text: highest where a word of the text begins with it,
 * lower inside a word, lower still where its letters are the beginnings of words in order ("opf" for
 * "Only project files"), and 0 where it does not fit.
 */
export function fit(term: string, text: string): number {
  const cut = text.slice(0, maxText);
  const lower = cut.toLowerCase();
  // Some capitals are longer in lower case; then places in one are not places in the other.
  const shown = lower.length === cut.length ? cut : lower;
  let found = 0;
  for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + 1)) {
    if (begins(shown, at)) return atStart - Math.min(at, 20) + (lower.length === term.length ? 20 : 0);
    found = inside;
  }
  if (found || term.length < 2 || !inOrder(term, lower)) return found;
  const worth = abbreviation(term, lower, shown);
  return worth < 0 ? 0 : Math.min(abbreviated + worth, inside - 1);
}

/** Whether a word begins there: after anything that is no letter or digit, and at a capital after a small letter. */
function begins(text: string, at: number): boolean {
  const [before, here] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (at === 0) return true;
  if (before > 0x7f || here > 0x7f) return !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
  const isSmall = before >= 0x61 && before <= 0x7a;
  if (isSmall) return here >= 0x41 && here <= 0x5a;
  return !((before >= 0x30 && before <= 0x39) || (before >= 0x41 && before <= 0x5a));
}

/** Whether the letters stand in the text in order, with anything between: most texts fail here. */
function inOrder(term: string, lower: string): boolean {
  let at = -1;
  for (const letter of term) {
    at = lower.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** What a word is worth that is made of beginnings of words: more, the more letters stand together. -1 for none. */
function abbreviation(term: string, lower: string, shown: string): number {
  const known = new Map<number, number>();
  // The most that letters from `of` on are worth when the text is used up to `at`.
  const best = (of: number, at: number): number => {
    if (of === term.length) return 0;
    const key = of * (lower.length + 1) + at;
    const before = known.get(key);
    if (before !== undefined) return before;
    let found = -1;
    for (let i = lower.indexOf(term.charAt(of), at); i >= 0; i = lower.indexOf(term.charAt(of), i + 1)) {
      const together = i === at && of > 0;
      if (!together && !begins(shown, i)) continue;
      const rest = best(of + 1, i + 1);
      if (rest >= 0) found = Math.max(found, rest + (together ? 2 : 0));
    }
    known.set(key, found);
    return found;
  };
  return best(0, 0);
}
