import type { Keys } from '../ui/keys';

/** The inbox: which card is open. */
export const inboxKeys = {
  next: { on: ['j', ']'], words: 'Next card', held: true },
  previous: { on: ['k', '['], words: 'Previous card', held: true },
  down: { on: ['ArrowDown'], words: 'Next card, in the list', held: true },
  up: { on: ['ArrowUp'], words: 'Previous card, in the list', held: true },
} as const satisfies Keys;

/** The open card. The first five answer it or lead to an answer. */
export const cardKeys = {
  once: { on: ['a'], words: 'Allow once' },
  session: { on: ['s'], words: 'Allow for this session, after its scope was shown' },
  workspace: { on: ['w'], words: 'Always allow in this workspace, after its scope was shown' },
  deny: { on: ['x'], words: 'Deny' },
  words: { on: ['f'], words: 'Deny and tell the agent why' },
  confirm: { on: ['Ctrl+Enter'], words: 'Allow a risky call, or confirm what is open in the dock' },
  back: { on: ['Escape'], words: 'Back from the dock', writing: true },
  rest: { on: ['m'], words: 'Show what of the card lies below', held: true },
  exact: { on: ['i'], words: 'Exact arguments' },
} as const satisfies Keys;
