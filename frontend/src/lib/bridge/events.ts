import type { Event } from './dto';

/** The hint that a process printed more: it changes no line of a session. */
export const outputHint = 'process.output';

/** The hints that something waits for a person, who is shown it without delay. */
export const waitingHints: readonly string[] = ['approval.requested', 'trust.asked'];

/** The number of the last hint that was seen on this connection. */
export interface Sequence {
  last: number;
}

export const fresh: Sequence = { last: 0 };

/**
 * Takes one hint in. `gap` is true when hints before it were lost, and then
 * whatever is shown must be read again. A number that is not one is a gap too.
 */
export function take(sequence: Sequence, event: Event): { sequence: Sequence; gap: boolean } {
  const n = Number(event.n);
  if (!Number.isSafeInteger(n) || n < 1) return { sequence, gap: true };
  return { sequence: { last: n }, gap: n !== sequence.last + 1 };
}

/** Waiting time before the next attempt to connect, in milliseconds; attempts count from 0. */
export function backoffMs(attempt: number): number {
  return Math.min(250 * 2 ** attempt, 5_000);
}
