import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Colourer, type Helper } from './colours';
import { Jobs, type Stretch, type Told } from './jobs';

describe('the work of the worker', () => {
  const settle = (told: Told[], id: number) =>
    vi.waitFor(() => expect(told.some((one) => one.id === id && 'done' in one)).toBe(true), 20_000);

  it('tells the colours of each text, and that it is done', async () => {
    const told: Told[] = [];
    const jobs = new Jobs((one) => told.push(one));
    jobs.take({ id: 1, language: 'go', texts: ['func a() {}', '// b'] });
    await settle(told, 1);
    const lines = told.flatMap((one) =>
      'stretches' in one ? one.stretches.map(({ text, first, lines }) => [text, first, lines[0]?.[0]?.hue]) : [],
    );
    expect(lines).toEqual([
      [0, 0, 'k'],
      [1, 0, 'c'],
    ]);
  }, 20_000);

  it('tells many small texts together', async () => {
    const told: Told[] = [];
    const jobs = new Jobs((one) => told.push(one));
    jobs.take({ id: 1, language: 'go', texts: Array(1_000).fill('func a() {}') });
    await settle(told, 1);
    expect(told.length).toBeLessThan(6);
    expect(told.flatMap((one) => ('stretches' in one ? one.stretches : []))).toHaveLength(1_000);
  }, 20_000);

  it('leaves off a text that nobody looks at, and goes on after a grammar that there is not', async () => {
    const told: Told[] = [];
    const jobs = new Jobs((one) => told.push(one));
    jobs.take({ id: 1, language: 'go', texts: [Array(4_000).fill('func a() {}').join('\n')] });
    jobs.take({ id: 1, drop: true });
    jobs.take({ id: 2, language: 'klingon', texts: ['x'] });
    await settle(told, 1);
    await settle(told, 2);
    expect(told.filter((one) => one.id === 1 && 'stretches' in one)).toHaveLength(1);
    expect(told.filter((one) => one.id === 2)).toEqual([{ id: 2, done: true }]);
  }, 20_000);
});

describe('the helper', () => {
  class Pretended implements Helper {
    sent: unknown[] = [];
    ended = false;
    onmessage: Helper['onmessage'] = null;
    onerror: Helper['onerror'] = null;
    postMessage(one: unknown) {
      this.sent.push(one);
    }
    terminate() {
      this.ended = true;
    }
    tell(data: Told) {
      this.onmessage?.call(this as unknown as Worker, { data } as MessageEvent<Told>);
    }
  }
  let made: Pretended[] = [];
  const colourer = () =>
    new Colourer(() => {
      const one = new Pretended();
      made.push(one);
      return one;
    });

  beforeEach(() => {
    made = [];
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  it('begins with the first text, tells who asked, and ends when nothing is asked for a while', () => {
    const one = colourer();
    expect(made).toHaveLength(0);
    const taken: [string, Stretch[]][] = [];
    one.colour('go', ['a'], (told) => taken.push(['first', told]));
    one.colour('go', ['b'], (told) => taken.push(['second', told]));
    expect(made).toHaveLength(1);
    const stretches = [{ text: 0, first: 5, lines: [[]] }];
    made[0]?.tell({ id: 2, stretches });
    expect(taken).toEqual([['second', stretches]]);
    made[0]?.tell({ id: 2, done: true });
    vi.advanceTimersByTime(600_000);
    expect(made[0]?.ended, 'another text is under way').toBe(false);
    made[0]?.tell({ id: 1, done: true });
    vi.advanceTimersByTime(600_000);
    expect(made[0]?.ended).toBe(true);
    one.colour('go', ['c'], () => {});
    expect(made).toHaveLength(2);
  });

  it('is told to leave off once, and not after it is done', () => {
    const one = colourer();
    let told = 0;
    const stop = one.colour('go', ['a'], () => told++);
    stop();
    stop();
    made[0]?.tell({ id: 1, stretches: [] });
    expect(told).toBe(0);
    expect(made[0]?.sent).toEqual([
      { id: 1, language: 'go', texts: ['a'] },
      { id: 1, drop: true },
    ]);
    const again = one.colour('go', ['b'], () => {});
    made[0]?.tell({ id: 2, done: true });
    again();
    expect(made[0]?.sent).toHaveLength(3);
  });

  it('that cannot run leaves the text in one colour', () => {
    const none = new Colourer(() => {
      throw new Error('not allowed');
    });
    expect(() => none.colour('go', ['a'], () => {})()).not.toThrow();
    const broken = colourer();
    broken.colour('go', ['a'], () => {});
    made[0]?.onerror?.call(made[0] as unknown as Worker, new ErrorEvent('error'));
    expect(made[0]?.ended).toBe(true);
  });
});
