import type { Keys } from '../ui/keys';

/** The list of clients. */
export const connectKeys = {
  next: { on: ['j'], words: 'Next client', held: true },
  previous: { on: ['k'], words: 'Previous client', held: true },
  copy: { on: ['y'], words: 'Copy what the client needs' },
  change: { on: ['d'], words: 'Show what writing it would change' },
  write: { on: ['Ctrl+Enter'], words: 'Write the change that is shown' },
  close: { on: ['Escape'], words: 'Close the change, nothing written' },
} as const satisfies Keys;
