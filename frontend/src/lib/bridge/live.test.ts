import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { desk, session } from '../../test/make';
import type { Event } from './dto';
import { backoffMs, fresh, take } from './events';
import { FakeBridge } from './fake';
import { Live, paceMs } from './live.svelte';

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
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(live.snapshot?.desk.preset).toBe('edit');
  });

  it('reads at once what waits for a person', async () => {
    const read = vi.spyOn(bridge, 'snapshot');
    bridge.hint('tool.call.proposed', 'c1');
    bridge.hint('approval.requested', 'a1');
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * paceMs);
    expect(read, 'both hints were answered by it').toHaveBeenCalledTimes(1);
  });

  it('shows a reading with what belongs to it, but does not wait long for that', async () => {
    const preset = async (value: string, other: Promise<unknown>) => {
      bridge.world.snapshot.desk.preset = value;
      live.showWith(other);
      void live.refresh();
      await vi.advanceTimersByTimeAsync(0);
    };
    let come = () => {};
    await preset('edit', new Promise<void>((resolve) => (come = resolve)));
    expect(live.snapshot?.desk.preset).toBe('default');
    come();
    await vi.advanceTimersByTimeAsync(0);
    expect(live.snapshot?.desk.preset).toBe('edit');
    await preset('full', new Promise(() => {}));
    expect(live.snapshot?.desk.preset).toBe('edit');
    await vi.advanceTimersByTimeAsync(20);
    expect(live.snapshot?.desk.preset).toBe('full');
    await preset('default', Promise.reject(new Error('x')));
    expect(live.snapshot?.desk.preset).toBe('default');
  });

  it('reads at a pace, however many hints come', async () => {
    const heard = vi.fn();
    live.onEvents(heard);
    const read = vi.spyOn(bridge, 'snapshot');
    for (let tick = 0; tick < 100; tick++) {
      for (let i = 0; i < 100; i++) bridge.hint('message.added', `m${i % 10}`);
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(read.mock.calls.length).toBeGreaterThan(2);
    expect(read.mock.calls.length).toBeLessThanOrEqual(1_000 / paceMs + 2);
    expect(heard.mock.calls.length).toBeGreaterThan(2);
    expect(heard.mock.calls.length).toBeLessThanOrEqual(read.mock.calls.length);
    for (const [events] of heard.mock.calls) expect(events.length).toBeLessThanOrEqual(10);
  });

  it('hands on no more hints than can be looked at, and has everything read instead', async () => {
    const heard = vi.fn();
    live.onEvents(heard);
    const before = live.epoch;
    for (let i = 0; i < 10_000; i++) bridge.hint('message.added', `m${i}`);
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(heard.mock.calls[0]?.[0].length).toBeLessThanOrEqual(1_000);
    expect(live.epoch).toBe(before + 1);
  });

  it('keeps what did not change, so that it is not drawn again', async () => {
    bridge.world.snapshot.sessions = [session({ id: 's1' }), session({ id: 's2' })];
    bridge.hint('x');
    await vi.advanceTimersByTimeAsync(paceMs);
    const before = live.snapshot;
    bridge.hint('x');
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(live.snapshot).toBe(before);
    bridge.world.snapshot.sessions = [session({ id: 's0' }), ...bridge.world.snapshot.sessions];
    bridge.hint('x');
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(live.snapshot?.sessions.map((one) => one.id)).toEqual(['s0', 's1', 's2']);
    expect(live.snapshot?.sessions[1]).toBe(before?.sessions[0]);
    expect(live.snapshot?.approvals).toBe(before?.approvals);
  });

  it('tells its readers to read again after a gap and after a new connection', async () => {
    const before = live.epoch;
    bridge.hint('x');
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(live.epoch).toBe(before);
    bridge.hint('x', '', '7');
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(live.epoch).toBe(before + 1);
    bridge.setLink('down');
    expect(live.link).toBe('down');
    bridge.setLink('up');
    expect(live.epoch).toBe(before + 2);
  });

  it('keeps what it had when a reading fails, and says so', async () => {
    vi.spyOn(bridge, 'snapshot').mockRejectedValueOnce(new Error('x'));
    bridge.hint('x');
    await vi.advanceTimersByTimeAsync(paceMs);
    expect(live.snapshot).not.toBeNull();
    expect(live.trouble).not.toBe('');
  });
});
