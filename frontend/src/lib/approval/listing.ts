import type { CommandMark, CommandRow } from '../bridge/dto';
import { counted } from '../ui/time';
import type { Odd } from '../ui/visible';
import { countOdd } from './card';

/** What stands in a listed command for a part that is known only when it runs. */
export const dynamicText = '<dynamic>';

/** A piece of a listed command. */
export interface Piece {
  text: string;
  dynamic: boolean;
  odd: Odd[];
}

/** A listed command cut at the parts that are not known. */
export function dynamicParts({ text, odd }: CommandRow): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const [i, piece] of text.split(dynamicText).entries()) {
    if (i > 0) {
      pieces.push({ text: dynamicText, dynamic: true, odd: [] });
      from += dynamicText.length;
    }
    const start = from;
    from += piece.length;
    const inside = odd.filter(({ at }) => at >= start && at < from).map((one) => ({ ...one, at: one.at - start }));
    if (piece) pieces.push({ text: piece, dynamic: false, odd: inside });
  }
  return pieces;
}

const verbs: Record<string, string> = {
  reads: 'reads',
  writes: 'writes',
  removes: 'removes',
  reaches: 'reaches',
  runs: 'runs a program',
  obeys: 'does what a file says',
  'changes-git': 'changes git',
  privileged: 'acts with more rights',
  changes: 'changes the machine',
};

/** What a command does, before the file or machine that it does it to. */
export function markWords({ effect, subject, words }: CommandMark): string {
  if (!subject && words) return words;
  return verbs[effect] ?? 'does more';
}

/** That a command holds characters that a reader may miss or take for others. */
export function oddMark({ odd, text }: CommandRow): string {
  const count = countOdd({ odd, command: text });
  return count === 1
    ? '1 character is not what a reader would see'
    : `${counted(count)} characters are not what a reader would see`;
}

/** What is to be known of the file or the finding; "" for nothing. */
export function whereWords({ subject, tree, outside, restricted }: CommandMark): string {
  const words = [
    ...(tree && subject ? ['and all below'] : []),
    ...(outside ? ['outside the workspace'] : []),
    ...(restricted ? [subject ? 'protected' : 'restricted'] : []),
  ];
  return words.join(', ');
}

/** The class names of a command's line: flagged for what leaves the workspace or is restricted. */
export function flagOf({ marks, odd }: CommandRow): string {
  if (marks.some((mark) => mark.restricted)) return 'flag crit';
  if (odd.length || marks.some((mark) => mark.outside || mark.effect === 'reaches')) return 'flag';
  return '';
}
