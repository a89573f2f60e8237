import { chunkSize, chunksOf } from '../ui/chunks';
import type { Gap } from './gaps';
import type { Hunk, Line } from './parse';
import { runEnd } from './words';

/** How the two sides stand: one below the other, or beside it. */
export type Layout = 'unified' | 'split';

/** A piece of a line that is drawn as one. A very long line is several; `first` and `last` say where it begins and ends. */
export interface Piece {
  line: Line;
  text: string;
  first: boolean;
  last: boolean;
}

/** A row of a diff. */
export type Row =
  | { kind: 'hunk'; hunk: Hunk; index: number; gap: Gap; change: number }
  /** The head of a further change of a hunk, where changes are chosen one by one. */
  | { kind: 'change'; change: number }
  | { kind: 'line'; piece: Piece }
  | { kind: 'pair'; left: Piece | null; right: Piece | null }
  /** A hunk that is folded. */
  | { kind: 'fold'; hunk: Hunk; index: number }
  /** What lies behind the last hunk. */
  | { kind: 'end'; gap: Gap };

/** The place that the row is the head of, -1 for none: a change where those are chosen, else a hunk. */
export function placeOf(row: Row, choosing: boolean): number {
  if (row.kind === 'change') return row.change;
  if (row.kind !== 'hunk') return -1;
  return choosing ? row.change : row.index;
}

/** The rows of lines that belong together. */
export function lineRows(lines: Line[], layout: Layout): Row[] {
  return layout === 'split' ? splitRows(lines) : lines.flatMap(unifiedRows);
}

function unifiedRows(line: Line): Row[] {
  return piecesOf(line).map((piece) => ({ kind: 'line', piece }));
}

function splitRows(lines: Line[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runEnd(lines, at, 'del');
    const added = runEnd(lines, removed, 'add');
    if (added === at) {
      const same = lines[at++];
      if (same) beside(same, same, rows);
      continue;
    }
    for (let i = 0; at + i < removed || removed + i < added; i++)
      beside(at + i < removed ? lines[at + i] : undefined, removed + i < added ? lines[removed + i] : undefined, rows);
    at = added;
  }
  return rows;
}

function beside(before: Line | undefined, after: Line | undefined, into: Row[]) {
  const left = before ? piecesOf(before) : [];
  const right = after ? piecesOf(after) : [];
  for (let i = 0; i < Math.max(left.length, right.length); i++)
    into.push({ kind: 'pair', left: left[i] ?? null, right: right[i] ?? null });
}

function piecesOf(line: Line): Piece[] {
  if (line.text.length <= chunkSize) return [{ line, text: line.text, first: true, last: true }];
  const pieces = chunksOf(line.text);
  return pieces.map(({ text }, i) => ({ line, text, first: i === 0, last: i === pieces.length - 1 }));
}

/** Rows that are drawn together, and how high they are thought to be, in pixels. */
export interface RowBlock {
  rows: Row[];
  height: number;
}

// The first block is what fills a view: it is drawn before anything is seen.
const firstBlock = { rows: 40, size: 4_000 };
const laterBlock = { rows: 120, size: 6_000 };
const lineHeight = 20;
const headHeight = 24;
const columns = { unified: 110, split: 52 };

/** Gathers rows to blocks of bounded size. */
export function rowBlocks(rows: Row[], layout: Layout): RowBlock[] {
  const blocks: RowBlock[] = [];
  let length = Infinity;
  for (const row of rows) {
    const size = sizeOf(row);
    let block = blocks.at(-1);
    const most = blocks.length > 1 ? laterBlock : firstBlock;
    if (!block || block.rows.length === most.rows || (length + size > most.size && size > 0)) {
      block = { rows: [], height: 0 };
      blocks.push(block);
      length = 0;
    }
    length += size;
    block.rows.push(row);
    block.height += heightOf(row, layout);
  }
  return blocks;
}

function sizeOf(row: Row): number {
  if (row.kind === 'line') return row.piece.text.length;
  if (row.kind === 'pair') return Math.max(row.left?.text.length ?? 0, row.right?.text.length ?? 0);
  return 0;
}

function heightOf(row: Row, layout: Layout): number {
  if (row.kind !== 'line' && row.kind !== 'pair') return headHeight;
  return lineHeight * Math.max(1, Math.ceil(sizeOf(row) / columns[layout]));
}
