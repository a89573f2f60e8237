import type { FileDiff } from '../bridge/dto';
import { chunksOf } from '../ui/chunks';
import { colourLines } from './highlight';
import { languageOf } from './languages';
import type { Coloured } from './paint';
import { type Hunk, type Line, parseUnified } from './parse';
import { changedWords, type Range } from './words';

/**
 * A row of a diff: the head of a hunk, or a line with the words that changed in it. A very long
 * line is several rows; `text` is the piece of it that a row shows, and `first` its first one.
 */
export type Row =
  { hunk: Hunk; index: number } | { line: Line; marks: Range[]; text: string; first: boolean; last: boolean };

/** The rows of a diff, in order. */
export function rowsOf(hunks: Hunk[]): Row[] {
  return hunks.flatMap((hunk, index): Row[] => {
    const marks = changedWords(hunk.lines);
    return [{ hunk, index }, ...hunk.lines.flatMap((line) => lineRows(line, marks.get(line) ?? []))];
  });
}

function lineRows(line: Line, marks: Range[]): Row[] {
  const pieces = chunksOf(line.text);
  if (pieces.length === 1) return [{ line, marks, text: line.text, first: true, last: true }];
  return pieces.map(({ text }, i) => ({ line, marks: [], text, first: i === 0, last: i === pieces.length - 1 }));
}

/** Rows that are drawn together, and how high they are thought to be, in pixels. */
export interface RowBlock {
  rows: Row[];
  height: number;
}

const blockRows = 80;
const blockSize = 4_000;
const rowHeight = 20;
const columns = 110;

/** Gathers rows to blocks of bounded size. */
export function rowBlocks(rows: Row[]): RowBlock[] {
  const blocks: RowBlock[] = [];
  let length = Infinity;
  for (const row of rows) {
    const size = 'hunk' in row ? 0 : row.text.length;
    let block = blocks.at(-1);
    if (!block || block.rows.length === blockRows || length + size > blockSize) {
      block = { rows: [], height: 0 };
      blocks.push(block);
      length = 0;
    }
    length += size;
    block.rows.push(row);
    block.height += 'hunk' in row ? 24 : rowHeight * Math.max(1, Math.ceil(size / columns));
  }
  return blocks;
}

/** The two sides of a hunk as text: what stood there, and what would. */
export function sides(hunk: Hunk): { before: Line[]; after: Line[] } {
  return {
    before: hunk.lines.filter((line) => line.kind !== 'add'),
    after: hunk.lines.filter((line) => line.kind !== 'del'),
  };
}

/** FileView is the change of one file as it is shown. Colours come when they are ready; nothing waits for them. */
export class FileView {
  readonly hunks: Hunk[];
  readonly blocks: RowBlock[];
  colours = $state.raw(new Map<Line, Coloured[]>());

  constructor(readonly file: FileDiff) {
    this.hunks = parseUnified(file.unified);
    this.blocks = rowBlocks(rowsOf(this.hunks));
  }

  /** Reads the colours. A grammar that fails leaves the text in one colour. */
  async colour(): Promise<void> {
    const language = languageOf(this.file.path);
    if (!language) return;
    const found = new Map<Line, Coloured[]>();
    try {
      for (const hunk of this.hunks) {
        const { before, after } = sides(hunk);
        for (const lines of [before, after]) {
          const coloured = await colourLines(lines.map((line) => line.text).join('\n'), language);
          lines.forEach((line, i) => found.set(line, coloured[i] ?? []));
        }
      }
    } catch {
      return;
    }
    this.colours = found;
  }
}
