import { type Hiding, nothingHidden, placesOf } from '../ui/marker';
import type { Range } from './words';

/** One of the five syntax hues: keyword, string, comment, number, function, type. */
export type Hue = 'k' | 's' | 'c' | 'n' | 'f' | 'y';

export interface Coloured extends Range {
  hue: Hue;
}

/** A run of one look. */
export interface Piece {
  text: string;
  hue: Hue | '';
}

/** Pieces that lie in one mark, or between marks. */
export interface Stretch {
  marked: boolean;
  pieces: Piece[];
}

/**
 * Cuts a line where its colours and its marks begin and end, without loss. A marker of what is hidden
 * from eyes stays whole: it is no text of the file, whatever was read in it.
 */
export function paint(text: string, colours: Coloured[], marks: Range[], hiding: Hiding = nothingHidden): Stretch[] {
  const cuts = new Set([0, text.length]);
  const hidden = placesOf(text, hiding);
  const cut = (at: number) => {
    const inside = hidden.find(({ from, to }) => from < at && at < to);
    cuts.add(Math.min(inside ? inside.from : at, text.length));
  };
  for (const { from, to } of [...colours, ...marks, ...hidden]) {
    cut(from);
    cut(to);
  }
  const ordered = [...cuts].sort((a, b) => a - b);
  const stretches: Stretch[] = [];
  for (let i = 0; i + 1 < ordered.length; i++) {
    const from = ordered[i] ?? 0;
    const to = ordered[i + 1] ?? text.length;
    const inside = (range: Range) => range.from <= from && to <= range.to;
    const marked = marks.some(inside);
    const piece: Piece = { text: text.slice(from, to), hue: colours.find(inside)?.hue ?? '' };
    const last = stretches.at(-1);
    if (last && last.marked === marked) last.pieces.push(piece);
    else stretches.push({ marked, pieces: [piece] });
  }
  return stretches;
}
