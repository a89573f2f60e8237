import { diffWordsWithSpace } from 'diff';

import type { Line } from './parse';

/** A run of characters [from, to) in a line. */
export interface Range {
  from: number;
  to: number;
}

const maxLength = 1_000;
const minKept = 0.4;

/**
 * Finds the words that changed inside lines. A run of removed lines is paired
 * with the run of added lines that follows it, line by line; a pair that has
 * little in common, or that is very long, is left unmarked, since
 * marks all over a line say nothing.
 */
export function changedWords(lines: Line[]): Map<Line, Range[]> {
  const marks = new Map<Line, Range[]>();
  let at = 0;
  while (at < lines.length) {
    const removed = run(lines, at, 'del');
    const added = run(lines, at + removed.length, 'add');
    for (let i = 0; i < Math.min(removed.length, added.length); i++) {
      const [before, after] = [removed[i], added[i]];
      if (before && after) markPair(before, after, marks);
    }
    at += Math.max(1, removed.length + added.length);
  }
  return marks;
}

function run(lines: Line[], from: number, kind: Line['kind']): Line[] {
  let to = from;
  while (lines[to]?.kind === kind) to++;
  return lines.slice(from, to);
}

function markPair(before: Line, after: Line, marks: Map<Line, Range[]>) {
  if (before.text.length > maxLength || after.text.length > maxLength) return;
  const removed: Range[] = [];
  const added: Range[] = [];
  let [old, now, kept] = [0, 0, 0];
  for (const part of diffWordsWithSpace(before.text, after.text)) {
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
  const shortest = Math.min(before.text.trim().length, after.text.trim().length);
  if (shortest === 0 || kept / shortest < minKept) return;
  marks.set(before, join(removed, before.text));
  marks.set(after, join(added, after.text));
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
