import type { Keys } from '../ui/keys';

/** A change that is shown. */
export const diffKeys = {
  nextHunk: { on: ['n'], words: 'Next change in the file, then in the next file', held: true },
  previousHunk: { on: ['p'], words: 'Previous change', held: true },
  nextFile: { on: ['.'], words: 'Next file', held: true },
  previousFile: { on: [','], words: 'Previous file', held: true },
  choose: { on: ['h'], words: 'Keep the change or leave it out, where an answer may' },
  context: { on: ['c'], words: 'More lines around the change', held: true },
  layout: { on: ['v'], words: 'Unified, or side by side' },
} as const satisfies Keys;
