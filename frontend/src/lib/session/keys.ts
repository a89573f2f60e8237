import type { Keys } from '../ui/keys';

/** The timeline of a session. */
export const timelineKeys = {
  next: { on: ['j'], words: 'Next call', held: true },
  previous: { on: ['k'], words: 'Previous call', held: true },
  open: { on: ['Enter', 'd'], words: 'Open the call, or close it' },
  close: { on: ['Escape'], words: 'Close the opened call' },
  copy: { on: ['y'], words: 'Copy what is open' },
} as const satisfies Keys;

/** The field for a task. */
export const composerKeys = {
  send: { on: ['Enter'], words: 'Send the task', writing: true },
} as const satisfies Keys;
