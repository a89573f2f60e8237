import { describe, expect, it } from 'vitest';

import { lookAlikes } from './lookalike';
import { countHidden, segments, spelled } from './visible';

const marked = (text: string, whole = false) => lookAlikes(text, whole).map(({ letter, like }) => letter + like);

describe('letters that can be taken for others', () => {
  it.each([
    ['a Cyrillic letter in a Latin word', '\u0430pple', ['\u0430a']],
    ['a Greek one', 'C\u03bfdex', ['\u03bfo']],
    ['an Armenian one', 'c\u0585dex', ['\u0585o']],
    ['a dotless i', 'gem\u0131ni', ['\u0131i']],
    ['a wide letter', 'c\uff4fdex', ['\uff4fo']],
    ['a mathematical one', '\u{1d41c}odex', ['\u{1d41c}c']],
    ['only the word that has both', '\u0430pple \u043d\u0435\u0442', ['\u0430a']],
  ])('are found: %s', (_name, text, expected) => expect(marked(text)).toEqual(expected));

  it.each(['Crème brûlée', 'Яндекс', 'Claude für Русский', '編集 Go言語', 'naïve', 'x² + y²', 'λ'])(
    'are not seen in %s',
    (text) => expect(marked(text, true)).toEqual([]),
  );

  it('are found in a word of nothing else only where a name is meant', () => {
    expect(marked('\u0441\u043e\u0440\u0435')).toEqual([]);
    expect(marked('\u0441\u043e\u0440\u0435', true)).toEqual(['\u0441c', '\u043eo', '\u0440p', '\u0435e']);
  });

  it('are drawn as tokens in names, lines and paths, and not in running text', () => {
    const text = 'p\u0430ypal';
    for (const shape of ['name', 'line', 'path'] as const) {
      expect(segments(text, shape)[1]).toEqual({ text: '\u0430', code: 'U+0430', name: 'looks like a' });
      expect(countHidden(text, shape)).toBe(1);
    }
    expect(segments(text)).toEqual([{ text, code: '', name: '' }]);
    expect(spelled(text, 'name')).toBe('p[U+0430]ypal');
    expect(spelled('\u0441\u043e')).toBe('\u0441\u043e');
    expect(spelled('\u0441\u043e', 'name')).toBe('[U+0441][U+043E]');
  });
});
