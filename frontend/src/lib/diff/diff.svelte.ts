import type { FileDiff } from '../bridge/dto';
import { colourLines } from './highlight';
import { languageOf } from './languages';
import type { Coloured } from './paint';
import { type Hunk, type Line, parseUnified } from './parse';
import { changedWords, type Range } from './words';

/** A row of a diff: the head of a hunk, or a line with the words that changed in it. */
export type Row = { hunk: Hunk; index: number } | { line: Line; marks: Range[] };

/** The rows of a diff, in order. */
export function rowsOf(hunks: Hunk[]): Row[] {
  return hunks.flatMap((hunk, index): Row[] => {
    const marks = changedWords(hunk.lines);
    return [{ hunk, index }, ...hunk.lines.map((line) => ({ line, marks: marks.get(line) ?? [] }))];
  });
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
  readonly rows: Row[];
  colours = $state.raw(new Map<Line, Coloured[]>());

  constructor(readonly file: FileDiff) {
    this.hunks = parseUnified(file.unified);
    this.rows = rowsOf(this.hunks);
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
