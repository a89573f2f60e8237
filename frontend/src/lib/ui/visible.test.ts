import { describe, expect, it } from 'vitest';

import { chunksOf } from './chunks';
import { listed } from './subject';
import { countHidden, segments, spelled } from './visible';

const codes = (text: string) => segments(text).flatMap((part) => (part.code ? [part.code] : []));

describe('what cannot be seen is made visible', () => {
  it.each([
    ['a zero-width space', 'a\u200bb', ['U+200B']],
    ['an override of direction', 'a\u202egpj.exe', ['U+202E']],
    ['isolates', '\u2066a\u2069', ['U+2066', 'U+2069']],
    ['an escape', '\u001b[31m', ['U+001B']],
    ['a carriage return', 'a\r', ['U+000D']],
    ['a byte order mark', '\ufeffa', ['U+FEFF']],
    ['a no-break space', 'rm\u00a0-rf', ['U+00A0']],
    ['a null', 'a\u0000', ['U+0000']],
    ['tag characters past the first plane', 'a\u{e0041}', ['U+E0041']],
    ['a variation selector', 'a\ufe0f', ['U+FE0F']],
    ['a filler that has no ink', 'a\u3164', ['U+3164']],
    ['a line separator', 'a\u2028b', ['U+2028']],
  ])('%s', (_name, text, expected) => expect(codes(text)).toEqual(expected));

  it('leaves text, tabs and line feeds as they are', () => {
    expect(segments('if a {\n\treturn "ä, 漢, 😀"\n}')).toEqual([
      { text: 'if a {\n\treturn "ä, 漢, 😀"\n}', code: '', name: '' },
    ]);
    expect(segments('')).toEqual([]);
  });

  it('marks the line breaks of code on one line quietly, and all else as ever', () => {
    const parts = segments('a\n\tb', 'code');
    expect(parts.map((part) => part.broken ?? false)).toEqual([false, true, false, false]);
    expect(parts.map((part) => part.code)).toEqual(['', '', 'U+0009', '']);
    expect(countHidden('a\n\tb\n', 'code')).toBe(1);
  });

  it('draws on a line what would pass for a space or for nothing', () => {
    const line = (text: string) => segments(text, 'line').flatMap((part) => (part.code ? [part.code] : []));
    expect(line('a\nb\tc')).toEqual(['U+000A', 'U+0009']);
    expect(line('  ls /tmp ')).toEqual(['U+0020', 'U+0020', 'U+0020']);
    expect(line('ls  /tmp')).toEqual([]);
    expect(countHidden('a\n')).toBe(0);
    expect(countHidden(' a\n', 'line')).toBe(2);
    expect(spelled('a\nb')).toBe('a[U+000A]b');
  });

  it('tells plain text apart from text with a space that would pass for nothing', () => {
    const path = (text: string) => segments(text, 'path').flatMap((part) => (part.code ? [part.code] : []));
    expect(path('src/a b.go')).toEqual([]);
    expect(path('src /a')).toEqual(['U+0020']);
    expect(path('src/ a')).toEqual(['U+0020']);
    expect(path('a  b')).toEqual(['U+0020', 'U+0020']);
    for (const text of [' a', 'a ', ' ', 'a\n', '\ta', 'a\tb', 'a\u007f'])
      expect(countHidden(text, 'line'), JSON.stringify(text)).toBe(1);
    expect(countHidden('ls -la; echo "a b" ~ !', 'line')).toBe(0);
    expect(spelled('a b')).toBe('a b');
    expect(spelled('a b ')).toBe('a b[U+0020]');
  });

  it('loses nothing', () => {
    const text = '\u202ea\u200b\u200bb\r\n\u0007';
    expect(
      segments(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    expect(countHidden(text)).toBe(5);
    expect(spelled('a\u202eb')).toBe('a[U+202E]b');
  });
});

describe('what the desk found in a text', () => {
  it('is drawn by its name, a run as one, and what is found here beside it', () => {
    const text = 'p\u0430th a\u200b\u200bb\u202e';
    const odd = [
      { at: 1, length: 1, name: 'Cyrillic small letter a, looks like a' },
      { at: 6, length: 2, name: 'zero width space' },
    ];
    expect(segments(text, 'text', odd).map((one) => [one.text, one.code])).toEqual([
      ['p', ''],
      ['\u0430', 'U+0430'],
      ['th a', ''],
      ['\u200b\u200b', 'U+200B ×2'],
      ['b', ''],
      ['\u202e', 'U+202E'],
    ]);
    expect(segments(text, 'text', odd)[1]?.name).toBe('Cyrillic small letter a, looks like a');
  });

  it('does not hide what is hidden from eyes, which only the marker of the card is', () => {
    const text = 'token [redacted:51a3] and [redacted:ffff]';
    expect(
      segments(text, 'text', [], { marker: '[redacted:51a3]', revealed: [] }).map((one) => [
        one.text,
        one.secret ?? false,
      ]),
    ).toEqual([
      ['token ', false],
      ['[redacted:51a3]', true],
      [' and [redacted:ffff]', false],
    ]);
    expect(segments(text)).toHaveLength(1);
  });

  it('is never cut through where a text is cut', () => {
    const marker = '[redacted:51a3]';
    for (let before = 85; before <= 101; before++) {
      const text = `${'a'.repeat(before)}${marker}${'b'.repeat(200)}`;
      const pieces = chunksOf(text, 100).map((one) => one.text);
      expect(pieces.join('')).toBe(text);
      expect(
        pieces.filter((one) => one.includes(marker)),
        `${before}`,
      ).toHaveLength(1);
      const head = listed(text, 100);
      expect(head.text.length + head.more).toBe(text.length);
      expect(head.text.includes(marker) || !head.text.includes('[')).toBe(true);
    }
    expect(listed(`${'a'.repeat(95)}[redacted text]`, 100).text).toHaveLength(100);
  });
});
