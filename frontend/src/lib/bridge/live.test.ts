import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { desk } from '../../test/make';
import type { Event } from './dto';
import { backoffMs, fresh, take } from './events';
import { FakeBridge } from './fake';
import { Live } from './live.svelte';

const event = (n: string): Event => ({ n, type: 'x', sessionId: '', ref: '', at: '' });
const world = () => ({
  snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
  cards: [],
  views: [],
  details: [],
  trusts: [],
  tools: [],
});

describe('the sequence of hints', () => {
  it('sees a gap, a repeat and a number that is none', () => {
    const first = take(fresh, event('1'));
    expect(first).toEqual({ sequence: { last: 1 }, gap: false });
    expect(take(first.sequence, event('2')).gap).toBe(false);
    expect(take(first.sequence, event('4'))).toEqual({ sequence: { last: 4 }, gap: true });
    expect(take(first.sequence, event('1')).gap).toBe(true);
    expect(take(fresh, event('many')).gap).toBe(true);
  });

  it('waits longer between attempts, up to five seconds', () => {
    expect([0, 1, 2, 9].map(backoffMs)).toEqual([250, 500, 1000, 5000]);
  });
});

describe('following the desk', () => {
  let bridge: FakeBridge;
  let live: Live;
  let stop: () => void;

  beforeEach(async () => {
    vi.useFakeTimers();
    bridge = new FakeBridge(world());
    live = new Live(bridge);
    stop = live.start();
    await vi.advanceTimersByTimeAsync(0);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  it('reads a snapshot on connecting, and again on a hint', async () => {
    expect(live.snapshot?.desk.preset).toBe('default');
    bridge.world.snapshot.desk.preset = 'edit';
    bridge.hint('settings.changed');
    await vi.advanceTimersByTimeAsync(0);
    expect(live.snapshot?.desk.preset).toBe('edit');
  });

  it('reads once for a burst of hints that come during a reading', async () => {
    const read = vi.spyOn(bridge, 'snapshot');
    for (let i = 0; i < 50; i++) bridge.hint('message.added');
    await vi.advanceTimersByTimeAsync(0);
    expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('tells its readers to read again after a gap and after a new connection', () => {
    const before = live.epoch;
    bridge.hint('x');
    expect(live.epoch).toBe(before);
    bridge.hint('x', '', '7');
    expect(live.epoch).toBe(before + 1);
    bridge.setLink('down');
    expect(live.link).toBe('down');
    bridge.setLink('up');
    expect(live.epoch).toBe(before + 2);
  });

  it('keeps what it had when a reading fails, and says so', async () => {
    vi.spyOn(bridge, 'snapshot').mockRejectedValueOnce(new Error('x'));
    bridge.hint('x');
    await vi.advanceTimersByTimeAsync(0);
    expect(live.snapshot).not.toBeNull();
    expect(live.trouble).not.toBe('');
  });
});
