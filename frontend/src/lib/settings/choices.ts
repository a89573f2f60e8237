import type { Choice } from '../bridge/dto';

/** Which tools an agent is offered. */
export const catalogs: Choice[] = [
  { value: 'plan', label: 'Plan', words: 'Tools that only look. An agent cannot call one that changes something.' },
  { value: 'work', label: 'Work', words: 'All tools. What a call may do is decided each time.' },
];

/** The read-only lock. */
export const locks: Choice[] = [
  { value: 'off', label: 'Off', words: 'Changes are decided by the preset and by you.' },
  { value: 'on', label: 'On', words: 'Every call that would change something is denied without a question.' },
];
