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
  const shown = text.slice(0, maxText);
  const lower = shown.toLowerCase();
  // Some capitals are longer in lower case; then places in one are not places in the other.
  const starts = lower.length === shown.length ? startsOf(shown) : startsOf(lower);
  let found = 0;
  for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + 1)) {
    if (starts[at]) return atStart - Math.min(at, 20) + (lower.length === term.length ? 20 : 0);
    found = inside;
  }
  return found || Math.max(abbreviation(term, lower, starts), 0);
}

/** Which characters begin a word: after anything that is no letter or digit, and a capital after a small one. */
function startsOf(text: string): boolean[] {
  const starts: boolean[] = [];
  for (let i = 0; i < text.length; i++) {
    const before = text[i - 1] ?? ' ';
    starts.push(!/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[i] ?? '')));
  }
  return starts;
}

/** The fit of a word that is made of beginnings of words; fewer words count more. -1 for none. */
function abbreviation(term: string, lower: string, starts: boolean[]): number {
  const known = new Map<number, number>();
  // The most that letters from `of` on are worth when the text is used up to `at`.
  const best = (of: number, at: number): number => {
    if (of === term.length) return 0;
    const key = of * (lower.length + 1) + at;
    const before = known.get(key);
    if (before !== undefined) return before;
    let found = -1;
    for (let i = at; i < lower.length; i++) {
      if (lower[i] !== term[of] || !(starts[i] || (i === at && of > 0))) continue;
      const rest = best(of + 1, i + 1);
      if (rest >= 0) found = Math.max(found, rest + (i === at && of > 0 ? 2 : 0));
    }
    known.set(key, found);
    return found;
  };
  const worth = term.length < 2 ? -1 : best(0, 0);
  return worth < 0 ? -1 : Math.min(abbreviated + worth, inside - 1);
}
