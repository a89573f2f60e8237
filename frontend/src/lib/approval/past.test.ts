import { expect, it } from 'vitest';

import type { MatchedCalls } from '../bridge/dto';
import { pastWords } from './past';

const calls = (looked: number, all: number, part: number, denied: number): MatchedCalls => ({
  ...{ looked, all, part, denied, latest: [] },
});

it.each([
  [calls(0, 0, 0, 0), 'No earlier call of this session to compare with.'],
  [calls(1, 0, 0, 0), 'The one earlier call of this session does not match.'],
  [calls(1, 1, 0, 1), 'The one earlier call of this session would have run. You denied it.'],
  [calls(1, 0, 1, 0), 'The one earlier call of this session matches in part.'],
  [calls(9, 0, 0, 0), 'None of the last 9 calls of this session matches.'],
  [calls(9, 1, 0, 1), '1 of the last 9 calls of this session would have run. You denied it.'],
  [
    calls(1_200, 3, 2, 4),
    '3 of the last 1,200 calls of this session would have run, and parts of 2 more match. You denied 4 of them.',
  ],
])('what a scope would have meant is told of one call and of several: %o', (one, words) => {
  expect(pastWords(one, 'session')).toBe(words);
});
