import { getContext, setContext } from 'svelte';

const key = Symbol('marker');

/** What is drawn in place of a piece that is hidden from eyes, and what is said of it. */
export const chipWords = '[redacted]';
export const chipTitle = 'A secret stands here. The call gets it as it is.';

/** What a marker looks like, whatever its session, and how long one is at most. */
const looksLikeMarker = /^\[redacted(?::[0-9a-f]{4})?\]/;
const longest = '[redacted:0000]'.length;

/** Where a text may be cut near a place: there, or before a marker that the cut would go through. */
export function beforeMarker(text: string, at: number): number {
  const from = Math.max(0, at - longest + 1);
  const open = from + text.slice(from, at).lastIndexOf('[');
  const found = open < from ? null : looksLikeMarker.exec(text.slice(open, open + longest));
  return found && open + found[0].length > at ? open : at;
}

/** Says which text stands for what is hidden from eyes, for all that is drawn below. */
export function setMarker(marker: () => string): void {
  setContext(key, marker);
}

/** The text that stands for what is hidden where this is drawn, "" for none. */
export function useMarker(): () => string {
  return getContext<(() => string) | undefined>(key) ?? (() => '');
}
