import { describe, expect, it } from 'vitest';

import { step } from '../../test/make';
import { dynamicParts, flagOf, markWords, whereWords } from './listing';

const markOf = (over: Parameters<typeof step>[1]) => step('x', over).marks[0]!;

describe('a listed command', () => {
  it('is cut at what is not known, with what was found in each piece', () => {
    const row = step('a\u200b <dynamic> b\u200b<dynamic>', [], {
      odd: [
        { at: 1, length: 1, name: 'zero width space' },
        { at: 14, length: 1, name: 'zero width space' },
      ],
    });
    expect(dynamicParts(row).map((one) => [one.text, one.dynamic, one.odd.map((odd) => odd.at)])).toEqual([
      ['a\u200b ', false, [1]],
      ['<dynamic>', true, []],
      [' b\u200b', false, [2]],
      ['<dynamic>', true, []],
    ]);
  });

  it('says what it does in words, and where', () => {
    expect(markWords(markOf([{ effect: 'removes', subject: 'a' }]))).toBe('removes');
    expect(markWords(markOf([{ effect: 'runs', words: 'runs the program after -exec' }]))).toBe(
      'runs the program after -exec',
    );
    expect(markWords(markOf([{ effect: 'never heard of' }]))).toBe('does more');
    expect(whereWords(markOf([{ subject: '/etc', tree: true, outside: true, restricted: true }]))).toBe(
      'and all below, outside the workspace, protected',
    );
    expect(whereWords(markOf([{ words: 'x', restricted: true }]))).toBe('restricted');
    expect(whereWords(markOf([{ subject: 'a' }]))).toBe('');
  });

  it('is flagged for what leaves, reaches, hides or is restricted, and for nothing else', () => {
    expect(flagOf(step('cat a', [{ subject: 'a' }]))).toBe('');
    expect(flagOf(step('cat /a', [{ subject: '/a', outside: true }]))).toBe('flag');
    expect(flagOf(step('curl', [{ effect: 'reaches' }]))).toBe('flag');
    expect(flagOf(step('a\u200b', [], { odd: [{ at: 1, length: 1, name: 'x' }] }))).toBe('flag');
    expect(flagOf(step('sudo', [{ effect: 'privileged', restricted: true }]))).toBe('flag crit');
  });
});
