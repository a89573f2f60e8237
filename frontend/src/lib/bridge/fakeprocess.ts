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

/** A part of what a program printed, as the desk would cut it. */
export function partOf({ printed, lost = '' }: Pick<Printing, 'printed' | 'lost'>, from: string) {
  const start = from === '' ? Math.max(0, printed.length - partSize) : Number(from);
  const end = Math.min(printed.length, start + partSize);
  return {
    ...{ text: printed.slice(start, end), from: String(start), to: String(end) },
    ...{ gap: false, more: end < printed.length, lost },
  };
}

/** The same with the process itself. */
export function tailOf(one: Printing, from: string): ProcessTail {
  return { row: one.row, ...partOf(one, from) };
}
