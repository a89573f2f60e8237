import { describe, expect, it, vi } from 'vitest';

import { Hold, holdMs } from './hold.svelte';
import { looksLikePath, pathParts, shortened } from './path';
import { riskOf } from './risk';
import { listed, listedSubject, namedAfter, titled } from './subject';
import { age, ago, bytes, clock, counted, exact, moment, span, until } from './time';

describe('a held button', () => {
  it('fires once, after the whole time', () => {
    vi.useFakeTimers();
    const done = vi.fn();
    const hold = new Hold(done);
    hold.start();
    vi.advanceTimersByTime(holdMs - 50);
    expect(done).not.toHaveBeenCalled();
    expect(hold.holding).toBe(true);
    vi.advanceTimersByTime(100);
    expect(done).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5_000);
    expect(done).toHaveBeenCalledTimes(1);
    expect(hold.holding).toBe(false);
    vi.useRealTimers();
  });

  it('forgets what was held when it is let go', () => {
    vi.useFakeTimers();
    const done = vi.fn();
    const hold = new Hold(done);
    for (let i = 0; i < 3; i++) {
      hold.start();
      vi.advanceTimersByTime(holdMs - 100);
      hold.stop();
    }
    vi.advanceTimersByTime(5_000);
    expect(done).not.toHaveBeenCalled();
    expect(hold.left).toBe('0.7 s');
    vi.useRealTimers();
  });
});

const spoken = (path: string) => {
  const { folder, name } = pathParts(path);
  return [folder, name].map((pieces) => pieces.map((piece) => piece.code || piece.text));
};

describe('words', () => {
  it('breaks a path between its parts only', () => {
    expect(spoken('web/lib/ApprovalInbox.test.ts')).toEqual([
      ['web/', 'lib/'],
      ['Approval', 'Inbox.', 'test.', 'ts'],
    ]);
    expect(spoken('/a/b/')).toEqual([['/', 'a/'], ['b/']]);
  });

  it('draws in a path what would pass for nothing', () => {
    expect(spoken('line1\nAllow once/ x\u202e.txt ')).toEqual([
      ['line1', 'U+000A', 'Allow once/'],
      ['U+0020', 'x', 'U+202E', '.', 'txt', 'U+0020'],
    ]);
    expect(spoken('a b/c  d')).toEqual([['a b/'], ['c', 'U+0020', 'U+0020', 'd']]);
  });

  it('takes no command and no address for a path', () => {
    expect(looksLikePath('src/cart.ts')).toBe(true);
    expect(looksLikePath('rm -rf /')).toBe(false);
    expect(looksLikePath('https://a.dev/b')).toBe(false);
  });

  it('lists the beginning of a long subject and says how much more there is', () => {
    expect(listed('short')).toEqual({ text: 'short', more: 0 });
    expect(listed('x'.repeat(200))).toEqual({ text: 'x'.repeat(160), more: 40 });
    expect(listed(`ab ${'x'.repeat(9)}`, 3)).toEqual({ text: 'ab', more: 10 });
    expect(titled(' a title ')).toBe('a title');
    expect(titled(`\u200b${'x'.repeat(90)}`)).toBe(`\u200b${'x'.repeat(59)}…`);
    expect(listed('a\n  b')).toEqual({ text: 'a\n  b', more: 0 });
  });

  it('sees that a session is named after its caller', () => {
    expect(namedAfter('Claude Code, 14:03', 'Claude Code')).toBe(true);
    expect(namedAfter('Codex', 'Codex')).toBe(true);
    expect(namedAfter('Claude Codex, 14:03', 'Claude Code')).toBe(false);
  });

  it('takes a risk that it does not know for critical', () => {
    expect(['low', 'MEDIUM', 'high', 'critical', '', 'none'].map(riskOf)).toEqual([
      ...['low', 'medium', 'high', 'critical', 'critical', 'critical'],
    ]);
  });

  it('tells ages, spans and sizes', () => {
    const now = Date.parse('2026-11-30T14:00:00Z');
    const at = (ms: number) => new Date(now - ms).toISOString();
    expect([1e3, 12e3, 36e4, 18e6, 1e8, 6e8].map((ms) => age(at(ms), now))).toEqual([
      ...['now', '12 s', '6 min', '5 h', 'yesterday', '6 days'],
    ]);
    expect(age('', now)).toBe('');
    expect(ago(at(12e3), now)).toBe('12 s ago');
    expect(until(at(-14_040_000), now)).toBe('in 3 h 54 min');
    expect(until(at(1), now)).toBe('now');
    expect([4, 2_000, 72_000, 90_000_000].map(span)).toEqual(['4 ms', '2.0 s', '1 min', '1 d 1 h']);
    expect([1, 900, 86_938].map(bytes)).toEqual(['1 byte', '900 bytes', '84.9 KB']);
  });
});

describe('under a locale that nothing can be formatted in', () => {
  it('times and counts are written all the same', () => {
    const broken = () => {
      throw new RangeError('invalid language tag: C');
    };
    vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(broken);
    vi.spyOn(Intl, 'NumberFormat').mockImplementation(broken);
    vi.spyOn(Date.prototype, 'toLocaleString').mockImplementation(broken);
    vi.spyOn(Number.prototype, 'toLocaleString').mockImplementation(broken);
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('C');
    const at = new Date(2026, 10, 30, 9, 3, 7).toISOString();
    expect(exact(at)).toBe('30 November 2026 at 09:03:07');
    expect(clock(at)).toBe('09:03:07');
    expect([moment(at, Date.parse(at)), moment(at, Date.parse(at) + 86_400_000)]).toEqual(['09:03', '30 Nov']);
    expect([exact(''), clock('soon')]).toEqual(['', '']);
    expect([0, 999, 1_000, 1_234_567].map(counted)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect(counted('9007199254740993')).toBe('9,007,199,254,740,993');
    expect([bytes(2_048), age(at, Date.parse(at) + 61_000)]).toEqual(['2.0 KB', '1 min']);
    vi.restoreAllMocks();
  });
});

describe('a long path in a list', () => {
  it('is bounded when it is made of spaces, which are drawn as tokens', () => {
    const { text, more } = listedSubject(`notes/a${' '.repeat(150)}b.txt`);
    expect(text.length).toBeLessThanOrEqual(60);
    expect(text.length + more).toBe(162);
    expect(listedSubject('git  commit -m x').more).toBe(0);
  });

  it('keeps its beginning and its end', () => {
    expect(shortened('/home/you/src')).toBe('/home/you/src');
    const long = `/home/${'a'.repeat(300)}/w11`;
    expect(shortened(long)).toMatch(/^\/home\/a+…a+\/w11$/);
    expect([...shortened(long)]).toHaveLength(121);
  });

  it('shows less of one whose characters are drawn as tokens', () => {
    expect([...shortened(`a${' '.repeat(150)}b`)]).toHaveLength(49);
  });
});
