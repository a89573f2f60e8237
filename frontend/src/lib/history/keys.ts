import type { Keys } from '../ui/keys';

/** The history: its list, and the story of a session beside it. */
export const historyKeys = {
  search: { on: ['/'], words: 'Search' },
  next: { on: ['j'], words: 'Next call', held: true },
  previous: { on: ['k'], words: 'Previous call', held: true },
  open: { on: ['Enter'], words: 'Read the call in its session, or fold it there' },
  close: { on: ['Escape'], words: 'Close what is read; then clear the filters' },
  image: { on: ['i'], words: 'Show the image that came back' },
  copy: { on: ['y'], words: 'Copy what is open' },
} as const satisfies Keys;

/** The field of the search. */
export const searchKeys = {
  now: { on: ['Enter'], words: 'Search at once', writing: true },
  clear: { on: ['Escape'], words: 'Clear the text, or leave the field', writing: true },
} as const satisfies Keys;

/** The menu of a filter. */
export const filterKeys = {
  down: { on: ['ArrowDown'], words: 'Next value', held: true },
  up: { on: ['ArrowUp'], words: 'Previous value', held: true },
  close: { on: ['Escape', 'Tab'], words: 'Close the filter' },
} as const satisfies Keys;
