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

/** How the desktop tells of calls that wait. */
export const notifications: Choice[] = [
  { value: 'on', label: 'On', words: 'A notification names the tool and the session, never what would be done.' },
  { value: 'sound', label: 'Sound', words: 'The same, with the sound that your desktop has for messages.' },
  { value: 'off', label: 'Off', words: 'Calls wait until you look.' },
];

/** The colours of the page. */
export const themes: Choice[] = [
  { value: 'system', label: 'System', words: 'As the system is set.' },
  { value: 'light', label: 'Light', words: 'Dark text on a light page.' },
  { value: 'dark', label: 'Dark', words: 'Light text on a dark page.' },
];

/** What holds for every value of a setting. */
export const holds = {
  preset: 'A change applies at once, to calls that wait as well. Restricted calls always ask.',
  catalog: 'A change applies from the next call.',
  lock: 'It holds in every session, whatever the preset.',
};

// From the tightest to the loosest.
const order: Record<string, string[]> = {
  preset: ['default', 'audit', 'review', 'edit', 'full'],
  catalog: ['plan', 'work'],
  lock: ['on', 'off'],
};

/** Whether a change lets more calls through without a question. One that is not known counts as such. */
export function loosens(setting: keyof typeof holds, from: string, to: string): boolean {
  const known = order[setting] ?? [];
  const [at, then] = [known.indexOf(from), known.indexOf(to)];
  return at < 0 || then < 0 || then > at;
}
