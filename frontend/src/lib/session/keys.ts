import type { Keys } from '../ui/keys';

/** The timeline of a session. */
export const timelineKeys = {
  next: { on: ['j'], words: 'Next call', held: true },
  previous: { on: ['k'], words: 'Previous call', held: true },
  open: { on: ['Enter'], words: 'Open the call, or close it' },
  change: { on: ['d'], words: 'Open what it changed' },
  output: { on: ['o'], words: 'Open what came back' },
  image: { on: ['i'], words: 'Show the image that came back' },
  copy: { on: ['y'], words: 'Copy what is open' },
  oldest: { on: ['Home'], words: 'Go to the beginning of the session' },
  newest: { on: ['End'], words: 'Go to its end' },
  find: { on: ['/'], words: 'Search this session' },
  close: { on: ['Escape'], words: 'Close the opened call, or stop the turn', writing: true },
} as const satisfies Keys;

/** An image in full. */
export const imageKeys = {
  next: { on: ['n'], words: 'Next image', held: true },
  previous: { on: ['p'], words: 'Previous image', held: true },
  actual: { on: ['z'], words: 'Pixel by pixel, or fitted' },
  close: { on: ['Escape'], words: 'Close the image' },
} as const satisfies Keys;

/** The field that searches a session. */
export const findKeys = {
  older: { on: ['Enter', 'ArrowUp'], words: 'The match before', writing: true, held: true },
  newer: { on: ['Shift+Enter', 'ArrowDown'], words: 'The match after', writing: true, held: true },
  leave: { on: ['Escape'], words: 'End the search', writing: true },
} as const satisfies Keys;

/** The field for a task. */
export const composerKeys = {
  send: { on: ['Enter'], words: 'Send the task', writing: true },
} as const satisfies Keys;
