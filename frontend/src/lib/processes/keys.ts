import type { Keys } from '../ui/keys';

/** The processes and what the chosen one prints. */
export const processKeys = {
  next: { on: ['j', 'ArrowDown'], words: 'Next process', held: true },
  previous: { on: ['k', 'ArrowUp'], words: 'Previous process', held: true },
  write: { on: ['i'], words: 'Write a line to it' },
  open: { on: ['o'], words: 'Open its full log' },
  stop: { on: ['x'], words: 'Stop it, after a question' },
  newest: { on: ['End'], words: 'Go to the end of what it prints, and follow it' },
  close: { on: ['Escape'], words: 'Leave the line or the question, nothing done', writing: true },
} as const satisfies Keys;

/** The line that is written to a process. */
export const lineKeys = {
  send: { on: ['Enter'], words: 'Send the line', writing: true },
} as const satisfies Keys;
