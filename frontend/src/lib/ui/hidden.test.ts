import { expect, test } from 'vitest';

import { hiddenWords } from './hidden';

test('what is hidden is said in words', () => {
  const row = (words: string) => ({ kind: 'token', count: 1, words });
  expect(hiddenWords([])).toBe('');
  expect(hiddenWords([row('1 token')])).toBe('1 token');
  expect(hiddenWords([row('1 token'), row('2 passwords')])).toBe('1 token and 2 passwords');
  expect(hiddenWords([row('1 token'), row('2 passwords'), row('1 key')])).toBe('1 token, 2 passwords and 1 key');
});
