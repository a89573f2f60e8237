import type { Keys } from '../ui/keys';

/** The list of what a search found, while it has the focus. */
export const foundKeys = {
  next: { on: ['ArrowDown'], words: 'Next match', held: true },
  previous: { on: ['ArrowUp'], words: 'Previous match', held: true },
} as const satisfies Keys;

/** The part of a file that is open over everything. */
export const excerptKeys = {
  next: { on: ['n'], words: 'Next match, in its file', held: true },
  previous: { on: ['p'], words: 'Previous match', held: true },
  close: { on: ['Escape'], words: 'Close the file' },
} as const satisfies Keys;
