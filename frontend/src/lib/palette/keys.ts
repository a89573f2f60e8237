import type { Keys } from '../ui/keys';

/** The palette takes every key while it is open. */
export const paletteKeys = {
  down: { on: ['ArrowDown'], words: 'Next command', writing: true, held: true },
  up: { on: ['ArrowUp'], words: 'Previous command', writing: true, held: true },
  pageDown: { on: ['PageDown'], words: 'A page down', writing: true, held: true },
  pageUp: { on: ['PageUp'], words: 'A page up', writing: true, held: true },
  first: { on: ['Home'], words: 'First command', writing: true },
  last: { on: ['End'], words: 'Last command', writing: true },
  run: { on: ['Enter'], words: 'Do it', writing: true },
  back: { on: ['Escape'], words: 'Back, or close the commands', writing: true },
  close: { on: ['Ctrl+k'], words: 'Close the commands' },
} as const satisfies Keys;
