import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { PageFault } from '../bridge/dto';
import { Faults } from './faults.svelte';

const made = (tell = vi.fn((_fault: PageFault) => Promise.resolve())) => ({ faults: new Faults(tell), tell });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a fault', () => {
  it('is told to the desk as it is, bounded', async () => {
    const { faults, tell } = made();
    faults.record('Desk', new TypeError(`half \ud83d ${'x'.repeat(20_000)}`));
    const fault = tell.mock.calls[0]?.[0];
    expect(fault?.where).toBe('Desk');
    expect(fault?.message.startsWith('TypeError: half \ufffd x')).toBe(true);
    expect(fault?.message.length).toBe(4_000);
    expect(fault?.stack.length).toBeLessThanOrEqual(4_000);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'no'],
    ['an object without a prototype', Object.create(null)],
    ['an object that throws', { toString: () => Object.getPrototypeOf(undefined) }],
  ])('may be %s', (_name, cause) => {
    const { faults, tell } = made();
    faults.record('Desk', cause);
    expect(typeof tell.mock.calls[0]?.[0].message).toBe('string');
  });

  it('that repeats is told ten times a minute and no more', async () => {
    const { faults, tell } = made();
    for (let i = 0; i < 500; i++) faults.record('Desk', new Error('again'));
    expect(tell).toHaveBeenCalledTimes(10);
    await vi.advanceTimersByTimeAsync(60_000);
    faults.record('Desk', new Error('later'));
    expect(tell).toHaveBeenCalledTimes(11);
  });

  it('that could not be told says so, and breaks nothing', async () => {
    const { faults } = made(vi.fn(() => Promise.reject(new Error('down'))));
    faults.record('Desk', new Error('first'));
    await vi.advanceTimersByTimeAsync(0);
    expect(faults.logged).toBe(false);
  });

  it('that nothing caught is noticed until the watch ends', () => {
    const { faults, tell } = made();
    const stop = faults.watch();
    dispatchEvent(
      new ErrorEvent('error', { message: 'ResizeObserver loop completed with undelivered notifications.' }),
    );
    expect([faults.loose, tell.mock.calls.length]).toEqual([false, 0]);
    dispatchEvent(new ErrorEvent('error', { message: 'broken', error: new Error('broken') }));
    expect(faults.loose).toBe(true);
    dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new Error('late') }));
    expect(tell.mock.calls.map(([fault]) => fault.message)).toEqual(['Error: broken', 'Error: late']);
    stop();
    dispatchEvent(new ErrorEvent('error', { message: 'after' }));
    expect(tell).toHaveBeenCalledTimes(2);
  });
});
