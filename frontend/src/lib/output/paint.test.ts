import { describe, expect, it } from 'vitest';

import { paint } from './paint';
import { marked, partsOf } from './parts';

function painted(text: string, words = '', here = -1) {
  const place = document.createElement('code');
  void paint(marked(partsOf(text, [], false).parts, words, false), here)(place);
  return place;
}

describe('a painted line', () => {
  it('is text, whatever was printed', () => {
    const place = painted('<img src=x onerror=alert(1)>\u001b[31m<b>red</b>\u001b[0m');
    expect(place.textContent).toBe('<img src=x onerror=alert(1)><b>red</b>');
    expect(place.querySelectorAll('img, b')).toHaveLength(0);
    expect(place.querySelector('.a-ink-red')?.textContent).toBe('<b>red</b>');
  });

  it('shows what would not be seen', () => {
    const tokens = [...painted('a\u202eb\u0000').querySelectorAll<HTMLElement>('.tok')];
    expect(tokens.map((one) => [one.textContent, one.title])).toEqual([
      ['U+202E', 'U+202E right-to-left override'],
      ['U+0000', 'U+0000 null'],
    ]);
  });

  it('tells of bytes that are no text', () => {
    const place = document.createElement('code');
    void paint(partsOf('a\uFFFD', [{ at: 1, bytes: 3, hex: '00 ff 01' }], false).parts, -1)(place);
    expect(place.querySelector('em')?.textContent).toBe('3 bytes that are not text: 00 ff 01');
  });

  it('marks matches, and the one that is shown', () => {
    const place = painted('worker one, worker two', 'worker', 1);
    expect([...place.querySelectorAll('mark')].map((one) => one.className)).toEqual(
      ['hit', 'hit now'].map((one) => expect.stringContaining(one)),
    );
    expect(place.querySelectorAll('mark.now')).toHaveLength(1);
  });
});
