import type { Keys } from '../ui/keys';

/** An output that is open, over the view that it was opened from. */
export const outputKeys = {
  back: { on: ['Escape'], words: 'Go back', writing: true },
  find: { on: ['/'], words: 'Search it' },
  next: { on: ['n'], words: 'The match after', held: true },
  previous: { on: ['p'], words: 'The match before', held: true },
  down: { on: ['ArrowDown', 'j'], words: 'A line down', held: true },
  up: { on: ['ArrowUp', 'k'], words: 'A line up', held: true },
  pageDown: { on: ['PageDown', ' '], words: 'A page down', held: true },
  pageUp: { on: ['PageUp'], words: 'A page up', held: true },
  start: { on: ['Home'], words: 'Go to the beginning' },
  end: { on: ['End'], words: 'Go to the end' },
  skip: { on: ['u'], words: 'Go over what the model was not given' },
  wrap: { on: ['w'], words: 'Wrap long lines, or not' },
  raw: { on: ['r'], words: 'Show colours, or the bytes as they are' },
  follow: { on: ['f'], words: 'Follow the end while it grows' },
  copy: { on: ['y'], words: 'Copy the chosen lines' },
  save: { on: ['s'], words: 'Save it' },
} as const satisfies Keys;

/** The field that searches an output. */
export const outputFindKeys = {
  after: { on: ['Enter', 'ArrowDown'], words: 'The match after', writing: true, held: true },
  before: { on: ['Shift+Enter', 'ArrowUp'], words: 'The match before', writing: true, held: true },
} as const satisfies Keys;
