import type { ProcessRow, ProcessTail } from './dto';

/** A process with all that it printed. */
export interface Printing {
  row: ProcessRow;
  printed: string;
  /** What it prints when something is written to it. */
  answers?: (input: string) => string;
  /** What could not be kept, in words. */
  lost?: string;
}

const partSize = 64 * 1024;

/** A part of what a process printed, as the desk would cut it. */
export function tailOf({ row, printed, lost = '' }: Printing, from: string): ProcessTail {
  const asked = from === '' ? 0 : Number(from);
  const start = from === '' ? Math.max(0, printed.length - partSize) : asked;
  const end = Math.min(printed.length, start + partSize);
  const text = printed.slice(start, end);
  const gap = start > asked;
  return { row, text, from: String(start), to: String(end), gap, more: end < printed.length, lost };
}
