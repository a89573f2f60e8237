import type { ProcessList, ProcessRef, ProcessRow } from '../bridge/dto';
import type { Look } from '../ui/look';
import { bytes, elapsed, span } from '../ui/time';

/** What names a process among those of all sessions. */
export const keyOf = ({ sessionId, id }: ProcessRef) => `${sessionId} ${id}`;

/** The look of how a process stands. One that is not known is told as unknown. */
export function processLook({ status, failed }: ProcessRow): Look {
  if (failed) return 'failed';
  switch (status) {
    case 'running':
      return 'running';
    case 'exited':
      return 'done';
    case 'stopped':
      return 'cancelled';
    case 'failed':
      return 'failed';
    default:
      return 'uncertain';
  }
}

/**
 * How much of a processor each process used between two lists, in hundredths: 100 is one
 * processor, and several can be used at once. A process without two measures has none.
 */
export function sharesOf(before: ProcessList | null, now: ProcessList): Map<string, number> {
  const shares = new Map<string, number>();
  const passed = before ? Date.parse(now.now) - Date.parse(before.now) : 0;
  if (!before || !(passed > 0)) return shares;
  const used = new Map(before.rows.filter((row) => row.measured).map((row) => [keyOf(row), Number(row.cpuMs)]));
  for (const row of now.rows) {
    const last = used.get(keyOf(row));
    // What one of them used is gone from the sum once it has ended.
    if (row.measured && last !== undefined)
      shares.set(keyOf(row), (Math.max(0, Number(row.cpuMs) - last) / passed) * 100);
  }
  return shares;
}

/** A share of the processor for a person: "12 %". */
export function shareWords(share: number | undefined): string {
  if (share === undefined) return '';
  return share > 0 && share < 1 ? '<1 %' : `${Math.round(share)} %`;
}

/** What a process holds in memory, "" where that is not known. */
export function memoryWords({ measured, memoryBytes }: ProcessRow): string {
  return measured ? bytes(Number(memoryBytes)) : '';
}

/** How long a process runs, or ran. */
export function ageWords({ startedAt, endedAt }: ProcessRow, nowMs: number): string {
  const from = Date.parse(startedAt);
  if (Number.isNaN(from)) return '';
  return endedAt ? `ran ${span(Date.parse(endedAt) - from)}` : elapsed(nowMs - from);
}
