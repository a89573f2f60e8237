import type { Keys } from '../ui/keys';

/** The list of tools. */
export const catalogKeys = {
  next: { on: ['j'], words: 'Next tool', held: true },
  previous: { on: ['k'], words: 'Previous tool', held: true },
  close: { on: ['Escape'], words: 'Close the tool' },
} as const satisfies Keys;
