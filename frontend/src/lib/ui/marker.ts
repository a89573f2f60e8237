import { getContext, setContext } from 'svelte';

const key = Symbol('marker');

/** How what is hidden from eyes stands in a text. */
export interface Hiding {
  /** The text that stands for each hidden piece, "" where none is. */
  marker: string;
  /** The pieces that were revealed: each is told apart from what was never hidden. */
  revealed: readonly string[];
}

const none: readonly string[] = [];
export const nothingHidden: Hiding = { marker: '', revealed: none };

/** What is drawn in place of a piece that is hidden from eyes, and what is said of it. */
export const chipWords = '[redacted]';
export const chipTitle = 'A secret stands here. The call gets it as it is.';
export const revealedTitle = 'This was hidden. It is shown on this card only.';

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

/** Where in a text a hidden piece stands, or one that was revealed, in order and without overlaps. */
export function placesOf(text: string, { marker, revealed }: Hiding): { from: number; to: number; shown: boolean }[] {
  const found = [...revealed, marker].flatMap((piece, i) => placesOfPiece(text, piece, i < revealed.length));
  let end = 0;
  return found
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => from >= end && (end = to) > 0);
}

function placesOfPiece(text: string, piece: string, shown: boolean) {
  const places = [];
  for (let at = piece ? text.indexOf(piece) : -1; at >= 0; at = text.indexOf(piece, at + piece.length))
    places.push({ from: at, to: at + piece.length, shown });
  return places;
}

/** Says for all that is drawn below which text stands for what is hidden from eyes, and which pieces were revealed. */
export function setMarker(marker: () => string, revealed: () => readonly string[] = () => none): void {
  setContext(key, () => ({ marker: marker(), revealed: revealed() }));
}

/** How what is hidden stands where this is drawn. */
export function useMarker(): () => Hiding {
  return getContext<(() => Hiding) | undefined>(key) ?? (() => nothingHidden);
}
