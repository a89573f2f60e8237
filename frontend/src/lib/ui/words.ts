import { counted } from './time';

/** A count with its noun: "1 call", "12,345 calls". */
export function numbered(count: number, one: string, many = `${one}s`): string {
  return `${counted(count)} ${count === 1 ? one : many}`;
}

/** Parts of a sentence in a row: "a, b and c". */
export function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
