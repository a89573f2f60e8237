import type { Keys } from '../ui/keys';

/** A list whose end is followed as it grows, while it has the focus. The browser moves it. */
export const followKeys = {
  up: { on: ['ArrowUp', 'PageUp', 'Home'], words: 'Go up, and follow the end no more', held: true },
} as const satisfies Keys;
