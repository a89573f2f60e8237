import type { Keys } from '../ui/keys';

/** The list of tools. */
export const catalogKeys = {
  next: { on: ['j'], words: 'Next tool', held: true },
  previous: { on: ['k'], words: 'Previous tool', held: true },
  enter: { on: ['Enter'], words: 'Go into the tool' },
  exact: { on: ['i'], words: 'Exact schema' },
  reload: { on: ['r'], words: 'Reload the tool sets' },
  filter: { on: ['/'], words: 'Filter the tools' },
  close: { on: ['Escape'], words: 'Leave the filter, or close the tool', writing: true },
} as const satisfies Keys;

/** The change of a tool set that is looked at. */
export const driftKeys = {
  accept: { on: ['Ctrl+Enter'], words: 'Accept the set as it is now' },
  close: { on: ['Escape'], words: 'Leave it refused' },
} as const satisfies Keys;
