import { describe, expect, it } from 'vitest';

import { hiddenWords, marked, partsOf } from './parts';

const read = (text: string, raw = false) => partsOf(text, [], raw).parts;
const told = (parts: readonly { text: string; match: number; hex: string }[]) =>
  parts.map(({ text, match, hex }) => (hex ? `<${hex}>` : match < 0 ? text : `[${match}:${text}]`)).join('|');

describe('the parts of a line', () => {
  it('are looks as data, or the bytes as they are', () => {
    expect(read('a \u001b[31mred\u001b[0m b').map(({ text, look }) => [text, look])).toEqual([
      ['a ', ''],
      ['red', 'a a-ink-red'],
      [' b', ''],
    ]);
    expect(told(read('a \u001b[31mred\u001b[0m', true))).toBe('a \u001b[31mred\u001b[0m');
  });

  it('go on with the pen of the line before', () => {
    const { pen } = partsOf('\u001b[31mred', [], false);
    expect(partsOf('still', [], false, pen).parts[0]?.look).toBe('a a-ink-red');
  });

  it('tell of bytes that are no text where they are', () => {
    const { parts } = partsOf(
      'a\uFFFDb\uFFFD',
      [
        { at: 1, bytes: 2, hex: '00 ff' },
        { at: 3, bytes: 1, hex: 'c3' },
      ],
      false,
    );
    expect(told(parts)).toBe('a|<00 ff>|b|<c3>');
    expect(parts.filter((part) => part.hex).map(hiddenWords)).toEqual([
      '2 bytes that are not text: 00 ff',
      '1 byte that is not text: c3',
    ]);
  });

  it('draw all of a line that is longer than one reading', () => {
    expect(read('x'.repeat(10_001)).reduce((sum, part) => sum + part.text.length, 0)).toBe(10_001);
  });
});

describe('marks', () => {
  it('count the matches of a line, across looks', () => {
    const parts = read('one w\u001b[31mor\u001b[0mker, Worker');
    expect(told(marked(parts, 'worker', false))).toBe('one |[0:w]|[0:or]|[0:ker]|, |[1:Worker]');
    expect(told(marked(parts, 'worker', true))).toBe('one |[0:w]|[0:or]|[0:ker]|, Worker');
  });

  it('leave a line alone that has none, and every one without words', () => {
    const parts = read('plain');
    expect(marked(parts, 'x', false)).toBe(parts);
    expect(marked(parts, '', false)).toBe(parts);
  });

  it('never reach into bytes that are no text', () => {
    const { parts } = partsOf('ab\uFFFDab', [{ at: 2, bytes: 1, hex: '00' }], false);
    expect(told(marked(parts, 'ab', false))).toBe('[0:ab]|<00>|[1:ab]');
    expect(told(marked(parts, 'ba', false))).toBe('ab|<00>|ab');
  });

  it('hold letters whose small form is longer against what was typed', () => {
    expect(told(marked(read('İstanbul x'), 'istanbul', false))).toBe('İstanbul x');
    expect(told(marked(read('İstanbul x'), 'stanbul', false))).toBe('İ|[0:stanbul]| x');
  });
});
