import { beforeMarker } from './marker';

/** How long a piece of text is that is drawn as one, in UTF-16 units. */
export const chunkSize = 2_000;

/** A piece of a line. `first` says that a real line begins with it. */
export interface Chunk {
  text: string;
  first: boolean;
  /** The number of the real line, counting from 1. */
  line: number;
  /** Where it stands in the text. */
  at: number;
}

/**
 * Cuts a text into pieces that can be drawn one by one, without loss: at line breaks, and
 * inside a long line between words where that is possible, never inside a character.
 */
export function chunksOf(text: string, size = chunkSize): Chunk[] {
  const chunks: Chunk[] = [];
  let line = 1;
  let from = 0;
  for (;;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    cutLine(text, from, to, size, line, chunks);
    if (end < 0) return chunks;
    from = end + 1;
    line++;
  }
}

function cutLine(text: string, from: number, to: number, size: number, line: number, into: Chunk[]) {
  let first = true;
  do {
    const cut = to - from > size ? cutAt(text, from, from + size) : to;
    into.push({ text: text.slice(from, cut), first, line, at: from });
    first = false;
    from = cut;
  } while (from < to);
}

// After the last space of the piece, if one is not far back; else between two characters.
function cutAt(text: string, from: number, to: number): number {
  const space = text.lastIndexOf(' ', to - 1) + 1;
  if (space > from + (to - from) / 2) return space;
  const whole = beforeMarker(text, to);
  if (whole < to && whole > from) return whole;
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code < 0xdc00 ? to - 1 : to;
}

/** A run of pieces that are drawn together. */
export interface Block {
  chunks: Chunk[];
  /** How high it is thought to be, in pixels. */
  height: number;
}

const blockSize = 4_000;
const rowHeight = 20;
const columns = 90;

/** Gathers pieces to blocks of bounded size. */
export function blocksOf(chunks: Chunk[]): Block[] {
  const blocks: Block[] = [];
  let length = Infinity;
  for (const chunk of chunks) {
    // An empty line takes room as well.
    const cost = Math.max(chunk.text.length, 40);
    if (length + cost > blockSize) {
      blocks.push({ chunks: [], height: 0 });
      length = 0;
    }
    const block = blocks[blocks.length - 1];
    if (!block) continue;
    length += cost;
    block.chunks.push(chunk);
    block.height += rowHeight * Math.max(1, Math.ceil(chunk.text.length / columns));
  }
  return blocks;
}
