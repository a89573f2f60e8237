import type { Hunk, Line } from './parse';

/** A change of a file: lines [from, to) of a hunk, with lines that stay on both sides. */
export interface Run {
  hunk: number;
  from: number;
  to: number;
}

/** The changes of hunks, in order. */
export function runsOf(hunks: readonly Hunk[]): Run[] {
  const runs: Run[] = [];
  for (const [hunk, { lines }] of hunks.entries()) {
    for (let at = 0; at < lines.length; at++) {
      if (lines[at]?.kind === 'same') continue;
      const from = at;
      while (at < lines.length && lines[at]?.kind !== 'same') at++;
      runs.push({ hunk, from, to: at });
    }
  }
  return runs;
}

/** Which change each changed line belongs to. */
export function changesOf(hunks: readonly Hunk[], runs: readonly Run[]): Map<Line, number> {
  const of = new Map<Line, number>();
  for (const [change, { hunk, from, to }] of runs.entries())
    for (const line of hunks[hunk]?.lines.slice(from, to) ?? []) of.set(line, change);
  return of;
}
