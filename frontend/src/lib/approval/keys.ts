import type { Keys } from '../ui/keys';

/** The inbox: which card is open. */
export const inboxKeys = {
  next: { on: ['j', ']'], words: 'Next card', held: true },
  previous: { on: ['k', '['], words: 'Previous card', held: true },
  down: { on: ['ArrowDown'], words: 'Next card, in the list', held: true },
  up: { on: ['ArrowUp'], words: 'Previous card, in the list', held: true },
} as const satisfies Keys;

/** Which calls of the inbox are to be answered together. */
export const pickKeys = {
  pick: { on: [' '], words: 'Select the call, or not, in the list' },
  pickDown: { on: ['Shift+ArrowDown'], words: 'Select the next call as well, in the list', held: true },
  pickUp: { on: ['Shift+ArrowUp'], words: 'Select the call before as well, in the list', held: true },
  pickKind: { on: ['Ctrl+a'], words: 'Select all calls of this kind, in the list' },
  review: { on: ['b'], words: 'Review the batch: all selected calls in full' },
} as const satisfies Keys;

/** The review of a batch, which stands in the place of the card. The first three answer it or lead to an answer. */
export const batchKeys = {
  once: { on: ['a'], words: 'Allow all of them once' },
  deny: { on: ['x'], words: 'Deny all of them' },
  words: { on: ['f'], words: 'Deny all of them and tell the agents why' },
  confirm: { on: ['Ctrl+Enter'], words: 'Allow all of them where a call is risky, or deny with the words' },
  back: { on: ['Escape'], words: 'Back to the card', writing: true },
  rest: { on: ['m'], words: 'Show what lies below, or was not seen', held: true },
} as const satisfies Keys;

/** The open card. The first six answer it or lead to an answer. */
export const cardKeys = {
  once: { on: ['a'], words: 'Allow once' },
  session: { on: ['s'], words: 'Allow for this session, after its scope was shown' },
  workspace: { on: ['w'], words: 'Always allow in this workspace, after its scope was shown' },
  deny: { on: ['x'], words: 'Deny' },
  words: { on: ['f'], words: 'Deny and tell the agent why' },
  stop: { on: ['t'], words: 'Deny and stop' },
  confirm: { on: ['Ctrl+Enter'], words: 'Allow a risky call, or confirm what is open in the dock' },
  back: { on: ['Escape'], words: 'Back from the dock', writing: true },
  reveal: { on: ['r'], words: 'Reveal what is hidden on this card, or hide it again' },
  rest: { on: ['m'], words: 'Show what of the card lies below', held: true },
  edit: { on: ['e'], words: 'Change the arguments' },
  exact: { on: ['i'], words: 'Exact arguments' },
} as const satisfies Keys;
