import type { DiffLines } from '../bridge/dto';
import type { Hunk, Line } from './parse';
import { numbered } from '../ui/words';

/** How many lines of context are shown at a time. */
export const contextStep = 20;

/** Asks for lines that a change leaves as they are, from a line of the file before it and after it on. */
export type ReadContext = (old: number, now: number, count: number) => Promise<DiffLines>;

/**
 * Gap is what a diff leaves out before a hunk, or behind the last one. It changes as a whole:
 * a gap with more of its lines shown is another one.
 */
export interface Gap {
  /** The hunk that it stands before; one more than the last for what is behind that. */
  index: number;
  /** The first line of it, by the numbers of either side. */
  old: number;
  now: number;
  /** How many lines it has; Infinity where the end of the file is not known. */
  count: number;
  /** What is shown of it: behind the hunk before it, and before the next one. */
  after: Line[];
  before: Line[];
  /** Why there is no more of it to show, "" while there may be. */
  missing: string;
}

/** The gaps of a diff: one before each hunk, and one behind the last. */
export function gapsOf(hunks: Hunk[], created: boolean): Gap[] {
  const gaps: Gap[] = [];
  let [old, now] = [1, 1];
  for (const [index, hunk] of hunks.entries()) {
    // A hunk without lines on a side names the line that it stands behind.
    const begin = hunk.oldCount ? hunk.oldStart : hunk.oldStart + 1;
    const beginNow = hunk.newCount ? hunk.newStart : hunk.newStart + 1;
    gaps.push(gap(index, old, now, Math.max(0, begin - old)));
    old = begin + hunk.oldCount;
    now = beginNow + hunk.newCount;
  }
  const ends = created || hunks.length === 0 || hunks.at(-1)?.lines.at(-1)?.noBreak;
  gaps.push(gap(hunks.length, old, now, ends ? 0 : Infinity));
  return gaps;
}

function gap(index: number, old: number, now: number, count: number): Gap {
  return { index, old, now, count, after: [], before: [], missing: '' };
}

/** How many lines of a gap are not shown. */
export function hiddenIn({ count, after, before }: Gap): number {
  return count - after.length - before.length;
}

/** From where more of a gap is shown: on from the hunk before it, or up from the next one. */
export type Way = 'after' | 'before';

/** Reads more lines of a gap and answers what it is with them. Rejects as the reading does. */
export async function widen(gap: Gap, way: Way, read: ReadContext): Promise<Gap> {
  const hidden = hiddenIn(gap);
  const count = Math.min(contextStep, hidden);
  const skip = way === 'after' ? gap.after.length : gap.count - gap.before.length - count;
  const answer = await read(gap.old + skip, gap.now + skip, count);
  if (answer.missing) return { ...gap, missing: answer.missing };
  const lines = answer.lines.map(({ text, left }, i): Line => {
    const rest = left ? `… ${numbered(left, 'more character')}` : '';
    const [oldNumber, newNumber] = [gap.old + skip + i, gap.now + skip + i];
    return { kind: 'same', oldNumber, newNumber, text, noBreak: false, ...(rest && { rest }) };
  });
  if (way === 'before') return { ...gap, before: [...lines, ...gap.before] };
  const after = [...gap.after, ...lines];
  return { ...gap, after, count: answer.more || gap.count !== Infinity ? gap.count : after.length };
}
