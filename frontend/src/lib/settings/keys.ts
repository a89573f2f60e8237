import type { Keys } from '../ui/keys';

/** The list of sections. */
export const settingsKeys = {
  next: { on: ['j'], words: 'Next section', held: true },
  previous: { on: ['k'], words: 'Previous section', held: true },
} as const satisfies Keys;

/** One of several values: the arrows only go to it, since choosing it takes effect at once. */
export const choiceKeys = {
  down: { on: ['ArrowDown', 'ArrowRight'], words: 'Go to the next choice; Space takes it', held: true },
  up: { on: ['ArrowUp', 'ArrowLeft'], words: 'Go to the choice before', held: true },
} as const satisfies Keys;

/** The words that a list is narrowed by. */
export const narrowKeys = {
  clear: { on: ['Escape'], words: 'Show all again', writing: true },
} as const satisfies Keys;

/** The question whether a grant is taken back. */
export const revokeKeys = {
  keep: { on: ['Escape'], words: 'Keep the grant' },
} as const satisfies Keys;
