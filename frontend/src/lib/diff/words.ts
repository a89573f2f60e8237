import type { Line } from './parse';

/** A run of characters [from, to) in a line. */
export interface Range {
  from: number;
  to: number;
}

const maxLength = 1_000;
const minKept = 0.4;

type Compare = (before: string, after: string) => { value: string; added?: boolean; removed?: boolean }[];

// The library is no part of what is read before the first paint.
let compare: Compare | undefined;

/** Reads what compares words. Until then, and where it cannot be read, no words are marked. */
export async function loadWords(): Promise<void> {
  compare ??= (await import('diff')).diffWordsWithSpace;
}

/**
 * Finds for each line that was changed the line that it became, or was: a run of removed
 * lines is paired with the run of added lines that follows it, line by line.
 */
export function pairLines(lines: Line[], pairs = new Map<Line, Line>()): Map<Line, Line> {
  let at = 0;
  while (at < lines.length) {
    const removed = runEnd(lines, at, 'del');
    const added = runEnd(lines, removed, 'add');
    for (let i = 0; i < Math.min(removed - at, added - removed); i++) {
      const [before, after] = [lines[at + i], lines[removed + i]];
      if (before && after) pairs.set(before, after).set(after, before);
    }
    at = Math.max(at + 1, added);
  }
  return pairs;
}

/** Where a run of lines of one kind ends that begins at a place. */
export function runEnd(lines: Line[], from: number, kind: Line['kind']): number {
  let to = from;
  while (lines[to]?.kind === kind) to++;
  return to;
}

const unmarked: Range[] = [];

/**
 * The words that changed inside lines, found when a line is drawn: comparing ten thousand
 * pairs before anything is shown would take longer than drawing what is in view.
 */
export class Words {
  #marks = new Map<Line, Range[]>();

  constructor(private readonly pairs: ReadonlyMap<Line, Line>) {}

  /** The words of a line that the other side does not have. */
  of(line: Line): Range[] {
    const other = this.pairs.get(line);
    if (!other || !compare) return unmarked;
    let marks = this.#marks.get(line);
    if (!marks) {
      const [before, after] = line.kind === 'del' ? [line, other] : [other, line];
      const [removed, added] = changedWords(before.text, after.text);
      this.#marks.set(before, removed).set(after, added);
      marks = line.kind === 'del' ? removed : added;
    }
    return marks;
  }
}

/**
 * The words that changed between two lines, on either side. A pair that has little in
 * common, or that is very long, is left unmarked, since marks all over a line say nothing.
 */
export function changedWords(before: string, after: string): [Range[], Range[]] {
  if (!compare || before.length > maxLength || after.length > maxLength) return [[], []];
  const removed: Range[] = [];
  const added: Range[] = [];
  let [old, now, kept] = [0, 0, 0];
  for (const part of compare(before, after)) {
    const length = part.value.length;
    if (part.removed) {
      removed.push({ from: old, to: old + length });
      old += length;
    } else if (part.added) {
      added.push({ from: now, to: now + length });
      now += length;
    } else {
      kept += part.value.trim().length;
      old += length;
      now += length;
    }
  }
  const shortest = Math.min(before.trim().length, after.trim().length);
  if (shortest === 0 || kept / shortest < minKept) return [[], []];
  return [join(removed, before), join(added, after)];
}

// Two marks with only a space or a sign between them read as one change.
function join(ranges: Range[], text: string): Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && /^[^\p{L}\p{N}]{0,2}$/u.test(text.slice(last.to, range.from))) last.to = range.to;
    else joined.push({ ...range });
  }
  return joined;
}
