import { type Hiding, nothingHidden } from '../ui/marker';
import { pathParts } from '../ui/path';
import { type Segment, segments } from '../ui/visible';

/** A piece of a text: a token, or plain text that is part of a hit or not. */
export interface Piece extends Segment {
  hit: boolean;
  /** It belongs to the name at the end of a path. */
  strong: boolean;
  /** A line may break after it. */
  breaks: boolean;
}

// The desk compares the letters of ASCII alone without their case, so this does, too.
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Where a text is part of another one, as pairs of a start and an end. */
export function hitsOf(text: string, wanted: string): [number, number][] {
  const found: [number, number][] = [];
  const [inside, needle] = [folded(text), folded(wanted.trim())];
  if (!needle) return found;
  for (let at = inside.indexOf(needle); at >= 0; at = inside.indexOf(needle, at + needle.length))
    found.push([at, at + needle.length]);
  return found;
}

/** Cuts a text into what is drawn, with the places of the search marked. A hidden character stays a token. */
export function piecesOf(text: string, wanted: string, isPath: boolean, hiding: Hiding = nothingHidden): Piece[] {
  const hits = hitsOf(text, wanted);
  const parts = isPath ? pathParts(text, hiding) : { folder: segments(text, 'line', [], hiding), name: [] };
  const pieces: Piece[] = [];
  let at = 0;
  for (const [list, strong] of [
    [parts.folder, false],
    [parts.name, true],
  ] as const) {
    for (const segment of list) {
      const cut = segment.code || segment.secret ? [segment.text] : cutAt(segment.text, at, hits);
      for (const [i, part] of cut.entries()) {
        const hit = hits.some(([from, to]) => from <= at && at < to);
        pieces.push({ ...segment, text: part, hit, strong, breaks: isPath && i === cut.length - 1 });
        at += part.length;
      }
    }
  }
  return pieces;
}

// Cuts a text that begins at an offset where hits begin and end.
function cutAt(text: string, offset: number, hits: [number, number][]): string[] {
  const edges = [...new Set(hits.flat())].map((edge) => edge - offset).filter((edge) => edge > 0 && edge < text.length);
  const out: string[] = [];
  let from = 0;
  for (const edge of edges.sort((a, b) => a - b)) {
    out.push(text.slice(from, edge));
    from = edge;
  }
  out.push(text.slice(from));
  return out;
}
